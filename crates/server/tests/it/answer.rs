//! What must hold of every error, whichever address answers it.

use reqwest::header::{CACHE_CONTROL, CONTENT_TYPE, VARY};
use reqwest::{RequestBuilder, Response};
use serde_json::Value;

/// One header as text; empty if it is missing.
pub fn header(answer: &Response, name: &str) -> String {
    let values = answer.headers().get_all(name).iter().map(|value| value.to_str().unwrap());
    values.collect::<Vec<_>>().join(", ")
}

/// Reads a problem and checks the shape that all problems share.
pub async fn problem(answer: Response) -> Value {
    let status = answer.status().as_u16();
    let id = header(&answer, "x-request-id");
    assert_eq!(answer.headers()[CONTENT_TYPE], "application/problem+json");
    assert_eq!(answer.headers()[CACHE_CONTROL], "no-store");
    assert!(header(&answer, VARY.as_str()).to_lowercase().split(", ").any(|name| name == "accept"));
    let body: Value = answer.json().await.unwrap();
    assert_eq!(body["status"], status, "{body}");
    assert_eq!(body["instance"], format!("urn:uuid:{id}"), "{body}");
    for member in ["type", "title", "detail"] {
        assert!(!body[member].as_str().unwrap_or_default().is_empty(), "{member} is missing: {body}");
    }
    body
}

/// Sends a request that must be refused with this status and OAuth word, and answers the body.
pub async fn refused(request: RequestBuilder, status: u16, error: &str) -> Value {
    let answer = request.send().await.unwrap();
    let challenge = header(&answer, "www-authenticate");
    assert_eq!(answer.status(), status, "{}", answer.text().await.unwrap());
    let body = problem(answer).await;
    assert_eq!(body["error"], error, "{body}");
    assert_eq!(body["error_description"], body["detail"], "{body}");
    assert_eq!(body["error_uri"], body["type"], "{body}");
    assert_eq!(challenge.starts_with("Basic "), status == 401, "{challenge:?}");
    body
}
