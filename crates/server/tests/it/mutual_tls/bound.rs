//! Access tokens that are good only together with a certificate, and what a thief gets for one.

use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Response;
use serde_json::Value;

use super::{ENGINES, Site};
use crate::app::{App, CALLBACK, Tokens, VERIFIER};
use crate::certificates::Issued;
use crate::house::{Engine, Registered, eventually};
use crate::person::Person;

/// Where access tokens are used.
const USES: [&str; 3] = ["/api/orders", "/authz", "/userinfo"];

fn thumbprint(certificate: &Issued) -> String {
    URL_SAFE_NO_PAD.encode(digest(&SHA256, &certificate.der))
}

async fn used(site: &Site, path: &str, token: &str, shown: Option<&Issued>) -> Response {
    site.with(shown).get(format!("{}{path}", site.house.origin)).bearer_auth(token).send().await.unwrap()
}

#[tokio::test]
async fn a_stolen_token_opens_nothing_without_the_certificate() {
    for engine in ENGINES {
        let Some(site) = Site::on(engine).await else { continue };
        for format in ["opaque", "jwt"] {
            let (own, other) = (site.authority.client(), site.authority.client());
            site.house.client(format, &["--tls-san-dns", "client", "--bind-tokens", "on", "--access-token", format]);
            let token = site.token(format, &own).await;

            // Userinfo knows the token, and has nothing to say of a client: that is another refusal.
            for (path, status) in USES.into_iter().zip([200, 200, 403]) {
                assert_eq!(used(&site, path, &token, Some(&own)).await.status(), status, "{path}");
                for thief in [None, Some(&other)] {
                    let refusal = used(&site, path, &token, thief).await;
                    assert_eq!(refusal.status(), 401, "{path}");
                    let challenge = refusal.headers()["www-authenticate"].to_str().unwrap();
                    assert!(challenge.contains("error=\"invalid_token\""), "{challenge}");
                }
            }
        }
    }
}

#[tokio::test]
async fn a_revoked_certificate_proves_nothing_any_more_and_its_tokens_are_worth_nothing() {
    let site = Site::on(Engine::Sqlite).await.unwrap();
    let own = site.authority.client_with(|params| params.serial_number = Some(7_u64.into()));
    let path = super::file(&site.house, &own);
    site.house.client("named", &["--tls-san-dns", "client", "--bind-tokens", "on"]);
    site.house.client("pinned", &["--tls-certificate", &path]);
    let token = site.token("named", &own).await;
    assert_eq!(site.ask("pinned", Some(&own)).await.status(), 200);
    assert_eq!(used(&site, "/api/orders", &token, Some(&own)).await.status(), 200);

    std::fs::write(site.house.folder().join("crl.pem"), site.authority.revoked(&[7])).unwrap();

    let is_refused = async || used(&site, "/api/orders", &token, Some(&own)).await.status() == 401;
    eventually(Duration::from_secs(30), is_refused).await;
    // What else is sent along cannot hide it, such as an authority of the same name whose time is over.
    let namesake = Issued::self_signed_with(|params| {
        params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        params.not_after = rcgen::date_time_ymd(2024, 1, 1);
    });
    let hidden = Issued { certificate: format!("{}{}", own.certificate, namesake.certificate), ..own.clone() };
    for shown in [&own, &hidden] {
        for id in ["named", "pinned"] {
            assert_eq!(site.ask(id, Some(shown)).await.status(), 401, "{id}");
        }
        assert_eq!(used(&site, "/api/orders", &token, Some(shown)).await.status(), 401);
    }
}

#[tokio::test]
async fn introspection_and_the_claims_of_a_jwt_name_the_certificate() {
    let site = Site::on(Engine::Sqlite).await.unwrap();
    let own = site.authority.client();
    site.house.client("signed", &["--tls-san-dns", "client", "--bind-tokens", "--access-token", "jwt"]);
    let guard = site.house.client("guard", &["--introspect", "any"]);

    let token = site.token("signed", &own).await;
    let told = site.house.introspect(&guard, &token).await;
    let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();

    assert_eq!(told["cnf"]["x5t#S256"], thumbprint(&own));
    assert_eq!(claims["cnf"]["x5t#S256"], thumbprint(&own));
    assert_eq!(told["active"], true);
}

#[tokio::test]
async fn a_client_with_a_secret_can_bind_its_tokens_as_well() {
    let site = Site::on(Engine::Sqlite).await.unwrap();
    let own = Issued::self_signed();
    let till = site.house.client("till", &["--bind-tokens", "on"]);
    let asked = |shown| {
        let request = site.with(shown).post(format!("{}/token", site.house.origin));
        request.basic_auth(&till.id, Some(&till.secret)).form(&[("grant_type", "client_credentials")]).send()
    };

    let without = asked(None).await.unwrap();
    let with: Value = asked(Some(&own)).await.unwrap().json().await.unwrap();

    assert_eq!(without.status(), 400);
    let without: Value = without.json().await.unwrap();
    assert_eq!(without["error"], "invalid_request");
    let token = with["access_token"].as_str().unwrap();
    assert_eq!(used(&site, "/authz", token, Some(&own)).await.status(), 200);
    assert_eq!(used(&site, "/authz", token, None).await.status(), 401);
}

#[tokio::test]
async fn the_refresh_token_of_a_public_app_is_bound_as_well() {
    for engine in ENGINES {
        let Some(site) = Site::on(engine).await else { continue };
        let (own, other, origin) = (Issued::self_signed(), Issued::self_signed(), &site.house.origin);
        let add = ["client", "add", "--name", "Phone", "--id", "phone", "--public", "--redirect-uri", CALLBACK];
        site.house.json(&[&add[..], &["--scope", "openid read:orders", "--bind-tokens", "on"]].concat());
        let app = App { client: Registered { id: "phone".to_owned(), secret: String::new() } };
        let code =
            Person::new(&site.house, "ada").allow(&app, &[("scope", "openid read:orders")]).await.code().to_owned();
        let ask = |shown, form: Vec<(&'static str, String)>| {
            let form: Vec<_> = form.into_iter().chain([("client_id", "phone".to_owned())]).collect();
            site.with(shown).post(format!("{origin}/token")).form(&form).send()
        };
        let redeem = || {
            let kind = ("grant_type", "authorization_code".to_owned());
            vec![
                kind,
                ("code", code.clone()),
                ("redirect_uri", CALLBACK.to_owned()),
                ("code_verifier", VERIFIER.to_owned()),
            ]
        };
        let refresh =
            |token: &str| vec![("grant_type", "refresh_token".to_owned()), ("refresh_token", token.to_owned())];

        assert_eq!(ask(None, redeem()).await.unwrap().status(), 400);
        let first = Tokens::read(ask(Some(&own), redeem()).await.unwrap().json().await.unwrap());
        for thief in [None, Some(&other)] {
            let refusal = ask(thief, refresh(&first.refresh)).await.unwrap();
            assert_eq!(refusal.status(), 400);
            assert_eq!(used(&site, "/userinfo", &first.access, thief).await.status(), 401);
        }
        let second = Tokens::read(ask(Some(&own), refresh(&first.refresh)).await.unwrap().json().await.unwrap());

        assert_eq!(used(&site, "/userinfo", &second.access, Some(&own)).await.status(), 200);
        assert_eq!(used(&site, "/userinfo", &second.access, Some(&other)).await.status(), 401);
    }
}
