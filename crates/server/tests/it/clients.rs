//! What an operator does to clients beside a running server is seen at its endpoints within one second.

use std::time::Duration;

use serde_json::{Value, json};

use crate::both_engines;
use crate::house::{House, Registered, eventually};

const PROMISED: Duration = Duration::from_secs(1);

async fn status(house: &House, client: &Registered) -> u16 {
    let answer = house.post("/token", client, &[("grant_type", "client_credentials")]).send().await.unwrap();
    answer.status().as_u16()
}

fn rotate(house: &House, client: &Registered, overlap: &str) -> Registered {
    let made = house.json(&["client", "rotate-secret", &client.id, "--overlap", overlap]);
    assert_eq!(made["client_id"], client.id);
    Registered { id: client.id.clone(), secret: made["client_secret"].as_str().unwrap().to_owned() }
}

both_engines! {
    async fn a_client_added_beside_the_server_works_at_once(house: House) {
        let client = house.client("late", &[]);

        assert_eq!(status(&house, &client).await, 200);
    }

    async fn both_secrets_work_while_a_rotation_overlaps(house: House) {
        let old = house.client("till", &[]);
        assert_eq!(status(&house, &old).await, 200);

        let new = rotate(&house, &old, "1h");

        eventually(PROMISED, async || status(&house, &new).await == 200).await;
        assert_eq!(status(&house, &old).await, 200);
        assert_ne!(old.secret, new.secret);
    }

    async fn without_overlap_the_old_secret_is_dead_within_a_second(house: House) {
        let old = house.client("till", &[]);
        assert_eq!(status(&house, &old).await, 200);

        let new = rotate(&house, &old, "0s");

        eventually(PROMISED, async || status(&house, &old).await == 401).await;
        assert_eq!(status(&house, &new).await, 200);
    }

    async fn a_removed_client_and_its_tokens_are_dead_within_a_second(house: House) {
        let guard = house.client("guard", &["--introspect", "any"]);
        let client = house.client("till", &[]);
        let token = house.token(&client).await;
        assert_eq!(house.introspect(&guard, &token).await["active"], true);

        house.json(&["client", "remove", "till"]);

        eventually(PROMISED, async || {
            status(&house, &client).await == 401
                && house.introspect(&guard, &token).await == json!({ "active": false })
        })
        .await;
    }

    async fn a_token_that_is_given_in_the_moment_of_the_removal_is_dead_too(house: House) {
        let guard = house.client("guard", &["--introspect", "any"]);
        let client = house.client("till", &[]);
        house.token(&client).await;
        let mut removal = house.command(&["client", "remove", "till"]).spawn().unwrap();

        let mut given = Vec::new();
        loop {
            let answer = house.post("/token", &client, &[("grant_type", "client_credentials")]).send().await.unwrap();
            if answer.status() == 401 {
                break;
            }
            let body: Value = answer.json().await.unwrap();
            given.push(body["access_token"].as_str().unwrap().to_owned());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(removal.wait().unwrap().success());

        let is_dead = async |token: &String| house.introspect(&guard, token).await == json!({ "active": false });
        eventually(PROMISED, async || is_dead(given.last().unwrap()).await).await;
        for token in given.iter().rev().take(100) {
            assert!(is_dead(token).await);
        }
    }

    async fn a_client_made_again_under_an_old_id_does_not_revive_old_tokens(house: House) {
        let client = house.client("till", &[]);
        let old = house.token(&client).await;
        house.json(&["client", "remove", "till"]);

        let again = house.client("till", &[]);

        eventually(PROMISED, async || status(&house, &again).await == 200).await;
        eventually(PROMISED, async || house.introspect(&again, &old).await == json!({ "active": false })).await;
        let new = house.token(&again).await;
        assert_eq!(house.introspect(&again, &new).await["active"], true);
    }

    async fn a_narrowed_registration_is_obeyed_within_a_second(house: House) {
        let client = house.client("till", &[]);
        house.token(&client).await;

        house.json(&["client", "edit", "till", "--scope", "read:orders"]);

        eventually(PROMISED, async || {
            let wide = [("grant_type", "client_credentials"), ("scope", "write:orders")];
            house.post("/token", &client, &wide).send().await.unwrap().status() == 400
        })
        .await;
    }
}
