//! Is an authorization request sound, and what must happen next?

use jiff::SignedDuration;
use valetkey_oauth::Refusal;
use valetkey_oauth::authorize::{Interaction, Refused, Step, deny};
use valetkey_oauth::model::{Consent, SignIn};
use valetkey_oauth::protocol::ResponseMode;
use valetkey_testkit::build;
use valetkey_testkit::clock::moment;

use crate::person::{CALLBACK, Person, parameter};

/// The rule that was broken, of a request that was sent back to the app.
fn sent_back<T: std::fmt::Debug>(outcome: Result<T, Refused>) -> Refusal {
    match outcome.unwrap_err() {
        Refused::Respond(response, refusal) => {
            assert_eq!(response.redirect_uri, CALLBACK);
            assert_eq!(parameter(&response, "state"), "a state");
            assert_eq!(parameter(&response, "iss"), "https://auth.example");
            refusal
        }
        Refused::Page(refusal) => panic!("{refusal} ended on a page"),
    }
}

fn on_a_page<T: std::fmt::Debug>(outcome: Result<T, Refused>) -> Refusal {
    match outcome.unwrap_err() {
        Refused::Page(refusal) => refusal,
        Refused::Respond(_, refusal) => panic!("{refusal} was sent to the app"),
    }
}

#[tokio::test]
async fn implicit_and_other_response_types_are_refused_at_the_app() {
    let person = Person::signed_in().await;

    for kind in ["token", "id_token", "id_token token", "code token", "none"] {
        let refusal = sent_back(person.ask(|request| request.response_type = Some(kind)).await);
        assert!(matches!(refusal, Refusal::ResponseTypeUnsupported), "{kind}");
    }
    let missing = sent_back(person.ask(|request| request.response_type = None).await);
    assert!(matches!(missing, Refusal::Missing("response_type")));
}

#[tokio::test]
async fn pkce_with_s256_is_required() {
    let person = Person::signed_in().await;

    let none = sent_back(person.ask(|request| request.code_challenge = None).await);
    let plain = sent_back(person.ask(|request| request.code_challenge_method = Some("plain")).await);
    let implied = sent_back(person.ask(|request| request.code_challenge_method = None).await);
    let short = sent_back(person.ask(|request| request.code_challenge = Some("short")).await);

    assert!(matches!(none, Refusal::ChallengeMissing));
    assert!(matches!(plain, Refusal::ChallengeMethod));
    assert!(matches!(implied, Refusal::ChallengeMethod));
    assert!(matches!(short, Refusal::BadValue("code_challenge")));
}

#[tokio::test]
async fn nothing_is_sent_to_a_uri_that_differs_by_one_byte() {
    let person = Person::signed_in().await;

    for near in [
        "https://app.example/callback/",
        "https://app.example/callback?x=1",
        "https://app.example/callbac",
        "https://APP.example/callback",
        "http://app.example/callback",
        "https://app.example/callback/../evil",
        "https://app.example:443/callback",
    ] {
        let refusal = on_a_page(person.ask(|request| request.redirect_uri = Some(near)).await);
        assert!(matches!(refusal, Refusal::RedirectUriUnregistered), "{near}");
    }
    assert!(matches!(
        on_a_page(person.ask(|request| request.client_id = Some("ghost")).await),
        Refusal::AuthorizingClientUnknown
    ));
    assert!(matches!(on_a_page(person.ask(|request| request.client_id = None).await), Refusal::Missing("client_id")));
}

#[tokio::test]
async fn values_without_meaning_are_refused_at_the_app() {
    let person = Person::signed_in().await;

    let prompt = sent_back(person.ask(|request| request.prompt = Some("none login")).await);
    let age = sent_back(person.ask(|request| request.max_age = Some("-1")).await);
    let claims = sent_back(person.ask(|request| request.claims = Some("{not json")).await);
    let mode = sent_back(person.ask(|request| request.response_mode = Some("fragment")).await);
    let hint = sent_back(person.ask(|request| request.id_token_hint = Some("a.b.c")).await);
    let scope = sent_back(person.ask(|request| request.scope = Some("openid delete:all")).await);
    let resource = sent_back(person.ask(|request| request.resource = Some("https://bank.example")).await);
    let object = sent_back(person.ask(|request| request.request = Some("x")).await);

    assert!(matches!(prompt, Refusal::BadValue("prompt")));
    assert!(matches!(age, Refusal::BadValue("max_age")));
    assert!(matches!(claims, Refusal::BadValue("claims")));
    assert!(matches!(mode, Refusal::BadValue("response_mode")));
    assert!(matches!(hint, Refusal::BadValue("id_token_hint")));
    assert!(matches!(scope, Refusal::ScopeNotRegistered(_)));
    assert!(matches!(resource, Refusal::ResourceUnknown));
    assert!(matches!(object, Refusal::RequestObject));
}

#[tokio::test]
async fn a_stranger_signs_in_then_agrees_then_is_not_asked_again() {
    let mut person = Person::signed_in().await;
    let someone = person.browser.sign_in.take();

    let first = person.decide(person.ask(|_| {}).await.unwrap()).await.unwrap();
    person.browser.sign_in = someone;
    let second = person.decide(person.ask(|_| {}).await.unwrap()).await.unwrap();
    person.code().await;
    let third = person.decide(person.ask(|_| {}).await.unwrap()).await.unwrap();
    let wider = person.ask(|request| request.scope = Some("openid write:orders")).await.unwrap();
    let fourth = person.decide(wider).await.unwrap();

    assert!(matches!(first, Step::SignIn(_)));
    assert!(matches!(second, Step::Consent(_, None)));
    assert!(matches!(third, Step::Respond(response) if parameter(&response, "code").starts_with("vk_ac_")));
    assert!(matches!(fourth, Step::Consent(_, Some(Consent { scope, .. })) if scope.as_str() == "openid read:orders"));
}

#[tokio::test]
async fn prompt_none_never_asks() {
    let mut person = Person::signed_in().await;
    let silent = async |person: &Person| person.ask(|request| request.prompt = Some("none")).await.unwrap();

    let not_agreed = sent_back(person.decide(silent(&person).await).await);
    person.code().await;
    let agreed = person.decide(silent(&person).await).await;
    person.browser.sign_in = None;
    let nobody = sent_back(person.decide(silent(&person).await).await);

    assert!(matches!(not_agreed, Refusal::ConsentRequired));
    assert!(matches!(agreed, Ok(Step::Respond(_))));
    assert!(matches!(nobody, Refusal::LoginRequired));
}

#[tokio::test]
async fn an_old_sign_in_is_not_enough_for_prompt_login_or_a_short_max_age() {
    let mut person = Person::signed_in().await;
    person.code().await;
    person.world.clock.advance(100);

    let asked = person.ask(|request| request.prompt = Some("login")).await.unwrap();
    let aged = person.ask(|request| request.max_age = Some("99")).await.unwrap();
    let young = person.ask(|request| request.max_age = Some("100")).await.unwrap();
    let before = person.decide(asked.clone()).await.unwrap();
    assert!(matches!(before, Step::SignIn(_)));
    assert!(matches!(person.decide(aged.clone()).await.unwrap(), Step::SignIn(_)));
    assert!(matches!(person.decide(young).await.unwrap(), Step::Respond(_)));

    person.world.clock.advance(5);
    person.browser.sign_in = Some(SignIn { authenticated_at: moment(103), ..build::sign_in(1) });
    assert!(matches!(person.decide(asked).await.unwrap(), Step::Respond(_)));
    assert!(matches!(person.decide(aged).await.unwrap(), Step::Respond(_)));
}

#[tokio::test]
async fn a_part_of_a_second_beyond_max_age_is_too_old() {
    let mut person = Person::signed_in().await;
    person.code().await;
    person.world.clock.advance(100);
    let request = person.ask(|request| request.max_age = Some("1")).await.unwrap();
    let mut decided = async |age: i64| {
        let authenticated_at = moment(100).checked_sub(SignedDuration::from_millis(age)).unwrap();
        person.browser.sign_in = Some(SignIn { authenticated_at, ..build::sign_in(1) });
        person.decide(request.clone()).await.unwrap()
    };

    assert!(matches!(decided(1_000).await, Step::Respond(_)));
    assert!(matches!(decided(1_001).await, Step::SignIn(_)));
    assert!(matches!(decided(1_900).await, Step::SignIn(_)));
}

#[tokio::test]
async fn an_old_page_cannot_agree_where_a_new_sign_in_is_due() {
    let person = Person::signed_in().await;
    person.world.clock.advance(100);
    let asked = person.ask(|request| request.prompt = Some("login")).await.unwrap();

    let refusal = on_a_page(person.approve(&asked).await);

    assert!(matches!(refusal, Refusal::InteractionExpired));
}

#[tokio::test]
async fn no_is_an_answer() {
    let person = Person::signed_in().await;
    let asked = person.ask(|request| request.response_mode = Some("form_post")).await.unwrap();

    let answer = deny(&person.world.authority, &asked);

    assert_eq!(asked.mode, ResponseMode::FormPost);
    assert!(matches!(sent_back(answer), Refusal::Denied));
}

#[tokio::test]
async fn a_request_on_its_way_through_the_pages_expires_and_cannot_be_made_up() {
    let person = Person::signed_in().await;
    let authority = &person.world.authority;
    let sealed = person.ask(|_| {}).await.unwrap().seal(authority).unwrap();

    assert!(Interaction::open(authority, &sealed).is_ok());
    assert!(Interaction::open(authority, &sealed.replace("vk_in_", "vk_ac_")).is_err());
    assert!(Interaction::open(authority, "vk_in_AAAA").is_err());
    person.world.clock.advance(30 * 60);
    assert!(matches!(Interaction::open(authority, &sealed), Err(Refusal::InteractionExpired)));
}
