//! `POST /token`

use reqwest::header::{CACHE_CONTROL, CONTENT_TYPE, WWW_AUTHENTICATE};
use serde_json::Value;

use crate::both_engines;

both_engines! {
    async fn client_credentials_answer_a_token_that_may_not_be_kept(house: House) {
        let client = house.client("till", &[]);

        let answer = house.post("/token", &client, &[("grant_type", "client_credentials")]).send().await.unwrap();

        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()[CONTENT_TYPE], "application/json");
        assert_eq!(answer.headers()[CACHE_CONTROL], "no-store");
        let body: Value = answer.json().await.unwrap();
        assert!(body["access_token"].as_str().unwrap().starts_with("vk_at_"));
        assert_eq!(body["token_type"], "Bearer");
        assert_eq!(body["expires_in"], 900);
        assert_eq!(body["scope"], "read:orders write:orders");
        assert!(body.get("refresh_token").is_none());
    }

    async fn a_wrong_secret_and_an_unknown_client_get_the_same_answer(house: House) {
        let mut client = house.client("till", &[]);
        client.secret = "wrong".to_owned();
        let mut ghost = house.client("ghost", &[]);
        ghost.id = "nobody".to_owned();
        let mut bodies = Vec::new();

        for caller in [&client, &ghost] {
            let answer = house.post("/token", caller, &[("grant_type", "client_credentials")]).send().await.unwrap();
            assert_eq!(answer.status(), 401);
            assert!(answer.headers()[WWW_AUTHENTICATE].to_str().unwrap().starts_with("Basic "));
            let mut body: Value = answer.json().await.unwrap();
            assert_eq!(body["error"], "invalid_client");
            body["instance"].take();
            bodies.push(body);
        }

        assert_eq!(bodies[0], bodies[1]);
    }
}
