//! Whom the edge believes to be the client.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use valetkey::app::edge::{Edge, EdgeEvent};
use valetkey::config::{ClientCertificates, Config, Origin, Value as _};

use crate::certificates::{Authority, Issued};
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
async fn whoever_watches_is_no_proxy_and_is_answered_where_nothing_is_told() {
    let world = World::start_on("0.0.0.0:0", |edge| {
        behind("10.0.0.0/8")(edge);
        edge.open = &["/who"];
    })
    .await;

    let watched = ask(&world, &[("x-forwarded-for", "1.2.3.4"), ("x-forwarded-proto", "https")]).await;
    let other = world.get("/who/").send().await.unwrap();

    assert_eq!(watched, (200, "127.0.0.1 Http none 0".to_owned()));
    assert_eq!(other.status(), 421);
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

fn forwarded(certificate: &Issued) -> String {
    format!(":{}:", STANDARD.encode(&certificate.der))
}

fn with_certificates(authority: &Authority, folder: &std::path::Path) -> impl FnOnce(&mut Edge) {
    let path = folder.join("ca.pem");
    std::fs::write(&path, authority.pem()).unwrap();
    move |edge| {
        behind("127.0.0.1")(edge);
        edge.tls.client_certificates = ClientCertificates::Optional;
        edge.tls.client_ca = Some(path);
    }
}

#[tokio::test]
async fn a_trusted_proxy_passes_on_the_certificate_of_its_client() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let world = World::start_on("0.0.0.0:0", with_certificates(&authority, folder.path())).await;
    let (issued, alone) = (authority.client(), Issued::self_signed());

    for (certificate, is_vouched_for) in [(&issued, true), (&alone, false), (&Authority::new().client(), false)] {
        let (status, who) = ask(&world, &[("client-cert", &forwarded(certificate))]).await;

        assert_eq!(status, 200);
        assert!(who.ends_with(&format!("{is_vouched_for} 0")), "{who}");
        assert!(!who.contains("none"), "{who}");
    }
}

#[tokio::test]
async fn nobody_else_passes_on_a_certificate() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let header = forwarded(&authority.client());
    let stranger = World::start(|edge| {
        with_certificates(&authority, folder.path())(edge);
        edge.trusted_proxies = Vec::parse("10.0.0.0/8").unwrap();
    })
    .await;
    let switched_off = World::start_on("0.0.0.0:0", behind("127.0.0.1")).await;

    assert_eq!(ask(&stranger, &[("client-cert", &header)]).await.1, "127.0.0.1 Http none 0");
    assert_eq!(ask(&switched_off, &[("client-cert", &header)]).await.1, "127.0.0.1 Https none 0");
}

#[tokio::test]
async fn a_forwarded_certificate_that_cannot_be_read_is_none_and_is_told() {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let mut world = World::start_on("0.0.0.0:0", with_certificates(&authority, folder.path())).await;
    let good = forwarded(&authority.client());
    let (bare, huge) = (good.trim_matches(':').to_owned(), format!(":{}:", "A".repeat(9_000)));
    let cut = format!("{}:", &good[..good.len() / 2]);

    let bad = [":!!!:", ":AAAA:", ":", "%2D%2D%2D%2D%2DBEGIN", &bare, &huge, &cut];
    for value in bad {
        let answer = ask(&world, &[("client-cert", value)]).await;
        assert_eq!(answer, (200, "127.0.0.1 Https none 0".to_owned()), "{value}");
        world.event(|event| matches!(event, EdgeEvent::ForwardedCertificateRefused { .. })).await;
    }
    let twice = ask(&world, &[("client-cert", &good), ("client-cert", &good)]).await;
    let bad_chain = ask(&world, &[("client-cert", &good), ("client-cert-chain", ":AAAA:")]).await;
    let none = ask(&world, &[("client-cert", "::")]).await;

    let beyond_all_headers = ask(&world, &[("client-cert", &format!(":{}:", "A".repeat(20_000)))]).await;

    assert_eq!(beyond_all_headers.0, 431);
    for answer in [twice, bad_chain, none] {
        assert_eq!(answer, (200, "127.0.0.1 Https none 0".to_owned()));
    }
}
