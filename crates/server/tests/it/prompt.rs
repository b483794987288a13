//! `prompt`, `max_age` and `id_token_hint` at `/authorize`: who must sign in again, and who must not be asked.

use serde_json::Value;

use crate::app::{App, Tokens};
use crate::both_engines;
use crate::house::{House, Registered};
use crate::jwks::verify_for;
use crate::person::{Answer, Person};
use crate::token::succeeds;

/// The claims that come with this answer's code.
async fn claims(house: &House, app: &App, answer: &Answer) -> (String, Value) {
    let tokens = Tokens::read(succeeds(app.redeem(house, answer.code())).await);
    let text = tokens.body["id_token"].as_str().unwrap().to_owned();
    let claims = verify_for(house, &text, &app.client.id).await.1;
    (text, claims)
}

both_engines! {
    async fn nobody_is_asked_where_the_app_forbids_it(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let silent = [("prompt", "none")];

        let stranger = ada.arrive(&app, &silent).await.answer();
        let (_, before) = claims(&house, &app, &ada.allow(&app, &[]).await).await;
        let known = ada.arrive(&app, &silent).await.answer();

        assert_eq!((stranger.error(), stranger.get("state")), ("login_required", Some("s1")));
        assert_eq!(stranger.get("iss"), Some(house.origin.as_str()));
        let (_, after) = claims(&house, &app, &known).await;
        for name in ["sub", "auth_time", "sid"] {
            assert_eq!(after[name], before[name], "{name}");
        }
    }

    async fn an_app_can_have_a_person_sign_in_again(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let (_, before) = claims(&house, &app, &ada.allow(&app, &[]).await).await;

        for more in [("prompt", "login"), ("prompt", "select_account"), ("max_age", "0")] {
            let page = ada.arrive(&app, &[more]).await;
            assert!(page.shows("login-submit"), "{more:?}");
            let request = page.field("request").unwrap();
            let skipped = ada.open(&format!("/consent?request={request}")).await;
            assert!(skipped.shows("login-submit"), "the way round leads to the same page");

            let (_, after) = claims(&house, &app, &ada.sign_in(&page).await.answer()).await;
            assert!(after["auth_time"].as_i64() >= before["auth_time"].as_i64());
            assert_eq!(after["sub"], before["sub"]);
        }
        assert_eq!(ada.arrive(&app, &[("max_age", "0"), ("prompt", "none")]).await.answer().error(), "login_required");
    }

    async fn a_sign_in_that_is_young_enough_will_do(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let (_, before) = claims(&house, &app, &ada.allow(&app, &[]).await).await;

        let answer = ada.arrive(&app, &[("max_age", "10000")]).await.answer();

        assert_eq!(claims(&house, &app, &answer).await.1["auth_time"], before["auth_time"]);
    }

    async fn a_hint_says_whom_the_app_means(house: House) {
        let (app, ada, bob) = (App::new(&house, "app"), Person::new(&house, "ada"), Person::new(&house, "bob"));
        let (of_ada, known) = claims(&house, &app, &ada.allow(&app, &[]).await).await;
        let (of_bob, _) = claims(&house, &app, &bob.allow(&app, &[]).await).await;

        let right = ada.arrive(&app, &[("prompt", "none"), ("id_token_hint", &of_ada)]).await.answer();
        let wrong = ada.arrive(&app, &[("prompt", "none"), ("id_token_hint", &of_bob)]).await.answer();

        assert_eq!(claims(&house, &app, &right).await.1["sub"], known["sub"]);
        assert_eq!(wrong.error(), "login_required");
        let page = ada.arrive(&app, &[("id_token_hint", &of_bob)]).await;
        assert!(page.shows("login-submit"), "whoever is meant has to sign in");
        let still = ada.sign_in(&page).await;
        assert!(still.shows("login-submit"), "Ada is still not Bob");
    }

    async fn who_is_not_the_one_that_the_app_means_is_told_so(house: House) {
        let (app, ada, bob) = (App::new(&house, "app"), Person::new(&house, "ada"), Person::new(&house, "bob.smith"));
        let (of_ada, _) = claims(&house, &app, &ada.allow(&app, &[]).await).await;
        let (of_bob, _) = claims(&house, &app, &bob.allow(&app, &[]).await).await;

        let other = ada.arrive(&app, &[("id_token_hint", &of_bob), ("ui_locales", "de")]).await;
        let still = ada.sign_in(&other).await;
        let mistyped = ada.type_password(&still, "a wrong guess").await;
        let nobody = Person::at(&house, "bob.smith").arrive(&app, &[("id_token_hint", &of_bob)]).await;
        let same = ada.arrive(&app, &[("id_token_hint", &of_ada), ("prompt", "login")]).await;

        assert!(other.shows("other-account") && other.text.contains("Die App erwartet ein anderes Konto"), "{}", other.text);
        assert!(still.shows("login-submit") && still.shows("other-account"), "{}", still.text);
        assert!(mistyped.shows("fault") && mistyped.shows("other-account"), "{}", mistyped.text);
        assert!(nobody.shows("login-submit") && !nobody.shows("other-account"), "{}", nobody.text);
        assert!(same.shows("login-submit") && !same.shows("other-account"), "{}", same.text);
        // With a dot, which no sealed value in the page can hold by chance.
        assert!(!other.text.contains("bob.smith"), "whom the app means is not told to whoever sits here");
    }
}

#[tokio::test]
async fn a_hint_must_be_an_id_token_that_this_app_was_given() {
    let house = House::embedded().await;
    let (app, other, ada) = (App::new(&house, "app"), App::new(&house, "other"), Person::new(&house, "ada"));
    let (hint, _) = claims(&house, &app, &ada.allow(&app, &[]).await).await;
    let (of_other, _) = claims(&house, &other, &ada.allow(&other, &[]).await).await;
    let signer: Registered = house.client("signer", &["--access-token", "rs256"]);
    let access = house.token(&signer).await;
    let payload = hint.split('.').nth(1).unwrap();
    let unsigned = format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{payload}.");
    let cut = &hint[..hint.len() - 4];

    for wrong in [of_other.as_str(), &access, &unsigned, cut, "x"] {
        for prompt in ["none", ""] {
            let answer = ada.arrive(&app, &[("id_token_hint", wrong), ("prompt", prompt)]).await.answer();
            assert_eq!(answer.error(), "invalid_request", "{wrong}");
            assert!(!answer.get("error_description").unwrap().contains(wrong));
        }
    }
}

#[tokio::test]
async fn signing_in_again_makes_auth_time_grow() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let (_, before) = claims(&house, &app, &ada.allow(&app, &[]).await).await;

    // auth_time counts whole seconds.
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    let page = ada.arrive(&app, &[("prompt", "login")]).await;
    let (_, after) = claims(&house, &app, &ada.sign_in(&page).await.answer()).await;

    assert!(after["auth_time"].as_i64() > before["auth_time"].as_i64());
    let old = ada.arrive(&app, &[("max_age", "10000")]).await.answer();
    assert_eq!(claims(&house, &app, &old).await.1["auth_time"], after["auth_time"]);
}
