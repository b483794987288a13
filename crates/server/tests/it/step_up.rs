//! Step-up (RFC 9470): what needs a fresh sign-in, and how an app learns that it must ask for one.

use std::time::Duration;

use serde_json::{Value, json};

use crate::answer::{header, problem};
use crate::api::{self_link, status_of};
use crate::app::{CALLBACK, VERIFIER};
use crate::house::{Engine, House, Registered, eventually};
use crate::jwks::verify;
use crate::person::{self, Person};
use crate::token::succeeds;

const API: &str = "api: { name: shop }
scopes:
  read:things: { description: See things, max_age: 1d }
  write:things: { description: Change things, max_age: 1s }
resources:
  things:
    fields: { state: { enum: [new, old], default: new, readOnly: true } }
    state: state
    actions: { age: { from: new, to: old } }
    scopes: { read: read:things, write: write:things }
";

const SCOPE: &str = "openid read:things write:things";

/// A house with that API, an app, and a token that ada let it have.
async fn let_in(engine: Engine, more: &[&str]) -> Option<(House, Registered, String)> {
    let mut house = House::unstarted(engine, &[]).await?;
    std::fs::write(house.folder().join("api.yaml"), API).unwrap();
    house.set("VALETKEY_API", "api.yaml");
    house.start().await;
    let grants = ["--redirect-uri", CALLBACK, "--grant", "authorization_code", "--grant", "client_credentials"];
    let app = house.client("app", &[&grants[..], &["--scope", SCOPE], more].concat());
    let ada = Person::new(&house, "ada");
    let link = person::link(
        "/authorize",
        &[
            ("response_type", "code"),
            ("client_id", "app"),
            ("redirect_uri", CALLBACK),
            ("scope", SCOPE),
            ("code_challenge", &crate::app::challenge(VERIFIER)),
            ("code_challenge_method", "S256"),
        ],
    );
    let page = ada.sign_in(&ada.open(&link).await).await;
    let answer = ada.decide(&page, "approve").await.answer();
    let form = [
        ("grant_type", "authorization_code"),
        ("code", answer.code()),
        ("redirect_uri", CALLBACK),
        ("code_verifier", VERIFIER),
    ];
    let tokens = succeeds(house.post("/token", &app, &form)).await;
    let access = tokens["access_token"].as_str().unwrap().to_owned();
    Some((house, app, access))
}

#[tokio::test]
async fn what_needs_a_fresh_sign_in_is_refused_with_a_way_out_once_it_is_old() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some((house, app, access)) = let_in(engine, &[]).await else { continue };
        let make =
            |token: &str| house.http.post(format!("{}/api/things", house.origin)).bearer_auth(token).json(&json!({}));
        let itself = house.token(&app).await;
        let made: Value = status_of(make(&itself), 201).await.json().await.unwrap();
        let ask = async |query: &str, token: &str| {
            house.get(&format!("/authz{query}")).bearer_auth(token).send().await.unwrap().status().as_u16()
        };

        eventually(Duration::from_secs(20), async || make(&access).send().await.unwrap().status() == 401).await;

        let refused = make(&access).send().await.unwrap();
        let challenge = header(&refused, "www-authenticate");
        assert!(challenge.contains(r#"error="insufficient_user_authentication""#), "{challenge}");
        assert!(challenge.contains(r#"max_age="1""#) && challenge.contains("resource_metadata="), "{challenge}");
        assert!(problem(refused).await["detail"].as_str().unwrap().contains("sign in again"));
        let path = self_link(&made);
        let shown: Value = succeeds(house.get(&path).bearer_auth(&access)).await;
        assert!(made["links"].get("age").is_some(), "{made}");
        assert!(shown["links"].get("age").is_none(), "what needs a new sign-in is not offered: {shown}");
        assert_eq!(ask("?scope=write:things", &access).await, 401);
        assert_eq!(ask("?scope=read:things", &access).await, 200);
        assert_eq!(ask("?max_age=86400", &access).await, 200);
        assert_eq!(ask("?max_age=1", &access).await, 401);
        assert_eq!(ask("?max_age=1", &itself).await, 200, "a client has no sign-in");
        assert_eq!(ask("?max_age=soon", &access).await, 400);
        assert_eq!(ask("?max_age=86400&max_age=1", &access).await, 400);
        status_of(make(&itself), 201).await;
    }
}

#[tokio::test]
async fn a_token_says_when_and_how_its_user_signed_in() {
    let (house, app, signed) = let_in(Engine::Sqlite, &["--access-token", "es256"]).await.unwrap();
    let itself = house.token(&app).await;

    let (user, client) = (verify(&house, &signed).await.1, verify(&house, &itself).await.1);
    let shown = house.introspect(&app, &signed).await;

    assert!(user["auth_time"].as_i64().unwrap() <= user["iat"].as_i64().unwrap());
    assert_eq!(user["acr"], "1");
    assert_eq!((&shown["auth_time"], &shown["acr"]), (&user["auth_time"], &user["acr"]));
    assert_eq!((client.get("auth_time"), client.get("acr")), (None, None));
}
