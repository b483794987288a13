//! What this server can do (RFC 8414, OpenID Connect Discovery). Advertises what works, and nothing else.

use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use serde_json::{Value, json};
use valetkey_oauth::policy::CertificateUse;
use valetkey_oauth::protocol::{OF_USERS, ResponseMode};
use valetkey_oauth::{Policy, authorize, grants, openid};

use crate::{Endpoints, protected_resource, public};

pub(crate) const OPENID: &str = "/.well-known/openid-configuration";
pub(crate) const OAUTH: &str = "/.well-known/oauth-authorization-server";

/// Documents that follow from the policy, rendered once.
pub struct Documents {
    pub(crate) oauth: Bytes,
    pub(crate) openid: Bytes,
    pub(crate) origin: Bytes,
    pub(crate) api: Bytes,
}

impl Documents {
    /// Renders them.
    pub fn new(policy: &Policy) -> Self {
        let oauth = server(policy);
        let mut openid = oauth.clone();
        for (name, value) in [
            ("userinfo_endpoint", json!(format!("{}/userinfo", policy.issuer))),
            ("end_session_endpoint", json!(format!("{}/logout", policy.issuer))),
            ("backchannel_logout_supported", json!(true)),
            ("backchannel_logout_session_supported", json!(true)),
            ("subject_types_supported", json!(["public", "pairwise"])),
            ("id_token_signing_alg_values_supported", json!(["RS256", "ES256", "EdDSA"])),
            ("acr_values_supported", json!(["1"])),
            ("claim_types_supported", json!(["normal"])),
            ("claims_supported", json!(openid::SUPPORTED)),
            ("claims_parameter_supported", json!(true)),
            ("request_parameter_supported", json!(false)),
            ("request_uri_parameter_supported", json!(false)),
            ("display_values_supported", json!(["page"])),
            ("prompt_values_supported", json!(["none", "login", "consent", "select_account"])),
            ("ui_locales_supported", json!(["en", "de", "fr", "es"])),
        ] {
            openid[name] = value;
        }
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

pub(crate) async fn openid_configuration(State(endpoints): State<Endpoints>) -> Response {
    public::document(endpoints.documents.openid.clone())
}

fn server(policy: &Policy) -> Value {
    let at = |path: &str| format!("{}{path}", policy.issuer);
    let mut methods = vec!["client_secret_basic", "client_secret_post"];
    methods.extend(by_certificate(policy));
    let with_none: Vec<_> = methods.iter().copied().chain(["none"]).collect();
    let mut document = json!({
        "issuer": policy.issuer,
        "authorization_endpoint": at("/authorize"),
        "token_endpoint": at("/token"),
        "device_authorization_endpoint": at("/device/code"),
        "introspection_endpoint": at("/introspect"),
        "revocation_endpoint": at("/revoke"),
        "jwks_uri": at("/jwks"),
        "scopes_supported": OF_USERS.into_iter().chain(policy.scopes.names()).collect::<Vec<_>>(),
        "response_types_supported": authorize::RESPONSE_TYPES,
        "grant_types_supported": grants::OFFERED.map(|grant| grant.as_str()),
        "response_modes_supported": ResponseMode::ALL.map(ResponseMode::as_str),
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": with_none,
        "introspection_endpoint_auth_methods_supported": methods,
        "revocation_endpoint_auth_methods_supported": with_none,
        "authorization_response_iss_parameter_supported": true,
        "protected_resources": [policy.audience],
    });
    if policy.certificates != CertificateUse::Unseen {
        document["tls_client_certificate_bound_access_tokens"] = json!(true);
    }
    document
}

/// RFC 8705 §2: how a client can prove itself by a certificate here.
fn by_certificate(policy: &Policy) -> &'static [&'static str] {
    match policy.certificates {
        CertificateUse::Unseen => &[],
        CertificateUse::Registered => &["self_signed_tls_client_auth"],
        CertificateUse::VouchedFor => &["tls_client_auth", "self_signed_tls_client_auth"],
    }
}

fn bytes(document: &Value) -> Bytes {
    Bytes::from(document.to_string())
}
