//! Documents that are believed, and those that are not.

use serde_json::{Value, json};

use super::*;

fn read(issuer: &str, over: Value) -> Result<Metadata, UpstreamRefusal> {
    let mut document = json!({
        "issuer": "https://id.example/a",
        "authorization_endpoint": "https://id.example/authorize",
        "token_endpoint": "https://id.example/token",
        "jwks_uri": "https://keys.example/jwks",
    });
    for (name, value) in over.as_object().unwrap() {
        document[name] = value.clone();
    }
    Metadata::read(issuer, document.to_string().as_bytes())
}

#[test]
fn a_document_stands_below_its_issuer() {
    assert_eq!(address("https://id.example/a"), "https://id.example/a/.well-known/openid-configuration");
    assert_eq!(address("https://id.example/"), "https://id.example/.well-known/openid-configuration");
}

#[test]
fn only_the_exact_issuer_is_believed() {
    assert!(read("https://id.example/a", json!({})).is_ok());
    for other in ["https://id.example/a/", "https://id.example", "https://ID.example/a", "http://id.example/a"] {
        assert!(read(other, json!({})).is_err(), "{other}");
    }
}

#[test]
fn endpoints_are_secure_unless_the_issuer_is_not() {
    for (name, endpoint) in [
        ("token_endpoint", "http://id.example/token"),
        ("jwks_uri", "file:///etc/passwd"),
        ("authorization_endpoint", "javascript:alert(1)"),
        ("userinfo_endpoint", "https://id.example/u#f"),
        ("authorization_endpoint", "https://id.example/a\r\nx: y"),
    ] {
        assert!(read("https://id.example/a", json!({ name: endpoint })).is_err(), "{endpoint}");
    }
    let plain = json!({ "issuer": "http://127.0.0.1:9", "token_endpoint": "http://127.0.0.1:9/token" });
    assert!(read("http://127.0.0.1:9", plain).is_ok());
}

#[test]
fn the_secret_goes_into_the_header_unless_the_provider_wants_it_elsewhere() {
    let methods = |list: Value| {
        let over = json!({ "token_endpoint_auth_methods_supported": list });
        read("https://id.example/a", over).unwrap().takes_basic()
    };

    assert!(read("https://id.example/a", json!({})).unwrap().takes_basic());
    assert!(methods(json!(["client_secret_post", "client_secret_basic"])));
    assert!(!methods(json!(["client_secret_post"])));
}
