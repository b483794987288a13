//! `POST /token` with a refresh token: each use brings the next one, and a second use ends the session.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::RequestBuilder;
use serde_json::Value;

use crate::answer::refused;
use crate::app::{App, SCOPE, Tokens, userinfo};
use crate::both_engines;
use crate::house::{Engine, House, eventually};
use crate::person::Person;
use crate::token::succeeds;

pub const KEY: &str = "idempotency-key";

/// A session of its own: an app that Ada let in.
pub async fn session(house: &House) -> (App, Tokens) {
    let (app, ada) = (App::new(house, "app"), Person::new(house, "ada"));
    let tokens = app.tokens(house, &ada, &[]).await;
    (app, tokens)
}

/// New tokens for this request.
pub async fn renewed(request: RequestBuilder) -> Tokens {
    Tokens::read(succeeds(request).await)
}

/// Nothing of these works any more.
pub async fn assert_dead(house: &House, app: &App, tokens: &[&Tokens]) {
    for tokens in tokens {
        assert!(!app.is_active(house, &tokens.access).await, "introspection");
        assert!(!app.is_active(house, &tokens.refresh).await, "introspection of the refresh token");
        assert_eq!(userinfo(house, &tokens.access).await.0, 401, "userinfo");
        refused(app.refresh(house, &tokens.refresh), 400, "invalid_grant").await;
    }
}

fn narrowed(house: &House, app: &App, token: &str, scope: &str) -> RequestBuilder {
    let form = [("grant_type", "refresh_token"), ("refresh_token", token), ("scope", scope)];
    house.post("/token", &app.client, &form)
}

both_engines! {
    async fn each_use_brings_a_new_token_and_keeps_the_session(house: House) {
        let (app, first) = session(&house).await;
        let seen = house.introspect(&app.client, &first.refresh).await;
        assert_eq!((&seen["active"], &seen["client_id"]), (&Value::from(true), &Value::from("app")));
        assert_eq!(seen["scope"], SCOPE);
        assert_eq!(seen["exp"].as_i64().unwrap() - seen["iat"].as_i64().unwrap(), 30 * 24 * 3600);

        let second = renewed(app.refresh(&house, &first.refresh)).await;

        assert_ne!(second.access, first.access);
        assert_ne!(second.refresh, first.refresh);
        assert_eq!(second.body["scope"], SCOPE);
        assert!(second.body["id_token"].is_string());
        assert!(!app.is_active(&house, &first.refresh).await, "looking at a used token does not end the session");
        assert!(app.is_active(&house, &first.access).await && app.is_active(&house, &second.access).await);
        let third = renewed(app.refresh(&house, &second.refresh)).await;
        assert!(app.is_active(&house, &third.refresh).await);
        assert_eq!(userinfo(&house, &third.access).await.1["sub"], seen["sub"]);
    }

    async fn a_second_use_ends_the_session_at_once(house: House) {
        let (app, first) = session(&house).await;
        let second = renewed(app.refresh(&house, &first.refresh)).await;
        let third = renewed(app.refresh(&house, &second.refresh)).await;

        refused(app.refresh(&house, &first.refresh), 400, "invalid_grant").await;

        assert_dead(&house, &app, &[&third, &second, &first]).await;
        let listed = house.json(&["session", "list", "--client", "app"]);
        assert!(listed.to_string().contains("refresh_reused"), "{listed}");
    }

    async fn of_32_parallel_refreshes_one_succeeds_and_the_session_is_over(house: House) {
        let (app, first) = session(&house).await;

        let answers = join_all((0..32).map(|_| app.refresh(&house, &first.refresh).send())).await;

        let mut winners = Vec::new();
        for answer in answers {
            let answer = answer.unwrap();
            match answer.status().as_u16() {
                200 => winners.push(Tokens::read(answer.json().await.unwrap())),
                400 => assert_eq!(answer.json::<Value>().await.unwrap()["error"], "invalid_grant"),
                other => panic!("{other}"),
            }
        }
        assert_eq!(winners.len(), 1);
        assert_dead(&house, &app, &[&winners[0], &first]).await;
    }

    async fn the_token_of_another_client_is_refused_and_not_used_up(house: House) {
        let (app, first) = session(&house).await;
        let other = App::new(&house, "other");

        refused(other.refresh(&house, &first.refresh), 400, "invalid_grant").await;
        refused(other.refresh(&house, &first.refresh).header(KEY, "k"), 400, "invalid_grant").await;
        refused(house.post("/revoke", &other.client, &[("token", &first.refresh)]), 400, "invalid_grant").await;
        assert!(!other.is_active(&house, &first.refresh).await, "nor seen");
        let form = [("grant_type", "refresh_token"), ("refresh_token", first.refresh.as_str())];
        let unproven = house.bare("/token").basic_auth("app", Some("vk_cs_wrong")).form(&form);
        refused(unproven, 401, "invalid_client").await;

        let answer = app.refresh(&house, &first.refresh).header(KEY, "k");
        let second = renewed(answer).await;
        refused(other.refresh(&house, &first.refresh).header(KEY, "k"), 400, "invalid_grant").await;
        assert!(app.is_active(&house, &second.refresh).await);
    }

    async fn a_scope_can_be_narrowed_for_once_and_never_widened(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let first = app.tokens(&house, &ada, &[("scope", "openid read:orders")]).await;

        for wider in ["openid read:orders write:orders", "write:orders", "read:payments", "a\"b"] {
            refused(narrowed(&house, &app, &first.refresh, wider), 400, "invalid_scope").await;
            refused(narrowed(&house, &app, &first.refresh, wider).header(KEY, wider.len()), 400, "invalid_scope").await;
        }
        let narrow = renewed(narrowed(&house, &app, &first.refresh, "read:orders")).await;
        let full = renewed(app.refresh(&house, &narrow.refresh)).await;

        assert_eq!(narrow.body["scope"], "read:orders");
        assert!(narrow.body.get("id_token").is_none(), "that is openid's");
        assert_eq!(house.introspect(&app.client, &narrow.access).await["scope"], "read:orders");
        assert_eq!(full.body["scope"], "openid read:orders");
    }

    async fn a_used_token_is_a_reuse_whatever_comes_with_it(house: House) {
        let elsewhere = "https://elsewhere.example/api";
        let wishes = [("scope", "read:payments"), ("scope", "a\"b"), ("resource", elsewhere)];
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));

        for wish in wishes {
            let first = app.tokens(&house, &ada, &[]).await;
            let second = renewed(app.refresh(&house, &first.refresh)).await;
            let form = [("grant_type", "refresh_token"), ("refresh_token", first.refresh.as_str()), wish];

            refused(house.post("/token", &app.client, &form), 400, "invalid_grant").await;

            assert!(!app.is_active(&house, &second.access).await, "{wish:?}");
            let form = [("grant_type", "refresh_token"), ("refresh_token", second.refresh.as_str()), wish];
            refused(house.post("/token", &app.client, &form), 400, "invalid_grant").await;
        }
        assert_eq!(house.json(&["audit", "list", "--kind", "refresh_reused"]).as_array().unwrap().len(), wishes.len());
    }

    async fn revoking_a_refresh_token_ends_the_session(house: House) {
        let (app, first) = session(&house).await;
        let second = renewed(app.refresh(&house, &first.refresh)).await;

        let form = [("token", second.refresh.as_str()), ("token_type_hint", "refresh_token")];
        assert_eq!(house.post("/revoke", &app.client, &form).send().await.unwrap().status(), 200);

        assert_dead(&house, &app, &[&second, &first]).await;
        assert_eq!(house.post("/revoke", &app.client, &form).send().await.unwrap().status(), 200, "a second time");
    }
}

#[tokio::test]
async fn what_is_no_refresh_token_is_refused() {
    let house = House::embedded().await;
    let (app, first) = session(&house).await;
    let forged = format!("{}AAAA", &first.refresh[..first.refresh.len() - 4]);

    for text in [first.access.as_str(), &forged, &first.refresh[6..], "vk_rt_", "vk_rt_AAAA", "x"] {
        refused(app.refresh(&house, text), 400, "invalid_grant").await;
        refused(app.refresh(&house, text).header(KEY, "k"), 400, "invalid_grant").await;
    }
    refused(app.refresh(&house, ""), 400, "invalid_request").await;

    assert!(app.is_active(&house, &first.refresh).await);
}

#[tokio::test]
async fn an_operator_ends_a_session_within_a_second() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(house) = House::on(engine).await else { continue };
        let (app, first) = session(&house).await;
        let listed = house.json(&["session", "list", "--client", "app"]);
        let id = listed[0]["id"].as_str().unwrap_or_else(|| panic!("{listed}"));

        house.json(&["session", "revoke", id]);

        eventually(Duration::from_secs(1), async || !app.is_active(&house, &first.access).await).await;
        assert_dead(&house, &app, &[&first]).await;
    }
}

#[tokio::test]
async fn the_sessions_of_a_removed_client_end() {
    let house = House::embedded().await;
    let (app, first) = session(&house).await;
    let guard = house.client("guard", &["--introspect", "any"]);
    assert_eq!(house.introspect(&guard, &first.access).await["active"], true);

    house.json(&["client", "remove", "app"]);

    eventually(Duration::from_secs(1), async || house.introspect(&guard, &first.access).await["active"] == false).await;
    assert_eq!(house.introspect(&guard, &first.refresh).await["active"], false);
    let status = async || app.refresh(&house, &first.refresh).send().await.unwrap().status();
    eventually(Duration::from_secs(1), async || status().await == 401).await;
    refused(app.refresh(&house, &first.refresh), 401, "invalid_client").await;
    App::new(&house, "app");
    assert_eq!(userinfo(&house, &first.access).await.0, 401, "a new client of that name inherits nothing");
    assert_eq!(house.introspect(&guard, &first.refresh).await["active"], false);
}

#[tokio::test]
async fn what_an_operator_took_from_an_app_is_gone_with_the_next_refresh() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let tokens = app.tokens(&house, &ada, &[]).await;
    house.json(&["client", "edit", "app", "--scope", "openid read:orders"]);
    let is_seen = async || {
        let asked = ada.arrive(&app, &[("scope", "email"), ("prompt", "none")]).await.answer();
        asked.get("error") == Some("invalid_scope")
    };
    eventually(Duration::from_secs(2), is_seen).await;

    let renewed = succeeds(app.refresh(&house, &tokens.refresh)).await;

    assert_eq!(renewed["scope"], "openid read:orders");
}

#[tokio::test]
async fn a_resource_that_is_not_served_here_costs_no_token() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let answer = ada.allow(&app, &[]).await;
    let elsewhere = ("resource", "https://elsewhere.example/api");

    let refused = app.redeem_with(&house, &[("code", answer.code()), elsewhere]).send().await.unwrap();
    assert_eq!(refused.json::<serde_json::Value>().await.unwrap()["error"], "invalid_target");
    let tokens = Tokens::read(succeeds(app.redeem(&house, answer.code())).await);
    let form = [("grant_type", "refresh_token"), ("refresh_token", &*tokens.refresh), elsewhere];
    let refused = house.post("/token", &app.client, &form).send().await.unwrap();
    assert_eq!(refused.json::<serde_json::Value>().await.unwrap()["error"], "invalid_target");
    succeeds(app.refresh(&house, &tokens.refresh)).await;
}
