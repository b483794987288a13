//! `GET` and `POST /userinfo`

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::answer::{header, problem};
use crate::app::{App, userinfo};
use crate::both_engines;
use crate::house::House;
use crate::person::Person;

/// A request that must be refused, with a challenge for bearers.
async fn challenged(request: RequestBuilder, status: u16, error: &str) -> Value {
    let answer = request.send().await.unwrap();
    let challenge = header(&answer, "www-authenticate");
    assert_eq!(answer.status(), status, "{}", answer.text().await.unwrap());
    assert!(challenge.starts_with("Bearer ") && challenge.contains(&format!("error=\"{error}\"")), "{challenge}");
    let problem = problem(answer).await;
    assert_eq!(problem["error"], error);
    problem
}

both_engines! {
    async fn claims_follow_the_scope(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));

        let bare = app.tokens(&house, &ada, &[("scope", "openid")]).await;
        let email = app.tokens(&house, &ada, &[("scope", "openid email")]).await;
        let profile = app.tokens(&house, &ada, &[("scope", "profile openid")]).await;

        let (_, bare) = userinfo(&house, &bare.access).await;
        let sub = bare["sub"].as_str().unwrap();
        assert_eq!(bare, json!({ "sub": sub }));
        let (_, email) = userinfo(&house, &email.access).await;
        // An operator added the account, and vouches for its address.
        assert_eq!(email, json!({ "sub": sub, "email": "ada@example.org", "email_verified": true }));
        let (_, profile) = userinfo(&house, &profile.access).await;
        assert_eq!((&profile["name"], &profile["preferred_username"]), (&json!("Ada Lovelace"), &json!("ada")));
        assert!(profile["updated_at"].is_i64() && profile.get("email").is_none(), "{profile}");
    }

    async fn a_token_is_taken_from_the_header_or_from_a_form(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let token = app.tokens(&house, &ada, &[]).await.access;

        let requests = [
            house.get("/userinfo").bearer_auth(&token),
            house.get("/userinfo").header("authorization", format!("bearer {token}")),
            house.bare("/userinfo").bearer_auth(&token),
            house.bare("/userinfo").form(&[("access_token", &token)]),
        ];

        let mut told = Vec::new();
        for request in requests {
            let answer = request.send().await.unwrap();
            assert_eq!(answer.status(), 200);
            assert_eq!(header(&answer, "content-type"), "application/json");
            assert_eq!(header(&answer, "cache-control"), "no-store");
            told.push(answer.json::<Value>().await.unwrap());
        }
        assert!(told.iter().all(|claims| *claims == told[0] && claims["sub"].is_string()));
    }

    async fn a_token_that_is_not_good_is_challenged(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let tokens = app.tokens(&house, &ada, &[]).await;
        let machine = house.client("till", &[]);
        let get = |token: &str| house.get("/userinfo").bearer_auth(token);
        assert_eq!(get(&tokens.access).send().await.unwrap().status(), 200);

        challenged(get(&tokens.refresh), 401, "invalid_token").await;
        challenged(get("x"), 401, "invalid_token").await;
        challenged(get(&format!("{}AAAA", &tokens.access[..tokens.access.len() - 4])), 401, "invalid_token").await;
        challenged(house.get("/userinfo").basic_auth("app", Some(&app.client.secret)), 401, "invalid_token").await;
        challenged(get(&house.token(&machine).await), 403, "insufficient_scope").await;
        let without = app.tokens(&house, &ada, &[("scope", "profile read:orders")]).await;
        challenged(get(&without.access), 403, "insufficient_scope").await;
        house.post("/revoke", &app.client, &[("token", &tokens.access)]).send().await.unwrap();
        challenged(get(&tokens.access), 401, "invalid_token").await;
        challenged(house.bare("/userinfo").form(&[("access_token", &tokens.access)]), 401, "invalid_token").await;
    }
}

#[tokio::test]
async fn no_token_and_two_tokens_are_refused() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let token = app.tokens(&house, &ada, &[]).await.access;

    for request in [house.get("/userinfo"), house.bare("/userinfo"), house.bare("/userinfo").form(&[("x", "y")])] {
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), 401);
        // RFC 6750 §3.1: who brings nothing has made no error yet.
        assert_eq!(header(&answer, "www-authenticate"), "Bearer realm=\"valetkey\"");
        problem(answer).await;
    }
    let both = house.bare("/userinfo").bearer_auth(&token).form(&[("access_token", &token)]);
    let twice = house.get("/userinfo").bearer_auth(&token).bearer_auth(&token);
    let form = house.bare("/userinfo").form(&[("access_token", &token), ("access_token", &token)]);
    let said = "access token came more than once";
    for (request, said) in [(both, said), (twice, said), (form, "parameter access_token is given more than once.")] {
        let problem = challenged(request, 400, "invalid_request").await;
        assert!(problem["detail"].as_str().unwrap().contains(said), "{problem}");
    }
    let in_url = house.get(&format!("/userinfo?access_token={token}")).send().await.unwrap();
    assert_eq!(in_url.status(), 400);
    problem(in_url).await;
}

#[tokio::test]
async fn a_form_that_is_too_large_is_said_to_be() {
    let house = House::embedded().await;
    let padding = "y".repeat(65_537);

    for request in [house.bare("/userinfo"), house.bare("/userinfo").bearer_auth("vk_at_x")] {
        let answer = request.form(&[("access_token", "vk_at_x"), ("x", &padding)]).send().await.unwrap();
        assert_eq!(answer.status(), 413);
        assert_eq!(problem(answer).await["error"], "invalid_request");
    }
}

#[tokio::test]
async fn a_signed_access_token_opens_it_too() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    house.json(&["client", "edit", "app", "--access-token", "jwt"]);
    let mut token = String::new();
    crate::house::eventually(std::time::Duration::from_secs(2), async || {
        token = app.tokens(&house, &ada, &[]).await.access;
        token.contains('.')
    })
    .await;

    let (status, told) = userinfo(&house, &token).await;

    assert_eq!((status, &told["email"]), (200, &json!("ada@example.org")));
    let id_token = app.tokens(&house, &ada, &[]).await.body["id_token"].as_str().unwrap().to_owned();
    assert_eq!(userinfo(&house, &id_token).await.0, 401, "an id_token is no access token");
}
