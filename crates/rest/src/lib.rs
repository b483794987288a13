//! REST conventions for any axum service: errors, bodies, lists, conditions, tokens. Knows neither OAuth nor tables.
//!
//! The layers belong around a router in this order, outermost first, so that every refusal has an id and one shape:
//!
//! ```
//! use std::sync::Arc;
//! use axum::{Router, routing::get};
//! use valetkey_rest::{CatchPanicLayer, ProblemLayer, RequestIdLayer, TokenInUrlLayer};
//!
//! let app: Router = Router::new()
//!     .route("/", get(|| async { "hello" }))
//!     .layer(TokenInUrlLayer)
//!     .layer(CatchPanicLayer::new(Arc::new(|message| eprintln!("panic: {message}"))))
//!     .layer(ProblemLayer::new("https://id.example"))
//!     .layer(RequestIdLayer::new(Arc::new(uuid::Uuid::nil)));
//! ```
//!
//! | module | what it owns |
//! |---|---|
//! | [`problem`] | the error body of RFC 9457, its catalogue, and the layer that renders it |
//! | [`request_id`] | one id for each request, in the log line, the header and the error body |
//! | [`catch_panic`] | a panic becomes an answer |
//! | [`drain`] | what is left of a body is read before the answer goes |
//! | [`form`] | url-encoded bodies, read strictly |
//! | [`json`] | JSON bodies, read strictly |
//! | [`query`] | filters, sort, fields and search of a list |
//! | [`page`] | paging, the list envelope, sealed cursors |
//! | [`patch`] | merge patches and JSON Patch |
//! | [`conditional`] | entity tags, `If-Match`, `If-None-Match` |
//! | [`idempotency`] | a request that is sent again is not done again |
//! | [`prefer`] | what a client would rather have |
//! | [`links`] | the `Link` header |
//! | [`bearer`] | who calls, by a bearer token |
//! | [`api_key`] | who calls, by an API key |
//! | [`rate_limit`] | so many requests in so long a time |
//! | [`version`] | which version of the API a request means |
//! | [`cors`] | which pages may read our answers |
//! | [`accept`] | which of our media types a request asked for |
//! | [`token_in_url`] | tokens in a query are refused |

pub mod accept;
mod answering;
pub mod api_key;
mod at_once;
pub mod bearer;
pub mod catch_panic;
pub mod conditional;
pub mod cors;
mod digits;
pub mod drain;
pub mod form;
pub mod idempotency;
pub mod json;
pub mod links;
pub mod page;
pub mod patch;
pub mod prefer;
pub mod problem;
pub mod query;
pub mod rate_limit;
pub mod request_id;
pub mod token_in_url;
pub mod version;

mod clock;
mod content_type;
mod quoted;

pub use api_key::ApiKeyLayer;
pub use bearer::BearerLayer;
pub use catch_panic::CatchPanicLayer;
pub use clock::Clock;
pub use cors::CorsLayer;
pub use drain::DrainLayer;
pub use form::{Form, FormError};
pub use idempotency::{IdempotencyKey, IdempotencyLayer};
pub use json::Json;
pub use page::{Page, Paging};
pub use problem::{FieldCode, FieldError, Problem, ProblemLayer, ProblemType};
pub use query::ListQuery;
pub use rate_limit::RateLimitLayer;
pub use request_id::{RequestId, RequestIdLayer};
pub use token_in_url::TokenInUrlLayer;
pub use version::VersionLayer;
