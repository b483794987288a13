//! Handshakes, certificates that change while the server runs, and certificates of clients.

use aws_lc_rs::digest::{SHA256, digest};
use reqwest::ClientBuilder;
use tempfile::TempDir;
use valetkey::app::edge::{Edge, EdgeError, EdgeEvent, Halls, serve};
use valetkey::config::{ClientCertificates, Config};

use crate::certificates::{Authority, Issued};
use crate::world::{World, client, millis, read_all};

struct Secure {
    authority: Authority,
    folder: TempDir,
}

impl Secure {
    fn new() -> Self {
        let secure = Self { authority: Authority::new(), folder: tempfile::tempdir().unwrap() };
        secure.authority.server().write(secure.folder.path());
        secure
    }

    async fn start(&self, change: impl FnOnce(&mut Edge)) -> World {
        World::start(|edge| {
            edge.tls.certificate = Some(self.folder.path().join("certificate.pem"));
            edge.tls.key = Some(self.folder.path().join("key.pem"));
            change(edge);
        })
        .await
    }

    /// A client that trusts this authority.
    fn client(&self) -> ClientBuilder {
        client().tls_certs_only([self.authority.trust()])
    }
}

async fn who(client: ClientBuilder, world: &World) -> String {
    client.build().unwrap().get(world.tls_url("/who")).send().await.unwrap().text().await.unwrap()
}

#[tokio::test]
async fn http_1_and_2_are_spoken_over_tls() {
    let secure = Secure::new();
    let world = secure.start(|_| {}).await;

    let second = secure.client().build().unwrap().get(world.tls_url("/who")).send().await.unwrap();
    let first = secure.client().http1_only().build().unwrap().get(world.tls_url("/who")).send().await.unwrap();

    assert_eq!(second.version(), http::Version::HTTP_2);
    assert_eq!(first.version(), http::Version::HTTP_11);
    assert_eq!(second.headers()["strict-transport-security"], "max-age=63072000");
    assert_eq!(second.text().await.unwrap(), "127.0.0.1 Https none 0");
}

#[tokio::test]
async fn tls_1_2_is_still_spoken() {
    let secure = Secure::new();
    let world = secure.start(|_| {}).await;

    let client = secure.client().tls_version_max(reqwest::tls::Version::TLS_1_2);

    assert_eq!(who(client, &world).await, "127.0.0.1 Https none 0");
}

#[tokio::test]
async fn a_new_certificate_is_used_without_a_restart() {
    let secure = Secure::new();
    let mut world = secure.start(|_| {}).await;
    let next = Authority::new();

    next.server().write(secure.folder.path());
    world.event(|event| *event == EdgeEvent::CertificateReloaded).await;

    let trusting_new = client().tls_certs_only([next.trust()]);
    assert_eq!(who(trusting_new, &world).await, "127.0.0.1 Https none 0");
    let trusting_old = secure.client().build().unwrap().get(world.tls_url("/who")).send().await;
    assert!(trusting_old.is_err(), "the old certificate is no longer shown");
}

#[tokio::test]
async fn a_certificate_that_cannot_be_used_is_refused_and_the_old_one_stays() {
    let secure = Secure::new();
    let mut world = secure.start(|_| {}).await;

    std::fs::write(secure.folder.path().join("certificate.pem"), "not a certificate").unwrap();
    let refused = world.event(|event| matches!(event, EdgeEvent::CertificateRefused { .. })).await;

    assert!(format!("{refused:?}").contains("holds no certificate"), "{refused:?}");
    assert_eq!(who(secure.client(), &world).await, "127.0.0.1 Https none 0");
}

#[tokio::test]
async fn a_certificate_whose_key_comes_later_is_used_once_both_are_there() {
    let secure = Secure::new();
    let mut world = secure.start(|_| {}).await;
    let next = secure.authority.server();

    std::fs::write(secure.folder.path().join("certificate.pem"), &next.certificate).unwrap();
    let refused = world.event(|event| matches!(event, EdgeEvent::CertificateRefused { .. })).await;
    next.write(secure.folder.path());
    world.event(|event| *event == EdgeEvent::CertificateReloaded).await;

    assert!(format!("{refused:?}").contains("is not the key of"), "{refused:?}");
}

#[tokio::test]
async fn a_server_does_not_start_without_a_sound_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::default();
    config.tls.certificate = Some(folder.path().join("none.pem"));
    config.tls.key = config.tls.certificate.clone();

    let refused =
        serve(vec![], axum::Router::new(), Edge::new(&config), Halls::open().unwrap(), async {}).await.unwrap_err();

    assert!(matches!(refused, EdgeError::Tls(_)));
    assert!(refused.to_string().starts_with("tls.certificate: "), "{refused}");
}

#[tokio::test]
async fn a_client_certificate_is_recorded_with_whether_an_authority_vouches_for_it() {
    let secure = Secure::new();
    let clients = Authority::new();
    let ca = secure.folder.path().join("ca.pem");
    std::fs::write(&ca, clients.pem()).unwrap();
    let world = secure
        .start(|edge| {
            edge.tls.client_ca = Some(ca);
            edge.tls.client_certificates = ClientCertificates::Optional;
        })
        .await;

    let cases = [(clients.client(), true), (Issued::self_signed(), false), (Authority::new().client(), false)];
    for (issued, vouched) in cases {
        for version in [reqwest::tls::Version::TLS_1_2, reqwest::tls::Version::TLS_1_3] {
            let client = secure.client().identity(issued.identity()).tls_version_max(version);

            let answer = who(client, &world).await;

            let sha256 = digest(&SHA256, &issued.der);
            assert_eq!(answer, format!("127.0.0.1 Https {:02x?} {vouched} 0", &sha256.as_ref()[..4]));
        }
    }
    assert_eq!(who(secure.client(), &world).await, "127.0.0.1 Https none 0");
}

#[tokio::test]
async fn without_an_authority_no_certificate_is_vouched_for() {
    let secure = Secure::new();
    let world = secure.start(|edge| edge.tls.client_certificates = ClientCertificates::Optional).await;

    let answer = who(secure.client().identity(Issued::self_signed().identity()), &world).await;

    assert!(answer.ends_with(" false 0"), "{answer}");
}

#[tokio::test]
async fn a_handshake_that_takes_too_long_is_ended_and_delays_nobody() {
    let secure = Secure::new();
    let mut world = secure.start(|edge| edge.limits.handshake_timeout = millis(1000)).await;
    let mut silent = world.connect().await;

    let answer = who(secure.client(), &world).await;
    let failed = world.event(|event| matches!(event, EdgeEvent::HandshakeFailed { .. })).await;

    assert_eq!(answer, "127.0.0.1 Https none 0");
    assert!(format!("{failed:?}").contains("took too long"), "{failed:?}");
    assert_eq!(read_all(&mut silent).await, "");
}

#[tokio::test]
async fn a_revoked_certificate_is_not_vouched_for_even_on_an_open_connection() {
    let secure = Secure::new();
    let (ca, crl) = (secure.folder.path().join("ca.pem"), secure.folder.path().join("crl.pem"));
    std::fs::write(&ca, secure.authority.pem()).unwrap();
    std::fs::write(&crl, secure.authority.revoked(&[7])).unwrap();
    let mut world = secure
        .start(|edge| {
            edge.tls.client_certificates = ClientCertificates::Optional;
            edge.tls.client_ca = Some(ca);
            edge.tls.client_crl = Some(crl.clone());
        })
        .await;
    let with_serial = |serial: u64| {
        let issued = secure.authority.client_with(|params| params.serial_number = Some(serial.into()));
        secure.client().identity(issued.identity()).build().unwrap()
    };
    let (revoked, good) = (with_serial(7), with_serial(8));
    let ask =
        async |client: &reqwest::Client| client.get(world.tls_url("/who")).send().await.unwrap().text().await.unwrap();

    assert!(ask(&revoked).await.ends_with("false 0"));
    assert!(ask(&good).await.ends_with("true 0"));
    std::fs::write(&crl, secure.authority.revoked(&[7, 8])).unwrap();
    world.event(|event| *event == EdgeEvent::CertificateReloaded).await;

    // The same connection as before.
    let answer = good.get(world.tls_url("/who")).send().await.unwrap().text().await.unwrap();
    assert!(answer.ends_with("false 0"), "{answer}");
}
