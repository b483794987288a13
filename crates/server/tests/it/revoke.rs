//! `POST /revoke` (RFC 7009)

use std::time::Duration;

use reqwest::header::CACHE_CONTROL;
use serde_json::json;

use crate::answer::refused;
use crate::both_engines;
use crate::house::{Engine, House, Registered, eventually};

async fn revoke(house: &House, client: &Registered, form: &[(&str, &str)]) -> u16 {
    let answer = house.post("/revoke", client, form).send().await.unwrap();
    assert_eq!(answer.headers()[CACHE_CONTROL], "no-store");
    answer.status().as_u16()
}

async fn is_active(house: &House, client: &Registered, token: &str) -> bool {
    let seen = house.introspect(client, token).await;
    seen["active"] == true || {
        assert_eq!(seen, json!({ "active": false }));
        false
    }
}

both_engines! {
    async fn a_revoked_token_is_dead_at_once_and_others_live(house: House) {
        for format in ["opaque", "jwt"] {
            let client = house.client(format, &["--access-token", format]);
            let (token, other) = (house.token(&client).await, house.token(&client).await);

            assert_eq!(revoke(&house, &client, &[("token", &token)]).await, 200);

            assert!(!is_active(&house, &client, &token).await);
            assert!(is_active(&house, &client, &other).await);
            assert_eq!(revoke(&house, &client, &[("token", &token)]).await, 200, "a second time");
        }
    }

    async fn what_is_no_token_is_answered_with_success(house: House) {
        let client = house.client("till", &[]);

        for text in ["nonsense", "vk_at_AAAA", "vk_rt_AAAA", "a.b.c", "\u{1f511}"] {
            assert_eq!(revoke(&house, &client, &[("token", text)]).await, 200, "{text}");
        }
    }

    async fn a_token_of_another_client_is_not_revoked(house: House) {
        let (owner, thief) = (house.client("owner", &[]), house.client("thief", &["--introspect", "any"]));
        let token = house.token(&owner).await;

        refused(house.post("/revoke", &thief, &[("token", &token)]), 400, "invalid_grant").await;

        assert!(is_active(&house, &owner, &token).await);
    }

    async fn a_revocation_that_was_answered_outlives_a_power_cut(house: House) {
        let mut house = house;
        let client = house.client("till", &[]);
        let (token, other) = (house.token(&client).await, house.token(&client).await);
        assert_eq!(revoke(&house, &client, &[("token", &token)]).await, 200);

        house.kill();
        house.start().await;

        assert!(!is_active(&house, &client, &token).await);
        assert!(is_active(&house, &client, &other).await);
    }
}

#[tokio::test]
async fn an_unfit_hint_is_not_final() {
    let house = House::embedded().await;
    let client = house.client("till", &[]);

    for hint in ["refresh_token", "access_token", "pigeon", ""] {
        let token = house.token(&client).await;
        assert_eq!(revoke(&house, &client, &[("token", &token), ("token_type_hint", hint)]).await, 200);
        assert!(!is_active(&house, &client, &token).await, "{hint}");
    }
}

#[tokio::test]
async fn a_caller_must_name_itself_and_a_token() {
    let house = House::embedded().await;
    let client = house.client("till", &[]);
    let token = house.token(&client).await;
    let public =
        ["client", "add", "--name", "page", "--id", "page", "--public", "--redirect-uri", "https://a.example/"];
    house.json(&public);
    let unproven = |id: &'static str| house.bare("/revoke").form(&[("token", token.as_str()), ("client_id", id)]);

    refused(house.bare("/revoke").form(&[("token", &token)]), 401, "invalid_client").await;
    refused(unproven("till"), 401, "invalid_client").await;
    refused(unproven("nobody"), 401, "invalid_client").await;
    refused(unproven("page"), 400, "invalid_grant").await;
    refused(house.post("/revoke", &client, &[]), 400, "invalid_request").await;
    refused(house.post("/revoke", &client, &[("token", "")]), 400, "invalid_request").await;

    assert!(is_active(&house, &client, &token).await);
}

/// Two servers that share a database and a public name.
pub async fn pair(introspection: &str) -> Option<(House, House)> {
    let settings = [("VALETKEY_TOKENS_INTROSPECTION", introspection), ("VALETKEY_PUBLIC_URL", "http://127.0.0.1:9")];
    let first = House::with(Engine::Postgres, &settings).await?;
    let mut second = first.neighbour();
    second.start().await;
    Some((first, second))
}

#[tokio::test]
async fn strict_introspection_knows_at_once_what_another_node_revoked() {
    let Some((first, second)) = pair("strict").await else { return };

    for format in ["opaque", "jwt"] {
        let client = first.client(format, &["--access-token", format]);
        for _ in 0..5 {
            let token = first.token(&client).await;
            assert!(is_active(&second, &client, &token).await);
            assert_eq!(revoke(&second, &client, &[("token", &token)]).await, 200);
            assert!(!is_active(&first, &client, &token).await);
        }
    }
}

#[tokio::test]
async fn fast_introspection_knows_within_a_second_what_another_node_revoked() {
    let Some((first, second)) = pair("fast").await else { return };
    let client = first.client("till", &[]);
    let token = first.token(&client).await;
    assert!(is_active(&first, &client, &token).await);

    assert_eq!(revoke(&second, &client, &[("token", &token)]).await, 200);

    assert!(!is_active(&second, &client, &token).await, "on its own node at once");
    eventually(Duration::from_secs(1), async || !is_active(&first, &client, &token).await).await;
}
