//! Which web origins may call this server from a browser: those that are listed, and no wildcard.

use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, IF_MATCH, IF_NONE_MATCH, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, Method};
use tower_http::cors::{AllowOrigin, CorsLayer};

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
            .expose_headers([RETRY_AFTER, WWW_AUTHENTICATE, header("x-request-id")])
            .max_age(std::time::Duration::from_secs(600)),
    )
}
