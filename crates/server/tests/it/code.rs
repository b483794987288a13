//! The authorization code: from `/authorize` by way of the pages to `/token`.

use futures_util::future::join_all;
use serde_json::Value;

use crate::answer::refused;
use crate::app::{App, CALLBACK, SCOPE, Tokens, VERIFIER, challenge, userinfo};
use crate::both_engines;
use crate::house::House;
use crate::person::Person;
use crate::refresh::KEY;
use crate::token::succeeds;

both_engines! {
    async fn a_person_lets_an_app_in_and_the_app_gets_its_tokens(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let state = "a b&c=d/%41+\u{e9}#\"'<>";

        let answer = ada.allow(&app, &[("state", state), ("scope", "openid read:orders")]).await;

        assert_eq!(answer.to, CALLBACK);
        assert_eq!(answer.get("state"), Some(state));
        assert_eq!(answer.get("iss"), Some(house.origin.as_str()));
        assert_eq!(answer.get("error"), None);
        let reply = app.redeem(&house, answer.code()).send().await.unwrap();
        assert_eq!(reply.status(), 200);
        assert_eq!(reply.headers()["content-type"], "application/json");
        assert_eq!(reply.headers()["cache-control"], "no-store");
        let tokens = Tokens::read(reply.json().await.unwrap());
        assert!(tokens.access.starts_with("vk_at_") && tokens.refresh.starts_with("vk_rt_"));
        assert_eq!(tokens.body["token_type"], "Bearer");
        assert_eq!(tokens.body["expires_in"], 900);
        assert_eq!(tokens.body["scope"], "openid read:orders");
        assert!(tokens.body["id_token"].is_string());
        let seen = house.introspect(&app.client, &tokens.access).await;
        assert_eq!(seen["active"], true);
        assert_eq!(seen["sub"], userinfo(&house, &tokens.access).await.1["sub"]);
        assert_eq!(seen["aud"], format!("{}/api", house.origin));
    }

    async fn a_replayed_code_is_refused_and_all_that_it_brought_is_dead(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let answer = ada.allow(&app, &[]).await;
        let first = Tokens::read(succeeds(app.redeem(&house, answer.code())).await);
        let other = app.tokens(&house, &ada, &[]).await;

        refused(app.redeem(&house, answer.code()), 400, "invalid_grant").await;

        assert!(!app.is_active(&house, &first.access).await);
        assert!(!app.is_active(&house, &first.refresh).await);
        assert_eq!(userinfo(&house, &first.access).await.0, 401);
        refused(app.refresh(&house, &first.refresh), 400, "invalid_grant").await;
        assert!(app.is_active(&house, &other.access).await, "another session of the same user lives on");
    }

    async fn a_replay_after_a_refresh_ends_the_newer_tokens_too(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let answer = ada.allow(&app, &[]).await;
        let first = Tokens::read(succeeds(app.redeem(&house, answer.code())).await);
        let second = Tokens::read(succeeds(app.refresh(&house, &first.refresh)).await);

        refused(app.redeem(&house, answer.code()), 400, "invalid_grant").await;

        assert!(!app.is_active(&house, &second.access).await);
        assert!(!app.is_active(&house, &second.refresh).await);
    }

    async fn of_twenty_parallel_redemptions_one_succeeds(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let answer = ada.allow(&app, &[]).await;

        let attempts = (0..20).map(|_| app.redeem(&house, answer.code()).send());
        let answers = join_all(attempts).await;

        let mut winners = Vec::new();
        for answer in answers {
            let answer = answer.unwrap();
            let status = answer.status();
            let body: Value = answer.json().await.unwrap();
            if status == 200 {
                winners.push(Tokens::read(body));
            } else {
                assert_eq!((status.as_u16(), &body["error"]), (400, &Value::from("invalid_grant")));
            }
        }
        assert_eq!(winners.len(), 1);
        assert!(!app.is_active(&house, &winners[0].access).await, "nineteen replays ended the session");
        refused(app.refresh(&house, &winners[0].refresh), 400, "invalid_grant").await;
    }

    async fn a_mistake_does_not_burn_the_code(house: House) {
        let (app, other, ada) = (App::new(&house, "app"), App::new(&house, "other"), Person::new(&house, "ada"));
        let answer = ada.allow(&app, &[]).await;
        let code = answer.code();
        let try_with = |name: &str, value: &str| app.redeem_with(&house, &[("code", code), (name, value)]);
        let unproven = [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", CALLBACK)];

        let wrong_secret = house.bare("/token").basic_auth("app", Some("vk_cs_wrong"));
        refused(wrong_secret.form(&unproven), 401, "invalid_client").await;
        refused(house.bare("/token").form(&unproven), 401, "invalid_client").await;
        refused(other.redeem(&house, code), 400, "invalid_grant").await;
        refused(house.post("/token", &app.client, &unproven), 400, "invalid_request").await;
        for wrong in ["x".repeat(43), "x".repeat(128), challenge(VERIFIER), VERIFIER.to_uppercase()] {
            refused(try_with("code_verifier", &wrong), 400, "invalid_grant").await;
        }
        for malformed in ["x".repeat(42), "x".repeat(129), "x".repeat(42) + "=", "x".repeat(43) + " "] {
            refused(try_with("code_verifier", &malformed), 400, "invalid_request").await;
        }
        for elsewhere in ["https://app.example/cb/", "https://app.example/cb?x=1", "https://evil.example/cb", "x"] {
            refused(try_with("redirect_uri", elsewhere), 400, "invalid_grant").await;
        }
        refused(try_with("redirect_uri", ""), 400, "invalid_request").await;

        succeeds(app.redeem(&house, code)).await;
    }
}

#[tokio::test]
async fn a_code_is_nothing_but_a_code() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let tokens = app.tokens(&house, &ada, &[]).await;
    let answer = ada.allow(&app, &[]).await;
    let code = answer.code();
    let page = ada.arrive(&app, &[("prompt", "login")]).await;
    let forged = format!("{}AAAA", &code[..code.len() - 4]);
    let strangers =
        [&tokens.refresh, &tokens.access, &page.field("request").unwrap(), &forged, "x", "vk_at_", "\u{1f511}"];

    for stranger in strangers {
        refused(app.redeem(&house, stranger), 400, "invalid_grant").await;
    }

    refused(app.refresh(&house, code), 400, "invalid_grant").await;
    assert_eq!(userinfo(&house, code).await.0, 401);
    assert!(!app.is_active(&house, code).await);
    assert!(app.is_active(&house, &tokens.access).await);
    succeeds(app.redeem(&house, code)).await;
}

#[tokio::test]
async fn an_app_that_cannot_keep_a_secret_needs_none() {
    let house = House::embedded().await;
    let ada = Person::new(&house, "ada");
    let add = ["client", "add", "--name", "Page", "--id", "page", "--public", "--redirect-uri", CALLBACK];
    house.json(&[&add[..], &["--scope", SCOPE]].concat());
    let page = App { client: crate::house::Registered { id: "page".to_owned(), secret: String::new() } };
    let answer = ada.allow(&page, &[]).await;
    let token = |form: &[(&str, &str)]| house.bare("/token").form(&[form, &[("client_id", "page")]].concat());
    let redeem = [("grant_type", "authorization_code"), ("code", answer.code()), ("redirect_uri", CALLBACK)];

    refused(token(&redeem), 400, "invalid_request").await;
    let tokens = Tokens::read(succeeds(token(&[&redeem[..], &[("code_verifier", VERIFIER)]].concat())).await);

    succeeds(token(&[("grant_type", "refresh_token"), ("refresh_token", &tokens.refresh)])).await;
}

#[tokio::test]
async fn an_app_without_the_refresh_grant_gets_no_refresh_token() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    house.json(&["client", "edit", "app", "--grant", "authorization_code"]);

    let answer = ada.allow(&app, &[("scope", "read:orders")]).await;
    let body = succeeds(app.redeem(&house, answer.code())).await;

    assert!(body.get("refresh_token").is_none() && body.get("id_token").is_none(), "{body}");
    assert!(app.is_active(&house, body["access_token"].as_str().unwrap()).await);
}

#[tokio::test]
async fn a_token_is_for_the_resource_that_was_named() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));

    for resource in [format!("{}/api", house.origin), house.origin.clone()] {
        let tokens = app.tokens(&house, &ada, &[("resource", &resource)]).await;
        let next = Tokens::read(succeeds(app.refresh(&house, &tokens.refresh)).await);
        for token in [&tokens.access, &next.access] {
            assert_eq!(house.introspect(&app.client, token).await["aud"], resource);
        }
    }
    let elsewhere = ada.arrive(&app, &[("resource", "https://elsewhere.example")]).await.answer();
    assert_eq!(elsewhere.error(), "invalid_target");
    assert_eq!(elsewhere.get("state"), Some("s1"));
}

both_engines! {
    async fn another_resource_than_the_one_agreed_on_is_refused_and_costs_nothing(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let (origin, api) = (house.origin.clone(), format!("{}/api", house.origin));
        let refresh = |token: &str, resource: &str| {
            let form = [("grant_type", "refresh_token"), ("refresh_token", token), ("resource", resource)];
            house.post("/token", &app.client, &form)
        };

        for (asked, agreed, other) in [("", &api, &origin), (&*api, &api, &origin), (&*origin, &origin, &api)] {
            let answer = ada.allow(&app, &[("resource", asked)]).await;
            let redeem = |resource: &str| app.redeem_with(&house, &[("code", answer.code()), ("resource", resource)]);
            refused(redeem(other), 400, "invalid_target").await;
            let first = Tokens::read(succeeds(redeem(agreed)).await);
            refused(refresh(&first.refresh, other), 400, "invalid_target").await;
            refused(refresh(&first.refresh, other).header(KEY, "k"), 400, "invalid_target").await;
            let second = Tokens::read(succeeds(refresh(&first.refresh, agreed)).await);
            assert_eq!(house.introspect(&app.client, &second.access).await["aud"], **agreed);

            refused(refresh(&first.refresh, other), 400, "invalid_grant").await;
            assert!(!app.is_active(&house, &second.access).await, "a used token is a reuse first");
        }
    }

    async fn a_used_code_is_a_replay_also_with_another_resource(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let answer = ada.allow(&app, &[]).await;
        let tokens = Tokens::read(succeeds(app.redeem(&house, answer.code())).await);

        let again = app.redeem_with(&house, &[("code", answer.code()), ("resource", &house.origin)]);
        refused(again, 400, "invalid_grant").await;

        assert!(!app.is_active(&house, &tokens.access).await);
    }

    async fn a_code_is_worth_nothing_once_its_consent_is_taken_back(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let answer = ada.allow(&app, &[]).await;
        let csrf = ada.open("/account").await.field("csrf").unwrap();
        ada.send(ada.post("/account", &[("csrf", &csrf), ("withdraw", "app")])).await;

        let refused = app.redeem(&house, answer.code()).send().await.unwrap();

        assert_eq!(refused.status().as_u16(), 400);
        assert_eq!(refused.json::<serde_json::Value>().await.unwrap()["error"], "invalid_grant");
    }

    async fn a_code_is_worth_nothing_once_its_user_signed_out_unless_the_app_may_go_on_alone(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        house.json(&["client", "edit", "app", "--scope", "openid offline_access read:orders"]);
        let bound = ada.allow(&app, &[("scope", "openid")]).await;
        let free = ada.allow(&app, &[("scope", "openid offline_access")]).await;
        let csrf = ada.open("/logout").await.field("csrf").unwrap();
        ada.send(ada.post("/logout", &[("csrf", &csrf)])).await;

        assert_eq!(app.redeem(&house, bound.code()).send().await.unwrap().status().as_u16(), 400);
        assert_eq!(app.redeem(&house, free.code()).send().await.unwrap().status().as_u16(), 200);
    }
}
