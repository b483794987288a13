//! Who calls the token endpoint: the address that the edge found becomes the `Caller` that alerts name.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use valetkey_oauth::grants::Caller;

use crate::app::edge::ClientAddress;

/// Gives each request its caller.
pub async fn know(mut request: Request, next: Next) -> Response {
    let address = request.extensions().get::<ClientAddress>().map(|address| address.0.to_string());
    request.extensions_mut().insert(Caller { address });
    next.run(request).await
}
