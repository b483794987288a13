//! Mutual TLS (RFC 8705) over real sockets: who clients are by their certificates, and tokens bound to them.

mod bound;
mod proxy;

use std::time::Duration;

use reqwest::{Client, Response};
use serde_json::Value;

use crate::certificates::{Authority, Issued};
use crate::house::{Engine, House, eventually};

const ENGINES: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];

/// A server that ends TLS itself, and the authority of its clients.
struct Site {
    house: House,
    authority: Authority,
}

impl Site {
    async fn on(engine: Engine) -> Option<Self> {
        let authority = Authority::new();
        let mut house = House::unstarted(engine, &[]).await?;
        let (certificate, key) = authority.server().write(house.folder());
        let (ca, crl) = (house.folder().join("ca.pem"), house.folder().join("crl.pem"));
        std::fs::write(&ca, authority.pem()).unwrap();
        std::fs::write(&crl, authority.revoked(&[])).unwrap();
        let files = [("CERTIFICATE", &certificate), ("KEY", &key), ("CLIENT_CA", &ca), ("CLIENT_CRL", &crl)];
        for (name, path) in files {
            house.set(&format!("VALETKEY_TLS_{name}"), path.to_str().unwrap());
        }
        house.set("VALETKEY_TLS_CLIENT_CERTIFICATES", "optional");
        house.start().await;
        let (_, port) = house.origin.rsplit_once(':').unwrap();
        house.origin = format!("https://localhost:{port}");
        house.http = http(&authority, None);
        Some(Self { house, authority })
    }

    /// A client of HTTP that shows a certificate.
    fn with(&self, shown: Option<&Issued>) -> Client {
        http(&self.authority, shown)
    }

    /// Asks for a token with nothing but the client's id and a certificate.
    async fn ask(&self, id: &str, shown: Option<&Issued>) -> Response {
        let form = [("grant_type", "client_credentials"), ("client_id", id)];
        self.with(shown).post(format!("{}/token", self.house.origin)).form(&form).send().await.unwrap()
    }

    async fn token(&self, id: &str, shown: &Issued) -> String {
        let answer = self.ask(id, Some(shown)).await;
        assert_eq!(answer.status(), 200);
        let body: Value = answer.json().await.unwrap();
        body["access_token"].as_str().unwrap().to_owned()
    }
}

fn http(trusted: &Authority, shown: Option<&Issued>) -> Client {
    let builder = Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    let builder = builder.tls_certs_only([trusted.trust()]);
    match shown {
        Some(certificate) => builder.identity(certificate.identity()).build().unwrap(),
        None => builder.build().unwrap(),
    }
}

/// Writes a certificate where a command finds it.
fn file(house: &House, certificate: &Issued) -> String {
    // The last bytes belong to the signature, which no two certificates share.
    let name: String = certificate.der.iter().rev().take(8).map(|byte| format!("{byte:02x}")).collect();
    let path = house.folder().join(name).with_extension("pem");
    std::fs::write(&path, &certificate.certificate).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The one answer to everything that is wrong about a client.
async fn is_refused(answer: Response, sentences: &mut Vec<String>) {
    assert_eq!(answer.status(), 401);
    assert!(answer.headers()["www-authenticate"].to_str().unwrap().starts_with("Basic "));
    let body: Value = answer.json().await.unwrap();
    assert_eq!(body["error"], "invalid_client");
    sentences.push(body["detail"].as_str().unwrap_or_else(|| panic!("{body}")).to_owned());
}

#[tokio::test]
async fn a_client_is_known_by_the_names_in_a_certificate_of_the_authority() {
    for engine in ENGINES {
        let Some(site) = Site::on(engine).await else { continue };
        let certificate = site.authority.client_with(|params| {
            params.distinguished_name.push(rcgen::DnType::CommonName, "till 7");
            params.subject_alt_names.push(rcgen::SanType::URI("spiffe://example/till".try_into().unwrap()));
            params.subject_alt_names.push(rcgen::SanType::IpAddress("10.0.0.7".parse().unwrap()));
            params.subject_alt_names.push(rcgen::SanType::Rfc822Name("till@example".try_into().unwrap()));
        });

        for (id, flag, right, wrong) in [
            ("by-dn", "--tls-subject-dn", "CN=till 7", "CN=till 8"),
            ("by-dns", "--tls-san-dns", "client", "other"),
            ("by-uri", "--tls-san-uri", "spiffe://example/till", "spiffe://example/tills"),
            ("by-ip", "--tls-san-ip", "10.0.0.7", "10.0.0.8"),
            ("by-email", "--tls-san-email", "till@example", "till@example.org"),
        ] {
            let made = site.house.client(id, &[flag, right]);
            assert_eq!(made.secret, "", "it has no secret");
            assert_eq!(site.ask(id, Some(&certificate)).await.status(), 200, "{flag}");

            let stranger = format!("{id}-other");
            site.house.client(&stranger, &[flag, wrong]);
            assert_eq!(site.ask(&stranger, Some(&certificate)).await.status(), 401, "{flag}");
        }
    }
}

#[tokio::test]
async fn whatever_is_wrong_with_a_certificate_the_answer_is_one() {
    let site = Site::on(Engine::Sqlite).await.unwrap();
    let house = &site.house;
    let own = Issued::self_signed();
    house.client("vouched", &["--tls-san-dns", "client"]);
    house.client("alone", &["--tls-certificate", &file(house, &own)]);
    let secret = house.client("secret", &[]);
    let (past, future) = (rcgen::date_time_ymd(2020, 1, 1), rcgen::date_time_ymd(2090, 1, 1));
    let expired = site.authority.client_with(|params| params.not_after = past);
    let early = site.authority.client_with(|params| params.not_before = future);
    let server = site.authority.server();
    let mut sentences = Vec::new();

    let foreign = Authority::new().client();
    let pretender = Issued::self_signed();
    for shown in [None, Some(&foreign), Some(&pretender), Some(&expired), Some(&early), Some(&server)] {
        is_refused(site.ask("vouched", shown).await, &mut sentences).await;
    }
    for shown in [None, Some(&pretender), Some(&site.authority.client())] {
        is_refused(site.ask("alone", shown).await, &mut sentences).await;
    }
    is_refused(site.ask("secret", Some(&own)).await, &mut sentences).await;
    is_refused(site.ask("nobody", Some(&own)).await, &mut sentences).await;
    for id in ["vouched", "alone"] {
        let form = [("grant_type", "client_credentials"), ("client_id", id), ("client_secret", &secret.secret)];
        let request = site.with(Some(&own)).post(format!("{}/token", house.origin)).form(&form);
        is_refused(request.send().await.unwrap(), &mut sentences).await;
    }

    sentences.dedup();
    assert_eq!(sentences.len(), 1, "{sentences:?}");
    assert_eq!(site.ask("vouched", Some(&site.authority.client())).await.status(), 200);
    assert_eq!(site.ask("alone", Some(&own)).await.status(), 200);
}

#[tokio::test]
async fn a_registered_certificate_stops_working_once_it_has_expired() {
    let site = Site::on(Engine::Sqlite).await.unwrap();
    let expired = Issued::self_signed_with(|params| params.not_after = rcgen::date_time_ymd(2020, 1, 1));
    site.house.client("alone", &["--tls-certificate", &file(&site.house, &expired)]);

    is_refused(site.ask("alone", Some(&expired)).await, &mut Vec::new()).await;
}

#[tokio::test]
async fn a_changed_registration_takes_effect_within_a_second() {
    for engine in ENGINES {
        let Some(site) = Site::on(engine).await else { continue };
        let (old, new) = (Issued::self_signed(), Issued::self_signed());
        site.house.client("alone", &["--tls-certificate", &file(&site.house, &old)]);
        assert_eq!(site.ask("alone", Some(&old)).await.status(), 200);

        site.house.json(&["client", "edit", "alone", "--tls-certificate", &file(&site.house, &new)]);

        let is_over = async || site.ask("alone", Some(&old)).await.status() == 401;
        eventually(Duration::from_secs(1), is_over).await;
        assert_eq!(site.ask("alone", Some(&new)).await.status(), 200);
    }
}

#[tokio::test]
async fn a_client_goes_back_to_a_secret_only_by_its_registration() {
    let house = House::embedded().await;
    let own = Issued::self_signed();
    house.client("alone", &["--tls-certificate", &file(&house, &own)]);

    let (_, words) = house.fail(&["client", "rotate-secret", "alone"]);
    house.json(&["client", "edit", "alone", "--tls-certificate", "none"]);
    house.json(&["client", "rotate-secret", "alone"]);

    assert!(words.contains("--tls-certificate none"), "{words}");
    let (_, two) = house.fail(&["client", "edit", "alone", "--tls-san-dns", "a", "--tls-san-uri", "b"]);
    assert!(two.contains("cannot be used with"), "{two}");
    for bad in [["--tls-subject-dn", "nonsense"], ["--tls-san-ip", "x"], ["--tls-certificate", "no.pem"]] {
        house.fail(&[&["client", "edit", "alone"][..], &bad].concat());
    }
    let public = ["client", "add", "--name", "p", "--public", "--redirect-uri", "https://a.example/cb"];
    house.fail(&[&public[..], &["--tls-san-dns", "a"]].concat());
}

#[tokio::test]
async fn every_endpoint_for_clients_knows_them_by_their_certificate() {
    let site = Site::on(Engine::Sqlite).await.unwrap();
    let own = Issued::self_signed();
    let path = file(&site.house, &own);
    site.house.client("alone", &["--tls-certificate", &path, "--grant", "device_code", "--introspect", "any"]);
    let token = site.token("alone", &own).await;

    for (path, form) in [
        ("/introspect", [("token", token.as_str())]),
        ("/revoke", [("token", &token)]),
        ("/device/code", [("scope", "")]),
    ] {
        let form: Vec<_> =
            form.into_iter().chain([("client_id", "alone")]).filter(|(_, value)| !value.is_empty()).collect();
        let asked = |shown| site.with(shown).post(format!("{}{path}", site.house.origin)).form(&form).send();

        assert_eq!(asked(None).await.unwrap().status(), 401, "{path}");
        assert_eq!(asked(Some(&own)).await.unwrap().status(), 200, "{path}");
    }
}

#[tokio::test]
async fn metadata_tells_of_certificates_where_they_are_used() {
    let site = Site::on(Engine::Sqlite).await.unwrap();
    let plain = House::embedded().await;

    for (house, is_told) in [(&site.house, true), (&plain, false)] {
        for path in ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"] {
            let document: Value = house.get(path).send().await.unwrap().json().await.unwrap();
            for endpoint in ["token", "introspection", "revocation"] {
                let methods = document[format!("{endpoint}_endpoint_auth_methods_supported")].as_array().unwrap();
                for method in ["tls_client_auth", "self_signed_tls_client_auth"] {
                    assert_eq!(methods.iter().any(|known| known == method), is_told, "{endpoint}");
                }
            }
            let bound = &document["tls_client_certificate_bound_access_tokens"];
            assert_eq!(*bound, if is_told { Value::Bool(true) } else { Value::Null });
        }
    }
}
