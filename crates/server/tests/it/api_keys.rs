//! API keys: made, shown once, used in both places, renewed, taken back.

use std::time::Duration;

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::answer::{header, problem};
use crate::both_engines;
use crate::house::{House, eventually};

/// A command takes effect within one second, and a test may be a little late itself.
const PROMISED: Duration = Duration::from_millis(1500);

/// A fresh key: its id and itself.
pub fn key(house: &House, more: &[&str]) -> (String, String) {
    let made = house.json(&[&["apikey", "add", "--name", "billing"], more].concat());
    (made["id"].as_str().unwrap().to_owned(), made["key"].as_str().unwrap().to_owned())
}

async fn status(request: RequestBuilder) -> u16 {
    request.send().await.unwrap().status().as_u16()
}

fn orders(house: &House, key: &str) -> RequestBuilder {
    house.get("/api/orders").header("x-api-key", key)
}

fn listed(house: &House, id: &str) -> Value {
    let keys = house.json(&["apikey", "list"]);
    keys.as_array().unwrap().iter().find(|key| key["id"] == id).unwrap().clone()
}

both_engines! {
    async fn a_key_opens_what_its_scopes_name_in_either_header(house: House) {
        let (_, key) = key(&house, &["--scope", "read:orders", "--scope", "read:users write:users"]);

        assert!(key.starts_with("vk_ak_") && key.len() == 6 + 43, "{key}");
        assert_eq!(status(orders(&house, &key)).await, 200);
        assert_eq!(status(house.get("/api/orders").bearer_auth(&key)).await, 200);
        let user = json!({ "name": "Ada", "email": "ada@example.org" });
        assert_eq!(status(house.bare("/api/users").header("x-api-key", &key).json(&user)).await, 201);
        let refused = house.bare("/api/orders").header("x-api-key", &key).json(&json!({ "amount": 1 }));
        let refused = refused.send().await.unwrap();
        assert_eq!(refused.status(), 403);
        assert!(header(&refused, "www-authenticate").contains("scope=\"write:orders\""));
        problem(refused).await;
    }

    async fn a_key_is_never_shown_again(house: House) {
        let (id, key) = key(&house, &["--scope", "read:orders"]);

        let list = house.json(&["apikey", "list"]).to_string();
        let table = String::from_utf8(house.run(&["apikey", "list"]).stdout).unwrap();

        assert!(list.contains(&id) && !list.contains(&key[6..]), "{list}");
        assert!(table.contains(&id) && !table.contains(&key[6..]), "{table}");
    }

    async fn a_rotated_key_works_on_for_the_overlap_and_no_longer(house: House) {
        let (id, old) = key(&house, &["--scope", "read:orders"]);
        let renewed = house.json(&["apikey", "rotate", &id]);
        let new = renewed["key"].as_str().unwrap().to_owned();
        assert_eq!(renewed["id"], id.as_str());
        assert_ne!(old, new);

        eventually(PROMISED, async || status(orders(&house, &new)).await == 200).await;
        assert_eq!(status(orders(&house, &old)).await, 200);

        let last = house.json(&["apikey", "rotate", &id, "--overlap", "0s"])["key"].as_str().unwrap().to_owned();
        eventually(PROMISED, async || status(orders(&house, &new)).await == 401).await;
        eventually(PROMISED, async || status(orders(&house, &old)).await == 401).await;
        assert_eq!(status(orders(&house, &last)).await, 200);
    }

    async fn a_revoked_key_is_dead_within_a_second_and_stays_on_record(house: House) {
        let (id, key) = key(&house, &["--scope", "read:orders"]);
        assert_eq!(status(orders(&house, &key)).await, 200);

        house.json(&["apikey", "revoke", &id]);

        eventually(PROMISED, async || status(orders(&house, &key)).await == 401).await;
        let refusal = orders(&house, &key).send().await.unwrap();
        assert!(header(&refusal, "www-authenticate").contains("error=\"invalid_token\""));
        problem(refusal).await;
        assert_eq!(listed(&house, &id)["state"], "revoked");
        let (code, words) = house.fail(&["apikey", "rotate", &id]);
        assert!(code == 1 && words.contains("was revoked"), "{words}");
        let (code, words) = house.fail(&["apikey", "revoke", "00000000-0000-0000-0000-000000000000"]);
        assert!(code == 1 && words.contains("apikey list"), "{words}");
    }

    async fn an_expired_key_is_dead(house: House) {
        let (id, key) = key(&house, &["--scope", "read:orders", "--expires", "1s"]);

        eventually(Duration::from_secs(3), async || status(orders(&house, &key)).await == 401).await;

        assert_eq!(listed(&house, &id)["state"], "expired");
    }

    async fn a_key_works_from_its_addresses_only(house: House) {
        let (_, here) = key(&house, &["--scope", "read:orders", "--from", "127.0.0.0/8"]);
        let (_, elsewhere) = key(&house, &["--scope", "read:orders", "--from", "10.0.0.1", "--from", "2001:db8::/32"]);

        assert_eq!(status(orders(&house, &here)).await, 200);
        // Nobody here is a trusted proxy: what the caller says of its address is not believed.
        let claimed = orders(&house, &elsewhere).header("x-forwarded-for", "10.0.0.1").header("forwarded", "for=10.0.0.1");
        let refused = claimed.send().await.unwrap();
        assert_eq!(refused.status(), 403);
        assert!(problem(refused).await["detail"].as_str().unwrap().contains("address"));
    }

    async fn the_last_use_is_on_record_soon_after(house: House) {
        let (id, key) = key(&house, &["--scope", "read:orders"]);
        assert_eq!(listed(&house, &id)["last_used_at"], Value::Null);

        assert_eq!(status(orders(&house, &key)).await, 200);

        eventually(Duration::from_secs(10), async || listed(&house, &id)["last_used_at"].is_string()).await;
    }

    async fn two_credentials_are_one_too_many(house: House) {
        let (_, key) = key(&house, &["--scope", "read:orders"]);

        assert_eq!(status(orders(&house, &key).bearer_auth(&key)).await, 400);
        assert_eq!(status(orders(&house, &key).header("x-api-key", &key)).await, 400);
        assert_eq!(status(house.get(&format!("/api/orders?access_token={key}"))).await, 400);
        for wrong in ["vk_ak_", "vk_ak_guess", "guess", ""] {
            assert_eq!(status(orders(&house, wrong)).await, 401, "{wrong:?}");
        }
        assert!(!house.log().contains(&key[6..]), "the log must not hold a key");
    }

    async fn a_key_follows_the_version_that_it_is_pinned_to(house: House) {
        let (_, key) = key(&house, &["--scope", "read:orders", "--api-version", "1"]);

        let answer = orders(&house, &key).send().await.unwrap();
        let lost = house.get("/api/nothing").header("x-api-key", &key).send().await.unwrap();

        assert_eq!(header(&answer, "x-api-version"), "1");
        assert_eq!((lost.status().as_u16(), header(&lost, "x-api-version").as_str()), (404, "1"));
    }
}

#[tokio::test]
async fn a_mistaken_command_says_what_to_write() {
    let house = House::embedded().await;

    for (arguments, words) in [
        (vec!["--name", ""], "needs a name"),
        (vec!["--name", "x", "--from", "everywhere"], "10.1.0.0/16"),
        (vec!["--name", "x", "--expires", "soon"], "--expires soon"),
        (vec!["--name", "x", "--scope", "a\"b"], "--scope"),
        (vec!["--name", "x", "--api-version", "77"], "The API declares 0 (removed on 2026-03-01), 1, 2."),
    ] {
        let (_, said) = house.fail(&[&["apikey", "add"], &arguments[..]].concat());
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    let made = house.run(&["apikey", "add", "--name", "x"]);
    assert!(String::from_utf8(made.stdout).unwrap().contains("It has no scope"));
}

#[tokio::test]
async fn a_key_whose_time_is_over_is_not_renewed() {
    let house = House::embedded().await;
    let (id, _) = key(&house, &["--expires", "1s"]);

    let is_refused = async || !house.run(&["apikey", "rotate", &id]).status.success();
    eventually(Duration::from_secs(20), is_refused).await;

    let (_, words) = house.fail(&["apikey", "rotate", &id]);
    assert!(words.contains("has expired") && words.contains("apikey add"), "{words}");
}
