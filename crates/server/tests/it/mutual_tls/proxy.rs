//! A proxy ends TLS and passes the certificate on (RFC 9440), and everybody else only pretends to be one.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::{Client, Response};
use serde_json::Value;

use super::file;
use crate::certificates::{Authority, Issued};
use crate::house::{Engine, House};

const PROXY: [u8; 4] = [127, 0, 0, 2];
const STRANGER: [u8; 4] = [127, 0, 0, 3];

async fn behind_a_proxy(authority: &Authority) -> House {
    let mut house = House::unstarted(Engine::Sqlite, &[]).await.unwrap();
    let ca = house.folder().join("ca.pem");
    std::fs::write(&ca, authority.pem()).unwrap();
    house.set("VALETKEY_TLS_CLIENT_CA", ca.to_str().unwrap());
    house.set("VALETKEY_TLS_CLIENT_CERTIFICATES", "optional");
    house.set("VALETKEY_TRUSTED_PROXIES", "127.0.0.2");
    house.start().await;
    house
}

fn from(address: [u8; 4]) -> Client {
    Client::builder().no_proxy().local_address(Some(address.into())).build().unwrap()
}

fn header(certificate: &Issued) -> String {
    format!(":{}:", STANDARD.encode(&certificate.der))
}

async fn ask(house: &House, address: [u8; 4], id: &str, certificate: &str) -> Response {
    let form = [("grant_type", "client_credentials"), ("client_id", id)];
    let request = from(address).post(format!("{}/token", house.origin)).form(&form);
    request.header("Client-Cert", certificate).send().await.unwrap()
}

#[tokio::test]
async fn the_certificate_that_a_trusted_proxy_passes_on_counts() {
    let authority = Authority::new();
    let house = behind_a_proxy(&authority).await;
    let (issued, own, other) = (authority.client(), Issued::self_signed(), Issued::self_signed());
    house.client("vouched", &["--tls-san-dns", "client", "--bind-tokens", "on"]);
    house.client("alone", &["--tls-certificate", &file(&house, &own)]);

    assert_eq!(ask(&house, PROXY, "alone", &header(&own)).await.status(), 200);
    assert_eq!(ask(&house, PROXY, "alone", &header(&other)).await.status(), 401);
    assert_eq!(ask(&house, PROXY, "vouched", &header(&own)).await.status(), 401, "nobody vouches for it");
    let answer: Value = ask(&house, PROXY, "vouched", &header(&issued)).await.json().await.unwrap();

    let token = answer["access_token"].as_str().unwrap();
    let used = async |address, certificate: Option<&Issued>| {
        let request = from(address).get(format!("{}/api/orders", house.origin)).bearer_auth(token);
        let request = certificate
            .map(|shown| request.try_clone().unwrap().header("Client-Cert", header(shown)))
            .unwrap_or(request);
        request.send().await.unwrap().status().as_u16()
    };
    assert_eq!(used(PROXY, Some(&issued)).await, 200);
    assert_eq!(used(PROXY, Some(&own)).await, 401);
    assert_eq!(used(PROXY, None).await, 401);
    assert_eq!(used(STRANGER, Some(&issued)).await, 401, "a stranger wrote the header");
}

#[tokio::test]
async fn a_stranger_is_not_believed() {
    let authority = Authority::new();
    let house = behind_a_proxy(&authority).await;
    let own = Issued::self_signed();
    house.client("vouched", &["--tls-san-dns", "client"]);
    house.client("alone", &["--tls-certificate", &file(&house, &own)]);

    assert_eq!(ask(&house, STRANGER, "alone", &header(&own)).await.status(), 401);
    assert_eq!(ask(&house, STRANGER, "vouched", &header(&authority.client())).await.status(), 401);
}

#[tokio::test]
async fn expired_and_unreadable_certificates_are_none() {
    let authority = Authority::new();
    let house = behind_a_proxy(&authority).await;
    let past = rcgen::date_time_ymd(2020, 1, 1);
    let expired = Issued::self_signed_with(|params| params.not_after = past);
    house.client("vouched", &["--tls-san-dns", "client"]);
    house.client("alone", &["--tls-certificate", &file(&house, &expired)]);
    let late = authority.client_with(|params| params.not_after = past);

    assert_eq!(ask(&house, PROXY, "alone", &header(&expired)).await.status(), 401);
    assert_eq!(ask(&house, PROXY, "vouched", &header(&late)).await.status(), 401);
    for garbage in ["", ":", "::", ":!:", ":AAAA:", "garbage", &format!(":{}:", "MIIB".repeat(2500))] {
        assert_eq!(ask(&house, PROXY, "vouched", garbage).await.status(), 401, "{garbage}");
    }
    assert!(house.log().contains("client certificate that cannot be read"), "{}", house.log());
}

#[tokio::test]
async fn without_the_setting_even_a_trusted_proxy_passes_on_nothing() {
    let house = House::with(Engine::Sqlite, &[("VALETKEY_TRUSTED_PROXIES", "127.0.0.2")]).await.unwrap();
    let own = Issued::self_signed();
    house.client("alone", &["--tls-certificate", &file(&house, &own)]);

    assert_eq!(ask(&house, PROXY, "alone", &header(&own)).await.status(), 401);
}
