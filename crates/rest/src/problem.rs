//! The error body of RFC 9457, the same on every endpoint. Owns its shape and media type; never knows who refused, or why.
//!
//! A handler returns a [`Problem`]; [`ProblemLayer`] writes it, because only the layer knows the origin, the request id
//! and what the client accepts. Refusals of the framework itself come out in the same shape.
//!
//! ```
//! use axum::{Router, body::Body, routing::get};
//! use http::Request;
//! use tower::ServiceExt;
//! use valetkey_rest::problem::{FieldError, Problem, ProblemLayer, catalogue};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! async fn read() -> Problem {
//!     Problem::new(&catalogue::BAD_REQUEST).detail("The name is missing.").field(FieldError::required("name"))
//! }
//! let app = Router::new().route("/users", get(read)).layer(ProblemLayer::new("https://id.example"));
//!
//! let answer = app.oneshot(Request::get("/users").body(Body::empty()).unwrap()).await.unwrap();
//!
//! assert_eq!(answer.status(), 400);
//! assert_eq!(answer.headers()["content-type"], "application/problem+json");
//! # }
//! ```

pub mod catalogue;

mod body;
mod details;
mod field;
mod future;
mod kind;
mod layer;
mod render;
mod service;

#[cfg(test)]
mod tests;

pub use catalogue::for_status;
pub use details::Problem;
pub use field::{FieldCode, FieldError};
pub use future::ProblemFuture;
pub use kind::ProblemType;
pub use layer::ProblemLayer;
pub use render::{is_bare_error, render};
pub use service::ProblemService;
