//! `Idempotency-Key` on a refresh: a retry is not a theft, and neither is a power cut.

use futures_util::future::join_all;

use crate::answer::refused;
use crate::app::Tokens;
use crate::both_engines;
use crate::house::{Engine, House};
use crate::refresh::{KEY, assert_dead, renewed, session};

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
