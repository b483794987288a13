//! `POST /introspect` (RFC 7662)

use reqwest::header::{CACHE_CONTROL, CONTENT_TYPE};
use serde_json::json;

use crate::answer::refused;
use crate::app::App;
use crate::both_engines;
use crate::house::{Engine, House};
use crate::person::Person;

const INACTIVE: &str = r#"{"active":false}"#;

both_engines! {
    async fn a_client_sees_its_own_token_whole(house: House) {
        let client = house.client("till", &[]);
        let token = house.token(&client).await;

        let answer = house.post("/introspect", &client, &[("token", &token)]).send().await.unwrap();

        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()[CONTENT_TYPE], "application/json");
        assert_eq!(answer.headers()[CACHE_CONTROL], "no-store");
        let body: serde_json::Value = answer.json().await.unwrap();
        assert_eq!(body["active"], true);
        assert_eq!(body["sub"], "till");
        assert_eq!(body["client_id"], "till");
        assert_eq!(body["scope"], "read:orders write:orders");
        assert_eq!(body["iss"], house.origin);
        assert_eq!(body["aud"], format!("{}/api", house.origin));
        assert_eq!(body["exp"].as_i64().unwrap() - body["iat"].as_i64().unwrap(), 900);
        assert!(body["jti"].is_string());
    }

    async fn only_a_refresh_token_is_said_to_be_one(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let tokens = app.tokens(&house, &ada, &[]).await;

        let refresh = house.introspect(&app.client, &tokens.refresh).await;
        let access = house.introspect(&app.client, &tokens.access).await;

        assert_eq!((&refresh["active"], &refresh["token_use"]), (&json!(true), &json!("refresh_token")), "{refresh}");
        assert!(refresh.get("token_type").is_none() && refresh.get("aud").is_none(), "{refresh}");
        assert_eq!((&access["active"], &access["token_type"]), (&json!(true), &json!("Bearer")), "{access}");
        assert!(access.get("token_use").is_none(), "{access}");
    }

    async fn of_what_is_not_a_good_token_of_its_own_a_client_learns_nothing(house: House) {
        let (client, stranger) = (house.client("till", &[]), house.client("stranger", &[]));
        let token = house.token(&client).await;
        let revoked = house.token(&stranger).await;
        house.post("/revoke", &stranger, &[("token", &revoked)]).send().await.unwrap();
        let forged = format!("{}{}", &token[..token.len() - 4], "AAAA");
        let long = format!("vk_at_{}", "A".repeat(20_000));

        for text in [&token, &revoked, &forged, &token[6..], "vk_at_", "vk_rt_x", "a.b.c", "nonsense", &long] {
            let answer = house.post("/introspect", &stranger, &[("token", text)]).send().await.unwrap();
            assert_eq!(answer.status(), 200);
            assert_eq!(answer.text().await.unwrap(), INACTIVE, "{text:.40}");
        }
    }

    async fn a_resource_server_sees_the_tokens_of_all(house: House) {
        let guard = house.client("guard", &["--introspect", "any"]);
        let (opaque, signed) = (house.client("till", &[]), house.client("signer", &["--access-token", "jwt"]));

        for client in [&opaque, &signed] {
            let token = house.token(client).await;
            let seen = house.introspect(&guard, &token).await;
            assert_eq!(seen["active"], true);
            assert_eq!(seen["client_id"], client.id);
        }
    }

    async fn tokens_live_on_after_a_restart(house: House) {
        let mut house = house;
        let client = house.client("till", &[]);
        let token = house.token(&client).await;

        assert_eq!(house.stop().await, Some(0));
        house.start().await;

        assert_eq!(house.introspect(&client, &token).await["active"], true);
    }
}

#[tokio::test]
async fn a_caller_must_prove_who_it_is() {
    let house = House::embedded().await;
    let client = house.client("till", &[]);
    let token = house.token(&client).await;
    let public =
        ["client", "add", "--name", "page", "--id", "page", "--public", "--redirect-uri", "https://a.example/"];
    house.json(&public);
    let form = |id: &'static str| house.bare("/introspect").form(&[("token", token.as_str()), ("client_id", id)]);

    refused(house.bare("/introspect").form(&[("token", &token)]), 401, "invalid_client").await;
    refused(house.bare("/introspect").bearer_auth(&token).form(&[("token", &token)]), 401, "invalid_client").await;
    refused(form("page"), 401, "invalid_client").await;
    refused(form("till"), 401, "invalid_client").await;
    refused(house.post("/introspect", &client, &[("token", "")]), 400, "invalid_request").await;
    refused(house.post("/introspect", &client, &[]), 400, "invalid_request").await;
}

#[tokio::test]
async fn an_unfit_hint_is_not_final() {
    let house = House::embedded().await;
    let client = house.client("till", &[]);
    let token = house.token(&client).await;

    for hint in ["refresh_token", "access_token", "pigeon"] {
        let form = [("token", token.as_str()), ("token_type_hint", hint)];
        let answer = house.post("/introspect", &client, &form).send().await.unwrap();
        assert_eq!(answer.json::<serde_json::Value>().await.unwrap()["active"], true, "{hint}");
    }
}

#[tokio::test]
async fn a_signed_token_of_another_issuer_is_not_active() {
    let settings = [("VALETKEY_PUBLIC_URL", "http://127.0.0.1:9")];
    let mut house = House::unstarted(Engine::Sqlite, &settings).await.unwrap();
    house.start().await;
    let client = house.client("till", &["--access-token", "jwt"]);
    let token = house.token(&client).await;
    assert_eq!(house.introspect(&client, &token).await["active"], true);

    house.stop().await;
    house.set("VALETKEY_PUBLIC_URL", "http://127.0.0.1:10");
    house.start().await;

    assert_eq!(house.introspect(&client, &token).await, json!({ "active": false }));
}
