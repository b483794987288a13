//! Which web origins may call this server from a browser: those that are listed, and no wildcard.

use http::header::{
    ACCEPT, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ALLOW, AUTHORIZATION, CONTENT_TYPE, ETAG,
    IF_MATCH, IF_NONE_MATCH, LINK, LOCATION, ORIGIN, RETRY_AFTER, VARY, WWW_AUTHENTICATE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::config::Origin;

/// The layer for these origins; none if no origin is listed.
pub fn layer(origins: &[Origin]) -> Option<CorsLayer> {
    if origins.is_empty() {
        return None;
    }
    let listed: Vec<HeaderValue> = origins.iter().filter_map(|origin| origin.as_str().parse().ok()).collect();
    let header = HeaderName::from_static;
    Some(
        CorsLayer::new()
            .allow_origin(AllowOrigin::list(listed))
            .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
            .allow_headers([
                ACCEPT,
                AUTHORIZATION,
                CONTENT_TYPE,
                IF_MATCH,
                IF_NONE_MATCH,
                header("idempotency-key"),
                header("mcp-protocol-version"),
                header("prefer"),
                header("x-api-version"),
            ])
            .expose_headers([
                ALLOW,
                ETAG,
                LINK,
                LOCATION,
                RETRY_AFTER,
                WWW_AUTHENTICATE,
                header("accept-patch"),
                header("idempotent-replayed"),
                header("preference-applied"),
                header("x-ratelimit-limit"),
                header("x-ratelimit-remaining"),
                header("x-ratelimit-reset"),
                header("x-request-id"),
            ])
            .max_age(std::time::Duration::from_secs(600)),
    )
}

/// For documents that any origin may read: their errors too.
pub fn anyone() -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"))
}

/// Marks an answer that never passed the layer: a refusal of the edge.
pub fn mark(origins: &[Origin], asking: Option<&HeaderValue>, headers: &mut HeaderMap) {
    if origins.is_empty() {
        return;
    }
    headers.append(VARY, HeaderValue::from(ORIGIN));
    if let Some(asking) = asking.filter(|asking| origins.iter().any(|origin| origin.as_str().as_bytes() == *asking)) {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, asking.clone());
        let exposed = HeaderValue::from_static("retry-after,www-authenticate,x-request-id");
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
}
