//! Requests with a token, without one, and with something that is none.

use std::sync::Arc;

use axum::{Extension, Router, body::Body, routing::get};
use http::{HeaderMap, Request, StatusCode, header};
use tower::ServiceExt;

use super::{BearerLayer, Caller, Challenge, Unverifiable, Verify, async_trait};

struct Tokens;

#[async_trait]
impl Verify for Tokens {
    async fn verify(&self, token: &str) -> Result<Option<Caller>, Unverifiable> {
        match token {
            "good" => Ok(Some(Caller { client: "app".into(), scopes: vec!["read:x".into()], ..Caller::default() })),
            "bound" => {
                Ok(Some(Caller { client: "app".into(), key_binding: Some("print".into()), ..Caller::default() }))
            }
            "late" => Err(Unverifiable::Unavailable("no answer".into())),
            "broken" => Err(Unverifiable::Failed("no key".into())),
            _ => Ok(None),
        }
    }
}

fn challenge() -> Challenge {
    Challenge { realm: "the \"shop\"".into(), resource_metadata: Some("https://id.example/meta".into()) }
}

async fn ask(request: http::request::Builder) -> (StatusCode, HeaderMap) {
    let show = |caller: Option<Extension<Arc<Caller>>>| async move {
        caller.map(|caller| caller.client.clone()).unwrap_or_default()
    };
    let app = Router::new().route("/", get(show).options(show)).layer(BearerLayer::new(Arc::new(Tokens), challenge()));
    let answer = app.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    (answer.status(), answer.headers().clone())
}

async fn ask_with(authorization: &str) -> (StatusCode, String) {
    let (status, headers) = ask(Request::get("/").header(header::AUTHORIZATION, authorization)).await;
    let challenge = headers.get(header::WWW_AUTHENTICATE).map(|value| value.to_str().unwrap().to_owned());
    (status, challenge.unwrap_or_default())
}

#[tokio::test]
async fn a_valid_token_lets_the_request_in() {
    for authorization in ["Bearer good", "bearer good", "BEARER  good "] {
        assert_eq!(ask_with(authorization).await.0, 200, "{authorization}");
    }
}

#[tokio::test]
async fn a_request_without_a_token_is_told_the_scheme_and_no_error() {
    let expected = r#"Bearer realm="the \"shop\"", resource_metadata="https://id.example/meta""#;
    let (status, headers) = ask(Request::get("/")).await;

    assert_eq!((status.as_u16(), headers[header::WWW_AUTHENTICATE].to_str().unwrap()), (401, expected));
    for other in ["Basic YTpi", "good", "", "Bearergood", "DPoP good"] {
        assert_eq!(ask_with(other).await, (StatusCode::UNAUTHORIZED, expected.to_owned()), "{other}");
    }
}

#[tokio::test]
async fn what_cannot_be_a_token_is_an_invalid_one() {
    let long = format!("Bearer {}", "a".repeat(8 * 1024 + 1));
    for authorization in
        ["Bearer", "Bearer ", "Bearer bad", "Bearer a b", "Bearer =", "Bearer a=b", "Bearer a\"b", long.as_str()]
    {
        let (status, challenge) = ask_with(authorization).await;

        assert_eq!(status, 401, "{authorization}");
        assert_eq!(
            challenge,
            r#"Bearer realm="the \"shop\"", error="invalid_token", error_description="The access token is not valid, has expired or was revoked. Renew it.", resource_metadata="https://id.example/meta""#
        );
    }
}

#[tokio::test]
async fn two_authorization_headers_are_an_invalid_request() {
    let request =
        Request::get("/").header(header::AUTHORIZATION, "Bearer good").header(header::AUTHORIZATION, "Bearer good");

    let (status, headers) = ask(request).await;

    assert_eq!(status, 400);
    assert!(headers[header::WWW_AUTHENTICATE].to_str().unwrap().contains(r#"error="invalid_request""#));
}

#[tokio::test]
async fn nobody_is_let_in_while_tokens_cannot_be_verified() {
    assert_eq!(ask_with("Bearer late").await.0, 503);
    assert_eq!(ask_with("Bearer broken").await.0, 500);
}

#[tokio::test]
async fn options_pass_without_a_token() {
    assert_eq!(ask(Request::options("/")).await.0, 200);
}

#[test]
fn a_missing_scope_is_named_in_the_challenge() {
    use axum::response::IntoResponse;
    let answer = challenge().insufficient_scope("write:orders").into_response();

    assert_eq!(answer.status(), 403);
    let header = answer.headers()[header::WWW_AUTHENTICATE].to_str().unwrap();
    assert!(header.contains(r#"error="insufficient_scope""#) && header.contains(r#"scope="write:orders""#));
}

#[test]
fn a_scope_is_had_or_not() {
    let caller = Caller { scopes: vec!["read:x".into()], ..Caller::default() };

    assert!(caller.has("read:x"));
    assert!(!caller.has("read"));
}

/// The thumbprint of the certificate that came with a request.
#[derive(Clone)]
struct Shown(&'static str);

async fn ask_bound(layer: BearerLayer, shown: Option<&'static str>) -> u16 {
    let app = Router::new().route("/", get(|| async {})).layer(layer);
    let mut request = Request::get("/").header(header::AUTHORIZATION, "Bearer bound").body(Body::empty()).unwrap();
    if let Some(shown) = shown {
        request.extensions_mut().insert(Shown(shown));
    }
    app.oneshot(request).await.unwrap().status().as_u16()
}

#[tokio::test]
async fn a_bound_token_is_good_only_with_its_certificate() {
    let plain = BearerLayer::new(Arc::new(Tokens), challenge());
    let layer = plain.clone().shown_by(Arc::new(|found| found.get::<Shown>().map(|shown| shown.0.to_owned())));

    assert_eq!(ask_bound(layer.clone(), Some("print")).await, 200);
    assert_eq!(ask_bound(layer.clone(), Some("other")).await, 401);
    assert_eq!(ask_bound(layer, None).await, 401);
    assert_eq!(ask_bound(plain, Some("print")).await, 401, "nobody says where certificates are");
}
