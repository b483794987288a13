//! Who calls the endpoints: the address and the certificate that the edge found become the `Caller` that the rules know.

use std::sync::Arc;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use valetkey_oauth::grants::Caller;

use super::certificate;
use crate::app::edge::ClientAddress;

/// Gives each request its caller.
pub async fn know(mut request: Request, next: Next) -> Response {
    let address = request.extensions().get::<ClientAddress>().map(|address| address.0.to_string());
    let certificate = certificate::of(request.extensions()).map(Arc::new);
    request.extensions_mut().insert(Caller { address, certificate });
    next.run(request).await
}
