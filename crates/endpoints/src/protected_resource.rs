//! `GET /.well-known/oauth-protected-resource` (RFC 9728): which server guards this API.

use axum::extract::State;
use axum::response::Response;
use serde_json::{Value, json};
use valetkey_oauth::Policy;

use crate::{Endpoints, public};

pub(crate) const ORIGIN: &str = "/.well-known/oauth-protected-resource";
pub(crate) const API: &str = "/.well-known/oauth-protected-resource/api";

/// The answer names the resource it was asked for: clients compare (RFC 9728 §3.3).
pub(crate) fn document(policy: &Policy, resource: &str) -> Value {
    json!({
        "resource": resource,
        "authorization_servers": [policy.issuer],
        "scopes_supported": policy.scopes.names().collect::<Vec<_>>(),
        "bearer_methods_supported": ["header"],
    })
}

pub(crate) async fn origin(State(endpoints): State<Endpoints>) -> Response {
    public::document(endpoints.documents.origin.clone())
}

pub(crate) async fn api(State(endpoints): State<Endpoints>) -> Response {
    public::document(endpoints.documents.api.clone())
}
