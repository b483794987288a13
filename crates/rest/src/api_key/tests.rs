//! Keys in both places, wrong keys, and keys beside tokens.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use axum::{Extension, Router, body::Body, routing::get};
use http::Request;
use tower::ServiceExt;

use super::{ApiKeyLayer, Holder, Keys, digest};
use crate::bearer::{BearerLayer, Caller, Challenge, Unverifiable, Verify, async_trait};

struct World;

#[async_trait]
impl Keys for World {
    async fn find(&self, given: &[u8; 32], from: Option<IpAddr>) -> Result<Holder, Unverifiable> {
        let service = Caller { client: "service".into(), ..Caller::default() };
        Ok(match from {
            _ if *given == digest("vk_ak_good") => Holder::Known(service),
            Some(IpAddr::V4(Ipv4Addr::LOCALHOST)) if *given == digest("vk_ak_here") => Holder::Known(service),
            _ if *given == digest("vk_ak_here") => Holder::Misplaced,
            _ => Holder::Nobody,
        })
    }
}

#[async_trait]
impl Verify for World {
    async fn verify(&self, token: &str) -> Result<Option<Caller>, Unverifiable> {
        Ok((token == "token").then(|| Caller { client: "app".into(), ..Caller::default() }))
    }
}

async fn ask(headers: &[(&str, &str)]) -> (u16, String) {
    ask_from(Ipv4Addr::UNSPECIFIED, headers).await
}

async fn ask_from(address: Ipv4Addr, headers: &[(&str, &str)]) -> (u16, String) {
    let keys = ApiKeyLayer::new(Arc::new(World), "vk_ak_", Challenge::default());
    let app = Router::new()
        .route("/", get(|Extension(caller): Extension<Arc<Caller>>| async move { caller.client.clone() }))
        .layer(BearerLayer::new(Arc::new(World), Challenge::default()))
        .layer(keys.seen_from(Arc::new(|extensions| extensions.get::<Ipv4Addr>().map(|address| (*address).into()))));
    let request = headers
        .iter()
        .fold(Request::get("/").extension(address), |request, (name, value)| request.header(*name, *value));
    let answer = app.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let status = answer.status().as_u16();
    let body = axum::body::to_bytes(answer.into_body(), 1000).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn a_key_is_found_in_either_place() {
    for header in
        [("x-api-key", "vk_ak_good"), ("authorization", "Bearer vk_ak_good"), ("authorization", "bearer  vk_ak_good")]
    {
        assert_eq!(ask(&[header]).await, (200, "service".to_owned()), "{header:?}");
    }
}

#[tokio::test]
async fn a_token_goes_on_to_the_bearer_layer() {
    assert_eq!(ask(&[("authorization", "Bearer token")]).await, (200, "app".to_owned()));
    assert_eq!(ask(&[]).await.0, 401);
}

#[tokio::test]
async fn a_wrong_key_is_refused_and_not_tried_as_a_token() {
    let long = format!("vk_ak_{}", "a".repeat(600));
    for key in ["vk_ak_bad", "vk_ak_", "good", "token", "", "vk_ak_a b", "vk_ak_é", long.as_str()] {
        assert_eq!(ask(&[("x-api-key", key)]).await.0, 401, "{key}");
    }
    assert_eq!(ask(&[("authorization", "Bearer vk_ak_bad")]).await.0, 401);
}

#[tokio::test]
async fn credentials_in_two_places_are_refused() {
    for headers in [
        [("x-api-key", "vk_ak_good"), ("authorization", "Bearer token")],
        [("x-api-key", "vk_ak_good"), ("x-api-key", "vk_ak_good")],
        [("authorization", "Bearer vk_ak_good"), ("authorization", "Bearer token")],
        [("authorization", "Bearer token"), ("authorization", "Bearer vk_ak_good")],
    ] {
        assert_eq!(ask(&headers).await.0, 400, "{headers:?}");
    }
}

#[tokio::test]
async fn a_key_that_is_good_from_elsewhere_only_is_forbidden_here() {
    let key = [("x-api-key", "vk_ak_here")];

    assert_eq!(ask_from(Ipv4Addr::LOCALHOST, &key).await, (200, "service".to_owned()));
    assert_eq!(ask_from(Ipv4Addr::new(10, 0, 0, 1), &key).await.0, 403);
}
