//! What an app asks of a sign-in is asked of the provider too, and what the provider says of it is told.

use serde_json::json;

use super::provider::{Provider, now, object};
use super::{ada, come_back, leave, open, way_back};
use crate::app::App;
use crate::house::House;
use crate::person::Person;

#[tokio::test]
async fn the_wishes_of_an_app_reach_the_provider() {
    let provider = Provider::knowing(ada()).await;
    let house = open(House::embedded().await, &provider, &[]).await;
    let (app, person) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let asked = async |more: &[(&str, &str)]| {
        let page = person.arrive(&app, more).await;
        leave(&person, &page).await.location().unwrap().to_owned()
    };

    let all = asked(&[("prompt", "login"), ("max_age", "60"), ("login_hint", "a&b"), ("ui_locales", "de en")]).await;
    for part in ["prompt=login&", "max_age=60&", "login_hint=a%26b&", "ui_locales=de%20en"] {
        assert!(all.contains(part), "{part}: {all}");
    }
    assert!(asked(&[("prompt", "select_account")]).await.contains("prompt=login%20select_account"));
    assert!(!asked(&[("prompt", "consent")]).await.contains("prompt="), "consent is asked for here");
}

#[tokio::test]
async fn an_old_sign_in_there_is_not_a_fresh_one_here() {
    let provider = Provider::knowing(ada()).await;
    let house = open(House::embedded().await, &provider, &[]).await;
    let app = App::new(&house, "app");
    Person::new(&house, "ada");
    let at = |seconds_ago: u64| {
        move |manner: &mut super::provider::Manner| {
            manner.claims = object(json!({ "auth_time": now() - seconds_ago }));
        }
    };

    for (more, seconds_ago, status) in [
        (("prompt", "login"), 600, 403),
        (("prompt", "login"), 0, 303),
        (("max_age", "300"), 600, 403),
        (("max_age", "300"), 100, 303),
        (("max_age", "0"), 600, 403),
        (("max_age", "0"), 0, 303),
    ] {
        let person = Person::at(&house, "ada");
        provider.behave(at(seconds_ago));
        let page = person.arrive(&app, &[more]).await;
        assert!(page.shows("login-with-corp"), "{more:?} {seconds_ago}: {}", page.text);
        let back = come_back(&person, &provider, &page).await;
        assert_eq!(back.status, status, "{more:?} {seconds_ago}: {}", back.text);
        if status == 303 {
            assert!(person.follow(back).await.shows("consent-approve"), "{more:?}: and it goes on");
        } else {
            assert!(back.text.contains("fresh sign-in"), "{}", back.text);
        }
    }
    provider.behave(|manner| manner.claims.clear());
    for (more, status) in [(("max_age", "300"), 403), (("prompt", "login"), 403), (("prompt", "select_account"), 303)] {
        let person = Person::at(&house, "ada");
        let page = person.arrive(&app, &[more]).await;
        let silent = come_back(&person, &provider, &page).await;
        assert_eq!(
            silent.status, status,
            "{more:?}: a provider that says nothing is believed where nobody counts on it"
        );
    }
}

#[tokio::test]
async fn a_provider_that_can_be_asked_for_claims_is_asked_when_it_was() {
    let provider = Provider::knowing(ada()).await;
    provider.behave(|manner| manner.metadata = object(json!({ "claims_parameter_supported": true })));
    let house = open(House::embedded().await, &provider, &[]).await;
    let person = Person::new(&house, "ada");

    let left = leave(&person, &person.open("/login").await).await;

    let location = left.location().unwrap();
    assert!(
        location.contains("claims=%7B%22id_token%22%3A%7B%22auth_time%22%3A%7B%22essential%22%3Atrue%7D%7D%7D"),
        "{location}"
    );
}

#[tokio::test]
async fn when_and_how_is_told_as_the_provider_told_it() {
    let provider = Provider::knowing(ada()).await;
    let house = open(House::embedded().await, &provider, &[]).await;
    let (app, person) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let then = now() - 1000;
    provider.behave(|manner| {
        manner.claims = object(json!({ "auth_time": then, "amr": ["mfa", "otp", "not a word", 7] }));
    });

    let page = person.arrive(&app, &[]).await;
    let left = leave(&person, &page).await;
    let back = person.send(person.get(&way_back(&provider, &left))).await;
    let consent = person.follow(back).await;
    let answer = person.decide(&consent, "approve").await.answer();
    let tokens = crate::app::Tokens::read(crate::token::succeeds(app.redeem(&house, answer.code())).await);
    let (_, claims) = crate::jwks::verify_for(&house, tokens.body["id_token"].as_str().unwrap(), "app").await;

    assert_eq!((&claims["auth_time"], &claims["amr"]), (&json!(then), &json!(["mfa", "otp"])));
}

#[tokio::test]
async fn a_provider_that_wants_the_secret_in_the_form_gets_it_there() {
    let provider = Provider::knowing(ada()).await;
    provider.behave(|manner| {
        manner.metadata = object(json!({ "token_endpoint_auth_methods_supported": ["client_secret_post"] }));
        manner.talks = true;
    });
    let house = open(House::embedded().await, &provider, &[]).await;
    let person = Person::new(&house, "ada");

    let page = person.open("/login").await;
    let back = come_back(&person, &provider, &page).await;

    assert_eq!(back.status, 303);
    assert_eq!(provider.calls("userinfo"), 0, "the id_token said it all");
}
