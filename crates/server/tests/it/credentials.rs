//! How a client proves itself at `POST /token`, and at every endpoint that asks.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use serde_json::Value;

use crate::answer::refused;
use crate::both_engines;
use crate::house::House;
use crate::token::{raw, succeeds};

fn basic(id: &str, secret: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("{id}:{secret}")))
}

/// Encodes more than is needed, as some libraries do.
fn overencoded(text: &str) -> String {
    text.replace('-', "%2D").replace('_', "%5F")
}

both_engines! {
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

    async fn credentials_are_read_from_the_header_and_from_the_form(house: House) {
        let client = house.client("till-7_a.b", &[]);
        let grant = ("grant_type", "client_credentials");
        let (id, secret) = (client.id.as_str(), client.secret.as_str());

        succeeds(house.bare("/token").header(AUTHORIZATION, basic(id, secret)).form(&[grant])).await;
        let encoded = basic(&overencoded(id), &overencoded(secret));
        succeeds(house.bare("/token").header(AUTHORIZATION, encoded).form(&[grant])).await;
        let shouted = basic(id, secret).replace("Basic", "BASIC");
        succeeds(house.bare("/token").header(AUTHORIZATION, shouted).form(&[grant])).await;
        succeeds(house.bare("/token").form(&[grant, ("client_id", id), ("client_secret", secret)])).await;
        // Some libraries repeat the id beside Basic.
        succeeds(house.post("/token", &client, &[grant, ("client_id", id)])).await;
    }
}

#[tokio::test]
async fn credentials_that_could_be_read_in_two_ways_are_refused() {
    let house = House::embedded().await;
    let client = house.client("till", &[]);
    let grant = ("grant_type", "client_credentials");
    let header = basic(&client.id, &client.secret);

    let both = house.post("/token", &client, &[grant, ("client_id", "till"), ("client_secret", &client.secret)]);
    refused(both, 400, "invalid_request").await;
    refused(house.post("/token", &client, &[grant, ("client_secret", "x")]), 400, "invalid_request").await;
    refused(house.post("/token", &client, &[grant, ("client_id", "other")]), 400, "invalid_request").await;
    let twice = house.bare("/token").header(AUTHORIZATION, &header).header(AUTHORIZATION, &header).form(&[grant]);
    refused(twice, 400, "invalid_request").await;
    refused(
        raw(&house, &client, "grant_type=client_credentials&client_id=till&client_id=other"),
        400,
        "invalid_request",
    )
    .await;
}

#[tokio::test]
async fn whoever_does_not_prove_a_client_gets_401_with_a_challenge() {
    let house = House::embedded().await;
    let client = house.client("till", &[]);
    let grant = [("grant_type", "client_credentials")];
    let token = house.token(&client).await;

    refused(house.bare("/token").form(&grant), 401, "invalid_client").await;
    refused(house.bare("/token").bearer_auth(&token).form(&grant), 401, "invalid_client").await;
    refused(house.bare("/token").form(&[grant[0], ("client_id", "till")]), 401, "invalid_client").await;
    let headers = ["Basic", "Basic !", "Basic dGlsbA==", "Digest x", "", &basic("", &client.secret)];
    for unreadable in headers.into_iter().chain([basic("till", "%zz").as_str(), &basic("till", "")]) {
        let request = house.bare("/token").header(AUTHORIZATION, unreadable).form(&grant);
        refused(request, 401, "invalid_client").await;
    }
}
