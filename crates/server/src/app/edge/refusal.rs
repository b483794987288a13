//! Requests that never reach the router: which rule they broke, and the answer to give.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, Method, StatusCode, Uri};

/// Why the edge refused a request. One variant for each rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The body did not arrive in time.
    SlowBody,
    /// The body arrived, and the answer was not ready in time.
    SlowAnswer,
    /// There are more headers than allowed.
    TooManyHeaders,
    /// What came is not HTTP, or contradicts itself.
    Malformed,
    /// The headers together are larger than allowed.
    HeadTooLarge,
    /// The address is longer than allowed.
    UriTooLong,
    /// Plain HTTP is spoken to declared proxies only, and the peer is none.
    NotAProxy,
    /// A trusted proxy says that its client did not use HTTPS.
    NotHttps,
}

impl Refusal {
    /// The status of the answer.
    #[must_use]
    pub fn status(self) -> StatusCode {
        match self {
            Self::SlowBody => StatusCode::REQUEST_TIMEOUT,
            Self::SlowAnswer => StatusCode::SERVICE_UNAVAILABLE,
            Self::TooManyHeaders | Self::HeadTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Self::Malformed => StatusCode::BAD_REQUEST,
            Self::UriTooLong => StatusCode::URI_TOO_LONG,
            Self::NotAProxy | Self::NotHttps => StatusCode::MISDIRECTED_REQUEST,
        }
    }

    /// What a person should know and do.
    #[must_use]
    pub fn detail(self) -> &'static str {
        match self {
            Self::SlowBody => "The request body did not arrive in time. Send it again over a faster connection.",
            Self::SlowAnswer => "The answer was not ready in time. Try again later.",
            Self::TooManyHeaders => "The request has more headers than this server accepts. Send fewer.",
            Self::Malformed => "What was sent is not a sound HTTP request. Check what speaks to this port.",
            Self::HeadTooLarge => "The request headers are larger than this server accepts. Send less in them.",
            Self::UriTooLong => "The address is longer than this server accepts. Send data in the body.",
            Self::NotAProxy => "This port is for the proxy in front of the server. Use the public address.",
            Self::NotHttps => "This server is reached over HTTPS only. Use https:// in the address.",
        }
    }
}

/// What is known of a refused request, for whoever renders the answer.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its method.
    pub method: Method,
    /// Its target.
    pub uri: Uri,
    /// Its `Accept`.
    pub accept: Option<HeaderValue>,
    /// Its `Origin`.
    pub origin: Option<HeaderValue>,
    /// Its `X-API-Version`.
    pub version: Option<HeaderValue>,
}

/// Makes the answer to a refused request. The edge sets the status afterwards.
pub type Renderer = Arc<dyn Fn(Refusal, &Asked) -> Response + Send + Sync>;

/// The answer when nobody renders a better one.
pub(super) fn bare(refusal: Refusal, _asked: &Asked) -> Response {
    Response::new(Body::from(refusal.detail()))
}
