//! Whom the edge believes to be the client.

use valetkey::app::edge::Edge;
use valetkey::config::{Config, Origin, Value as _};

use crate::world::World;

fn behind(proxies: &'static str) -> impl FnOnce(&mut Edge) {
    move |edge| {
        edge.trusted_proxies = Vec::parse(proxies).unwrap();
        edge.public = Origin::parse("https://id.example.com").unwrap();
    }
}

async fn ask(world: &World, headers: &[(&str, &str)]) -> (u16, String) {
    let request = world.get("/who");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let answer = request.send().await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

#[tokio::test]
async fn a_spoofed_address_is_ignored() {
    let world = World::start(|_| {}).await;

    let answer = ask(&world, &[("x-forwarded-for", "1.2.3.4"), ("x-forwarded-proto", "https")]).await;

    assert_eq!(answer, (200, "127.0.0.1 Http none 0".to_owned()));
}

#[tokio::test]
async fn a_trusted_proxy_vouches_for_its_client() {
    let world = World::start_on("0.0.0.0:0", behind("127.0.0.0/8")).await;

    let answer = ask(&world, &[("x-forwarded-for", "1.2.3.4, 192.0.2.9"), ("x-forwarded-proto", "https")]).await;

    assert_eq!(answer, (200, "192.0.2.9 Https none 0".to_owned()));
}

#[tokio::test]
async fn plain_http_from_a_stranger_is_misdirected() {
    let world = World::start_on("0.0.0.0:0", behind("10.0.0.0/8")).await;

    assert_eq!(ask(&world, &[("x-forwarded-proto", "https")]).await.0, 421);
}

#[tokio::test]
async fn a_request_that_reached_the_proxy_in_the_clear_is_misdirected() {
    let world = World::start_on("0.0.0.0:0", behind("127.0.0.1")).await;

    let (status, body) = ask(&world, &[("x-forwarded-proto", "http")]).await;

    assert_eq!(status, 421);
    assert!(body.contains("https://"), "{body}");
}

#[tokio::test]
async fn a_public_url_on_loopback_allows_plain_http_behind_a_proxy() {
    let world = World::start_on("0.0.0.0:0", |edge| {
        edge.trusted_proxies = Vec::parse("127.0.0.1").unwrap();
        edge.public = Config::default().origin();
    })
    .await;

    assert_eq!(ask(&world, &[("x-forwarded-proto", "http")]).await.0, 200);
}

#[tokio::test]
async fn whoever_renders_answers_also_renders_refusals() {
    let world = World::start_on("0.0.0.0:0", |edge| {
        behind("10.0.0.0/8")(edge);
        edge.renderer = std::sync::Arc::new(|refusal, asked| {
            axum::response::Response::new(format!("{refusal:?} {}", asked.uri.path()).into())
        });
    })
    .await;

    assert_eq!(ask(&world, &[]).await, (421, "NotAProxy /who".to_owned()));
}

#[tokio::test]
async fn only_https_is_told_to_stay_https() {
    let world = World::start_on("0.0.0.0:0", behind("127.0.0.1")).await;
    let plain = World::start(|_| {}).await;

    let secure = world.get("/").send().await.unwrap();
    let insecure = plain.get("/").send().await.unwrap();

    assert_eq!(secure.headers()["strict-transport-security"], "max-age=63072000");
    assert!(!insecure.headers().contains_key("strict-transport-security"));
}
