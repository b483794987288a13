//! What is expected of the token endpoint.

use reqwest::RequestBuilder;
use serde_json::Value;

use crate::told::calm;

/// The body of an answer that must be 200.
pub async fn succeeds(request: RequestBuilder) -> Value {
    calm(request).await.expect(&[200]).json()
}
