//! Which web origins may call this server from a browser: those that the operator lists or a client has registered, and no
//! wildcard.

use std::sync::Arc;

use axum::response::Response;
use http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ORIGIN, VARY};
use http::{HeaderMap, HeaderValue};
use valetkey_oauth::Authority;
use valetkey_rest::CorsLayer;

use crate::bridge::origins::RegisteredOrigins;
use crate::config::Origin;

/// The layer for what acts.
pub fn layer(listed: &[Origin], authority: &Arc<Authority>) -> CorsLayer {
    let registered = Arc::new(RegisteredOrigins(authority.clone()));
    CorsLayer::new(listed.iter().map(Origin::as_str)).registered(registered)
}

/// For documents that any origin may read: their errors too.
pub async fn anyone(mut response: Response) -> Response {
    response.headers_mut().entry(ACCESS_CONTROL_ALLOW_ORIGIN).or_insert(HeaderValue::from_static("*"));
    response
}

/// Marks an answer that never passed the layer: a refusal of the edge.
pub fn mark(origins: &[Origin], asking: Option<&HeaderValue>, headers: &mut HeaderMap) {
    if origins.is_empty() {
        return;
    }
    headers.append(VARY, HeaderValue::from(ORIGIN));
    if let Some(asking) = asking.filter(|asking| origins.iter().any(|origin| origin.as_str().as_bytes() == *asking)) {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, asking.clone());
        let exposed = HeaderValue::from_static("allow,retry-after,www-authenticate,x-api-version,x-request-id");
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
}
