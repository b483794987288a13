//! Which web origins may call this server from a browser: those that are listed, and no wildcard.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::response::Response;
use http::header::{
    ACCEPT, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, ALLOW,
    AUTHORIZATION, CONTENT_TYPE, ETAG, IF_MATCH, IF_NONE_MATCH, LINK, LOCATION, ORIGIN, RETRY_AFTER, VARY,
    WWW_AUTHENTICATE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use tower::{Layer, Service, ServiceExt};
use tower_http::cors::{AllowOrigin, Cors, CorsLayer};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::config::Origin;

/// The layer for these origins; none if no origin is listed.
pub fn layer(origins: &[Origin]) -> Option<PreflightLayer> {
    if origins.is_empty() {
        return None;
    }
    let listed: Vec<HeaderValue> = origins.iter().filter_map(|origin| origin.as_str().parse().ok()).collect();
    let header = HeaderName::from_static;
    let cors = CorsLayer::new()
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
            header("api-warning"),
            header("deprecation"),
            header("idempotent-replayed"),
            header("preference-applied"),
            header("sunset"),
            header("x-api-version"),
            header("x-ratelimit-limit"),
            header("x-ratelimit-remaining"),
            header("x-ratelimit-reset"),
            header("x-request-id"),
        ])
        .max_age(std::time::Duration::from_secs(600));
    Some(PreflightLayer { cors, origins: origins.into() })
}

/// Leaves an `OPTIONS` that is no preflight to the route, which knows its methods: `tower_http` answers every one.
#[derive(Debug, Clone)]
pub struct PreflightLayer {
    cors: CorsLayer,
    origins: Arc<[Origin]>,
}

impl<S: Clone> Layer<S> for PreflightLayer {
    type Service = Preflight<S>;

    fn layer(&self, inner: S) -> Preflight<S> {
        Preflight { cors: self.cors.layer(inner.clone()), inner, origins: self.origins.clone() }
    }
}

/// The service behind [`PreflightLayer`].
#[derive(Debug, Clone)]
pub struct Preflight<S> {
    cors: Cors<S>,
    inner: S,
    origins: Arc<[Origin]>,
}

impl<S> Service<Request> for Preflight<S>
where
    S: Service<Request, Response = Response> + Clone + Send + 'static,
    S::Future: Send,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response, S::Error>> + Send>>;

    // Each request has a clone of its own, which is waited for.
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let is_preflight = request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD);
        if request.method() != Method::OPTIONS || is_preflight {
            return Box::pin(self.cors.clone().oneshot(request));
        }
        let (inner, origins) = (self.inner.clone(), self.origins.clone());
        let asking = request.headers().get(ORIGIN).cloned();
        Box::pin(async move {
            let mut response = inner.oneshot(request).await?;
            mark(&origins, asking.as_ref(), response.headers_mut());
            Ok(response)
        })
    }
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
        let exposed = HeaderValue::from_static("allow,retry-after,www-authenticate,x-api-version,x-request-id");
        headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
}
