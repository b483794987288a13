//! Apps are told, server to server, that their user signed out (OpenID Connect Back-Channel Logout).

use jsonwebtoken::Algorithm;
use serde_json::{Value, json};

use crate::app::App;
use crate::both_engines;
use crate::house::House;
use crate::jwks::verify_for;
use crate::person::Person;
use crate::receiver::{Received, Receiver};

/// The same house, allowed to call this machine.
async fn open(mut house: House) -> House {
    house.set("VALETKEY_OUTBOUND_ALLOW", "127.0.0.0/8");
    house.stop().await;
    house.start().await;
    house
}

/// An app that wants to be told.
fn told(house: &House, id: &str, receiver: &Receiver) -> App {
    let app = App::new(house, id);
    house.json(&["client", "edit", id, "--backchannel-logout-uri", &receiver.url()]);
    app
}

async fn sign_out(person: &Person) {
    let csrf = person.open("/logout").await.field("csrf").unwrap();
    let done = person.send(person.post("/logout", &[("csrf", &csrf)])).await;
    assert_eq!(done.status, 200, "{}", done.text);
}

fn token(message: &Received) -> String {
    assert_eq!(message.headers["content-type"], "application/x-www-form-urlencoded");
    let body = std::str::from_utf8(&message.body).unwrap();
    body.strip_prefix("logout_token=").unwrap_or_else(|| panic!("{body}")).to_owned()
}

both_engines! {
    async fn an_app_is_told_who_left_and_can_prove_it(house: House) {
        let (house, receiver) = (open(house).await, Receiver::answering(&[200]).await);
        let (app, ada) = (told(&house, "app", &receiver), Person::new(&house, "ada"));
        App::new(&house, "quiet");
        let tokens = app.tokens(&house, &ada, &[]).await;
        app.tokens(&house, &ada, &[]).await;
        let identity = verify_for(&house, tokens.body["id_token"].as_str().unwrap(), "app").await.1;

        sign_out(&ada).await;

        let message = receiver.receives(1).await.remove(0);
        let (head, claims) = verify_for(&house, &token(&message), "app").await;
        assert_eq!(head.typ.as_deref(), Some("logout+jwt"));
        assert_eq!((&claims["sub"], &claims["sid"]), (&identity["sub"], &identity["sid"]));
        assert_eq!(claims["events"], json!({ "http://schemas.openid.net/event/backchannel-logout": {} }));
        assert!(claims["jti"].is_string() && claims["iat"].is_i64() && claims["exp"].is_i64());
        assert_eq!(claims.get("nonce"), None::<&Value>);
        assert!(!app.is_active(&house, &tokens.access).await && !app.is_active(&house, &tokens.refresh).await);
        assert_eq!(receiver.received().len(), 1, "one message for an app, however many sessions it has");
    }

    async fn only_the_apps_of_this_sign_in_hear_of_it(house: House) {
        let (house, receiver) = (open(house).await, Receiver::answering(&[200]).await);
        let (app, other) = (told(&house, "app", &receiver), told(&house, "other", &receiver));
        let (ada, elsewhere, bob) = (Person::new(&house, "ada"), Person::at(&house, "ada"), Person::new(&house, "bob"));
        app.tokens(&house, &ada, &[]).await;
        let far = other.tokens(&house, &elsewhere, &[]).await;
        let of_bob = other.tokens(&house, &bob, &[]).await;

        sign_out(&ada).await;

        let claims = verify_for(&house, &token(&receiver.receives(1).await[0]), "app").await.1;
        assert_eq!(claims["aud"], "app");
        sign_out(&elsewhere).await;
        let claims = verify_for(&house, &token(&receiver.receives(2).await[1]), "other").await.1;
        assert_eq!(claims["aud"], "other");
        assert!(!other.is_active(&house, &far.refresh).await);
        assert!(other.is_active(&house, &of_bob.refresh).await, "bob is still here");
    }

    async fn an_app_that_may_go_on_alone_is_told_and_keeps_its_access(house: House) {
        let (house, receiver) = (open(house).await, Receiver::answering(&[200]).await);
        let (app, ada) = (told(&house, "app", &receiver), Person::new(&house, "ada"));
        house.json(&["client", "edit", "app", "--scope", "openid offline_access read:orders"]);
        let tokens = app.tokens(&house, &ada, &[]).await;

        sign_out(&ada).await;

        receiver.receives(1).await;
        assert!(app.is_active(&house, &tokens.access).await && app.is_active(&house, &tokens.refresh).await);
    }

    async fn someone_else_who_signs_in_in_the_same_browser_signs_the_first_one_out(house: House) {
        let (house, receiver) = (open(house).await, Receiver::answering(&[200]).await);
        let (app, ada) = (told(&house, "app", &receiver), Person::new(&house, "ada"));
        Person::new(&house, "bob");
        let tokens = app.tokens(&house, &ada, &[]).await;
        let identity = verify_for(&house, tokens.body["id_token"].as_str().unwrap(), "app").await.1;

        let page = ada.arrive(&app, &[("prompt", "login")]).await;
        let form = [("csrf", page.field("csrf").unwrap()), ("request", page.field("request").unwrap())];
        let mut form: Vec<_> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
        form.extend([("username", "bob"), ("password", crate::person::PASSWORD)]);
        assert_eq!(ada.send(ada.post("/login", &form)).await.status, 303);

        let claims = verify_for(&house, &token(&receiver.receives(1).await[0]), "app").await.1;
        assert_eq!(claims["sid"], identity["sid"]);
        assert!(!app.is_active(&house, &tokens.refresh).await);
    }
}

#[tokio::test]
async fn a_message_that_fails_comes_again_and_one_that_is_refused_does_not() {
    let house = open(House::embedded().await).await;
    let refusing = Receiver::answering(&[400]).await;
    let failing = Receiver::answering(&[503, 200]).await;
    let (one, two) = (told(&house, "one", &refusing), told(&house, "two", &failing));
    house.json(&["client", "edit", "two", "--id-token", "es256"]);
    let ada = Person::new(&house, "ada");
    one.tokens(&house, &ada, &[]).await;
    two.tokens(&house, &ada, &[]).await;

    sign_out(&ada).await;

    let twice = failing.receives(2).await;
    let (head, first) = verify_for(&house, &token(&twice[0]), "two").await;
    let second = verify_for(&house, &token(&twice[1]), "two").await.1;
    assert_eq!(head.alg, Algorithm::ES256);
    assert_eq!(first, second, "the same `jti`, so that the app can tell a repetition");
    assert_eq!(refusing.received().len(), 1);
}

#[tokio::test]
async fn a_private_address_is_not_called_unless_it_is_allowed() {
    let (house, receiver) = (House::embedded().await, Receiver::answering(&[200]).await);
    let (app, ada) = (told(&house, "app", &receiver), Person::new(&house, "ada"));
    let tokens = app.tokens(&house, &ada, &[]).await;

    sign_out(&ada).await;

    crate::house::eventually(std::time::Duration::from_secs(5), async || house.log().contains("logout_token")).await;
    assert!(receiver.received().is_empty());
    assert!(!app.is_active(&house, &tokens.refresh).await);
    assert!(!house.log().contains("eyJ"), "no token stands in the log");
}

#[tokio::test]
async fn a_logout_token_is_no_hint_and_no_access_token() {
    let (house, receiver) = (open(House::embedded().await).await, Receiver::answering(&[200]).await);
    let (app, ada) = (told(&house, "app", &receiver), Person::new(&house, "ada"));
    app.tokens(&house, &ada, &[]).await;
    sign_out(&ada).await;
    let logout_token = token(&receiver.receives(1).await[0]);

    let hinted = ada.arrive(&app, &[("id_token_hint", &logout_token), ("prompt", "none")]).await.answer();

    assert_eq!(hinted.error(), "invalid_request");
    assert!(!app.is_active(&house, &logout_token).await);
    let answer = house.get("/userinfo").bearer_auth(&logout_token).send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 401);
}
