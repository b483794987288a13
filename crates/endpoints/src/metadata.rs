//! What this server can do (RFC 8414, OpenID Connect Discovery). Advertises what works, and nothing else.

use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use serde_json::{Value, json};
use valetkey_oauth::{Policy, authorize, grants};

use crate::{Endpoints, protected_resource, public};

pub(crate) const OPENID: &str = "/.well-known/openid-configuration";
pub(crate) const OAUTH: &str = "/.well-known/oauth-authorization-server";

/// Documents that follow from the policy, rendered once.
pub struct Documents {
    oauth: Bytes,
    openid: Bytes,
    pub(crate) origin: Bytes,
    pub(crate) api: Bytes,
}

impl Documents {
    /// Renders them.
    pub fn new(policy: &Policy) -> Self {
        let oauth = server(policy);
        let mut openid = oauth.clone();
        // Members that OpenID Connect Discovery demands of every document of its kind.
        openid["subject_types_supported"] = json!(["public"]);
        openid["id_token_signing_alg_values_supported"] = json!(["RS256", "ES256", "EdDSA"]);
        Self {
            oauth: bytes(&oauth),
            openid: bytes(&openid),
            origin: bytes(&protected_resource::document(policy, &policy.issuer)),
            api: bytes(&protected_resource::document(policy, &policy.audience)),
        }
    }
}

pub(crate) async fn oauth(State(endpoints): State<Endpoints>) -> Response {
    public::document(endpoints.documents.oauth.clone())
}

pub(crate) async fn openid(State(endpoints): State<Endpoints>) -> Response {
    public::document(endpoints.documents.openid.clone())
}

fn server(policy: &Policy) -> Value {
    let at = |path: &str| format!("{}{path}", policy.issuer);
    let methods = json!(["client_secret_basic", "client_secret_post"]);
    json!({
        "issuer": policy.issuer,
        "authorization_endpoint": at("/authorize"),
        "token_endpoint": at("/token"),
        "introspection_endpoint": at("/introspect"),
        "revocation_endpoint": at("/revoke"),
        "jwks_uri": at("/jwks"),
        "scopes_supported": policy.scopes.names().collect::<Vec<_>>(),
        "response_types_supported": authorize::RESPONSE_TYPES,
        "grant_types_supported": grants::OFFERED.map(|grant| grant.as_str()),
        "token_endpoint_auth_methods_supported": methods,
        "introspection_endpoint_auth_methods_supported": methods,
        "revocation_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        "authorization_response_iss_parameter_supported": true,
        "protected_resources": [policy.audience],
    })
}

fn bytes(document: &Value) -> Bytes {
    Bytes::from(document.to_string())
}
