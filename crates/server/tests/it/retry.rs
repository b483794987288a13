//! `Idempotency-Key` at `/token`: a retry is not a theft, and neither is a power cut.

use futures_util::future::join_all;
use reqwest::RequestBuilder;

use crate::answer::refused;
use crate::app::{App, Tokens, userinfo};
use crate::both_engines;
use crate::device_code::{GRANT, Television};
use crate::house::{Engine, House};
use crate::person::Person;
use crate::refresh::{KEY, assert_dead, renewed, session};
use crate::token::succeeds;

both_engines! {
    async fn a_retry_with_its_key_gets_the_same_bytes(house: House) {
        let (app, first) = session(&house).await;
        let ask = |key: &str| app.refresh(&house, &first.refresh).header(KEY, key);

        let answers = [ask("k1").send().await.unwrap(), ask("k1").send().await.unwrap(), ask("k1").send().await.unwrap()];
        let mut bodies = Vec::new();
        for answer in answers {
            assert_eq!(answer.status(), 200);
            assert_eq!(answer.headers()["cache-control"], "no-store");
            bodies.push(answer.bytes().await.unwrap());
        }

        assert!(bodies.iter().all(|body| *body == bodies[0]));
        let second = Tokens::read(serde_json::from_slice(&bodies[0]).unwrap());
        let third = renewed(app.refresh(&house, &second.refresh)).await;
        assert!(app.is_active(&house, &third.access).await);
        refused(ask("k2"), 400, "invalid_grant").await;
        assert_dead(&house, &app, &[&third, &second]).await;
    }

    async fn parallel_retries_with_one_key_agree(house: House) {
        let (app, first) = session(&house).await;

        let answers = join_all((0..16).map(|_| app.refresh(&house, &first.refresh).header(KEY, "k").send())).await;

        let mut bodies = Vec::new();
        for answer in answers {
            let answer = answer.unwrap();
            assert_eq!(answer.status(), 200);
            bodies.push(answer.text().await.unwrap());
        }
        assert!(bodies.iter().all(|body| *body == bodies[0]));
        let second = Tokens::read(serde_json::from_str(&bodies[0]).unwrap());
        assert!(app.is_active(&house, &second.access).await);
        renewed(app.refresh(&house, &second.refresh)).await;
    }

    async fn a_kept_answer_revives_nothing(house: House) {
        let (app, first) = session(&house).await;
        let second = renewed(app.refresh(&house, &first.refresh).header(KEY, "k")).await;

        house.post("/revoke", &app.client, &[("token", &second.refresh)]).send().await.unwrap();
        let again = renewed(app.refresh(&house, &first.refresh).header(KEY, "k")).await;

        assert_eq!(again.body, second.body, "nothing new is made");
        assert_dead(&house, &app, &[&second]).await;
    }
}

/// The same request under one key, three times, and what it brings.
async fn thrice(ask: impl Fn() -> RequestBuilder) -> Tokens {
    let bodies = [succeeds(ask()).await, succeeds(ask()).await, succeeds(ask()).await];
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:#?}");
    Tokens::read(bodies[0].clone())
}

both_engines! {
    async fn a_code_whose_answer_was_lost_is_redeemed_again_under_its_key(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let allowed = ada.allow(&app, &[]).await;
        let ask = |key: &str| app.redeem(&house, allowed.code()).header(KEY, key);

        let tokens = thrice(|| ask("k1")).await;

        assert!(app.is_active(&house, &tokens.access).await);
        let stolen = app.redeem_with(&house, &[("code", allowed.code()), ("code_verifier", &"x".repeat(43))]);
        refused(stolen.header(KEY, "k1"), 400, "invalid_grant").await;
        let renewed = renewed(app.refresh(&house, &tokens.refresh)).await;
        assert_eq!(thrice(|| ask("k1")).await.body, tokens.body, "what came after it is not touched");
        refused(ask("k2"), 400, "invalid_grant").await;
        assert_dead(&house, &app, &[&tokens, &renewed]).await;
    }

    async fn redeemed_at_once_under_one_key_a_code_brings_one_answer(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let allowed = ada.allow(&app, &[]).await;

        let ask = || succeeds(app.redeem(&house, allowed.code()).header(KEY, "k"));
        let bodies = join_all((0..16).map(|_| ask())).await;

        assert!(bodies.iter().all(|body| *body == bodies[0]));
        assert!(app.is_active(&house, &Tokens::read(bodies[0].clone()).access).await);
    }

    async fn a_device_whose_answer_was_lost_polls_again_under_its_key(house: House) {
        let (tv, ada) = (Television::new(&house, "tv"), Person::new(&house, "ada"));
        let question = tv.ask(&house).await;
        let ask = |key: &str| tv.poll(&house, &question).header(KEY, key);
        ada.let_in(&question).await;

        let tokens = thrice(|| ask("k1")).await;

        assert_eq!(userinfo(&house, &tokens.access).await.0, 200);
        refused(ask("k2"), 400, "invalid_grant").await;
        assert_eq!(userinfo(&house, &tokens.access).await.0, 401);
    }

    async fn a_device_names_the_api_that_it_was_let_in_for_or_none(house: House) {
        let (tv, ada) = (Television::new(&house, "tv"), Person::new(&house, "ada"));
        let question = tv.ask(&house).await;
        let ask = |resource: &str| {
            let id = tv.client.id.as_str();
            let code = question.device_code.as_str();
            let form = [("grant_type", GRANT), ("client_id", id), ("device_code", code), ("resource", resource)];
            house.bare("/token").form(&form)
        };
        ada.let_in(&question).await;

        refused(ask("https://elsewhere.example/"), 400, "invalid_target").await;
        let tokens = Tokens::read(succeeds(ask(&format!("{}/api", house.origin))).await);

        assert_eq!(userinfo(&house, &tokens.access).await.0, 200);
        refused(ask("https://elsewhere.example/"), 400, "invalid_grant").await;
        assert_eq!(userinfo(&house, &tokens.access).await.0, 401, "a replay is one, whatever comes with it");
    }
}

#[tokio::test]
async fn a_key_must_be_one_short_text() {
    let house = House::embedded().await;
    let (app, first) = session(&house).await;

    for key in ["", " ", &"k".repeat(256)] {
        refused(app.refresh(&house, &first.refresh).header(KEY, key), 400, "invalid_request").await;
    }
    refused(app.refresh(&house, &first.refresh).header(KEY, "a").header(KEY, "b"), 400, "invalid_request").await;

    renewed(app.refresh(&house, &first.refresh).header(KEY, "k".repeat(255))).await;
}

#[tokio::test]
async fn what_was_rotated_stays_rotated_after_a_power_cut() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let settings = [("VALETKEY_PUBLIC_URL", "http://127.0.0.1:9")];
        let Some(mut house) = House::with(engine, &settings).await else { continue };
        let (app, first) = session(&house).await;
        let second = renewed(app.refresh(&house, &first.refresh).header(KEY, "k")).await;

        house.kill();
        house.start().await;

        assert!(app.is_active(&house, &second.refresh).await && !app.is_active(&house, &first.refresh).await);
        let again = renewed(app.refresh(&house, &first.refresh).header(KEY, "k")).await;
        assert_eq!(again.body, second.body, "the answer of the retry was kept too");
        let third = renewed(app.refresh(&house, &second.refresh)).await;
        refused(app.refresh(&house, &first.refresh), 400, "invalid_grant").await;
        assert_dead(&house, &app, &[&third, &second]).await;

        house.kill();
        house.start().await;

        assert_dead(&house, &app, &[&third, &second]).await;
    }
}
