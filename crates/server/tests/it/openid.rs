//! The id_token: who signed in, when and how, and for which app.

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::Algorithm;
use serde_json::{Value, json};

use crate::app::{App, Tokens, userinfo};
use crate::both_engines;
use crate::house::House;
use crate::jwks::verify_for;
use crate::person::Person;
use crate::token::succeeds;

/// The claims, checked as the app would check them.
async fn claims(house: &House, tokens: &Tokens) -> Value {
    verify_for(house, tokens.body["id_token"].as_str().unwrap(), "app").await.1
}

fn half_hash(token: &str) -> String {
    URL_SAFE_NO_PAD.encode(&digest(&SHA256, token.as_bytes()).as_ref()[..16])
}

both_engines! {
    async fn an_id_token_says_who_signed_in_and_the_published_keys_prove_it(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let clock = house.client("clock", &[]);
        let now = house.introspect(&clock, &house.token(&clock).await).await["iat"].as_i64().unwrap();

        let tokens = app.tokens(&house, &ada, &[("nonce", "n-0S6_\u{e9}\"")]).await;

        let (head, claims) = verify_for(&house, tokens.body["id_token"].as_str().unwrap(), "app").await;
        assert_eq!(head.alg, Algorithm::RS256);
        assert!(head.kid.is_some());
        assert_eq!(claims["iss"], house.origin);
        assert_eq!((&claims["aud"], &claims["azp"]), (&json!("app"), &json!("app")));
        assert_eq!(claims["nonce"], "n-0S6_\u{e9}\"");
        assert_eq!(claims["sub"], userinfo(&house, &tokens.access).await.1["sub"]);
        assert_eq!(claims["at_hash"], half_hash(&tokens.access));
        assert_eq!((&claims["acr"], &claims["amr"]), (&json!("1"), &json!(["pwd"])));
        assert!(claims["sid"].is_string());
        assert!((now..now + 60).contains(&claims["auth_time"].as_i64().unwrap()));
        assert!((now..now + 60).contains(&claims["iat"].as_i64().unwrap()));
        assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 900);
        for private in ["email", "name", "preferred_username"] {
            assert!(claims.get(private).is_none(), "{private} is told at userinfo");
        }
    }

    async fn a_refreshed_id_token_speaks_of_the_same_sign_in(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let first = app.tokens(&house, &ada, &[("nonce", "n")]).await;
        let before = claims(&house, &first).await;

        let second = Tokens::read(succeeds(app.refresh(&house, &first.refresh)).await);

        let after = claims(&house, &second).await;
        for name in ["iss", "sub", "aud", "azp", "auth_time", "sid", "acr", "amr"] {
            assert_eq!(after[name], before[name], "{name}");
        }
        assert_eq!(after["at_hash"], half_hash(&second.access));
        assert!(after["iat"].as_i64().unwrap() >= before["iat"].as_i64().unwrap());
    }

    async fn one_sign_in_has_one_sid_and_one_subject_in_all_apps(house: House) {
        let (app, ada, bob) = (App::new(&house, "app"), Person::new(&house, "ada"), Person::new(&house, "bob"));
        let elsewhere = Person::at(&house, "ada");

        let first = claims(&house, &app.tokens(&house, &ada, &[]).await).await;
        let again = claims(&house, &app.tokens(&house, &ada, &[]).await).await;
        let other = claims(&house, &app.tokens(&house, &elsewhere, &[]).await).await;
        let of_bob = claims(&house, &app.tokens(&house, &bob, &[]).await).await;

        assert_eq!((&first["sid"], &first["sub"]), (&again["sid"], &again["sub"]));
        assert_eq!(first["sub"], other["sub"]);
        assert_ne!(first["sid"], other["sid"]);
        assert_ne!(first["sub"], of_bob["sub"]);
        assert!(again.get("nonce").is_none(), "none was sent");
    }
}

#[tokio::test]
async fn an_app_can_ask_for_single_claims() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let wanted = json!({
        "userinfo": { "name": { "essential": true }, "phone_number": null, "nonsense": null },
        "id_token": { "email": null, "auth_time": { "essential": true }, "sub": null, "iss": null },
    });

    let tokens = app.tokens(&house, &ada, &[("scope", "openid"), ("claims", &wanted.to_string())]).await;

    let told = claims(&house, &tokens).await;
    assert_eq!(told["email"], "ada@example.org");
    assert_eq!((&told["iss"], &told["aud"]), (&json!(house.origin), &json!("app")));
    assert!(told.get("name").is_none());
    let (status, info) = userinfo(&house, &tokens.access).await;
    assert_eq!(status, 200);
    assert_eq!(info, json!({ "sub": told["sub"], "name": "Ada Lovelace" }));
}

#[tokio::test]
async fn an_app_that_insists_on_a_sign_in_that_is_not_offered_is_told_so() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let asking = |acr: Value| json!({ "id_token": { "acr": acr } }).to_string();

    let insisting = asking(json!({ "essential": true, "values": ["urn:loa:4", "urn:loa:3"] }));
    let refused = ada.arrive(&app, &[("claims", &insisting)]).await.answer();
    assert_eq!((refused.error(), refused.get("state")), ("unmet_authentication_requirements", Some("s1")));

    for content in [json!(null), json!({ "values": ["urn:loa:4"] }), json!({ "essential": true, "values": ["9", "1"] })]
    {
        let tokens = app.tokens(&house, &ada, &[("claims", &asking(content)), ("acr_values", "9 8")]).await;
        assert_eq!(claims(&house, &tokens).await["acr"], "1");
    }
}

both_engines! {
    async fn a_claim_is_told_only_to_an_app_that_may_know_it_and_after_the_person_agreed(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        house.json(&["client", "add", "--id", "min", "--name", "Min", "--redirect-uri", crate::app::CALLBACK, "--scope", "openid"]);
        let wanted = json!({ "userinfo": { "email": null, "name": null }, "id_token": { "email": null } }).to_string();
        app.tokens(&house, &ada, &[("scope", "openid")]).await;

        let page = ada.arrive(&app, &[("scope", "openid"), ("claims", &wanted)]).await;
        assert!(page.shows("consent-approve") && page.text.contains("See your email address"), "{}", page.text);
        let silent = ada.arrive(&app, &[("scope", "openid"), ("claims", &wanted), ("prompt", "none")]).await.answer();
        assert_eq!(silent.error(), "consent_required");
        let tokens = app.tokens(&house, &ada, &[("scope", "openid"), ("claims", &wanted)]).await;
        assert_eq!(claims(&house, &tokens).await["email"], "ada@example.org");
        assert_eq!(tokens.body["scope"], "openid", "what is told is not what is granted");

        let link = app.link(&[("client_id", "min"), ("scope", "openid"), ("claims", &wanted)]);
        let page = ada.open(&link).await;
        assert!(page.shows("consent-approve") && !page.text.contains("See your email address"));
    }

    async fn an_app_that_means_one_user_hears_of_no_other(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let sub = claims(&house, &app.tokens(&house, &ada, &[]).await).await["sub"].clone();
        let asking = |value: &Value| json!({ "id_token": { "sub": { "value": value } } }).to_string();

        let right = ada.arrive(&app, &[("claims", &asking(&sub)), ("prompt", "none")]).await.answer();
        let wrong = ada.arrive(&app, &[("claims", &asking(&json!("bob"))), ("prompt", "none")]).await.answer();

        assert!(right.get("code").is_some());
        assert_eq!(wrong.error(), "login_required");
    }
}
