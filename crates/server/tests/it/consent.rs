//! `/consent`: what a person is asked, what is remembered, and what cannot be decided for them.

use crate::app::{App, CALLBACK};
use crate::both_engines;
use crate::house::House;
use crate::person::{Person, link};
use crate::token::succeeds;

const READ: (&str, &str) = ("scope", "openid read:orders");
const MORE: (&str, &str) = ("scope", "openid read:orders write:orders");

both_engines! {
    async fn a_person_sees_who_asks_and_for_what(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));

        let login = ada.arrive(&app, &[("scope", "openid email read:orders")]).await;
        let page = ada.sign_in(&login).await;

        assert!(login.text.contains("The app"), "who asks stands on the sign-in page too");
        for words in ["The app", "ada", "See your email address", "See orders", "read:orders", "app.example"] {
            assert!(page.text.contains(words), "{words}: {}", page.text);
        }
        for words in ["write:orders", "Place, change", "See your profile"] {
            assert!(!page.text.contains(words), "{words} was not asked for");
        }
        assert!(page.shows("consent-approve") && page.shows("consent-deny"));
    }

    async fn who_says_no_sends_the_app_away_and_is_asked_again(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let page = ada.sign_in(&ada.arrive(&app, &[("state", "a&b")]).await).await;

        let answer = ada.decide(&page, "deny").await.answer();

        assert_eq!(answer.error(), "access_denied");
        assert_eq!((answer.to.as_str(), answer.get("state")), (CALLBACK, Some("a&b")));
        assert_eq!(answer.get("iss"), Some(house.origin.as_str()));
        assert!(ada.arrive(&app, &[]).await.shows("consent-approve"), "a no is no agreement");
    }

    async fn what_was_agreed_to_is_not_asked_again_but_more_is(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        ada.allow(&app, &[READ]).await;

        for less in ["openid read:orders", "read:orders openid", "read:orders"] {
            ada.arrive(&app, &[("scope", less)]).await.answer().code();
        }
        let more = ada.arrive(&app, &[MORE]).await;
        assert!(more.shows("consent-approve") && more.text.contains("mark-new"));
        let silent = ada.arrive(&app, &[MORE, ("prompt", "none")]).await.answer();
        assert_eq!((silent.error(), silent.get("state")), ("consent_required", Some("s1")));
        ada.decide(&more, "approve").await.answer().code();

        let elsewhere = Person::at(&house, "ada");
        let page = elsewhere.sign_in(&elsewhere.arrive(&app, &[MORE]).await).await;
        page.answer().code();
        ada.arrive(&app, &[READ]).await.answer().code();
        assert!(ada.arrive(&App::new(&house, "other"), &[READ]).await.shows("consent-approve"), "another app");
        let bob = Person::new(&house, "bob");
        assert!(bob.sign_in(&bob.arrive(&app, &[READ]).await).await.shows("consent-approve"), "another person");
    }

    async fn an_app_can_have_a_person_asked_again(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        ada.allow(&app, &[READ]).await;

        let page = ada.arrive(&app, &[READ, ("prompt", "consent")]).await;

        assert!(page.shows("consent-approve") && !page.text.contains("mark-new"));
        assert_eq!(ada.decide(&page, "deny").await.answer().error(), "access_denied");
        let page = ada.arrive(&app, &[READ, ("prompt", "consent")]).await;
        succeeds(app.redeem(&house, ada.decide(&page, "approve").await.answer().code())).await;
    }

    async fn the_page_of_one_person_decides_nothing_for_another(house: House) {
        let (app, ada, bob) = (App::new(&house, "app"), Person::new(&house, "ada"), Person::new(&house, "bob"));
        let of_ada = ada.sign_in(&ada.arrive(&app, &[READ]).await).await;
        bob.sign_in(&bob.open("/login").await).await;

        let page = bob.decide(&of_ada, "approve").await;

        assert_eq!(page.status, 200);
        assert!(page.shows("consent-approve") && page.text.contains("bob"), "he is asked himself");
        assert_eq!(bob.arrive(&app, &[READ, ("prompt", "none")]).await.answer().error(), "consent_required");
        let nobody = Person::at(&house, "nobody");
        assert!(nobody.decide(&of_ada, "approve").await.shows("login-submit"));
    }

    async fn a_page_that_was_shown_to_someone_else_in_this_browser_decides_nothing(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        Person::new(&house, "bob");
        let of_ada = ada.sign_in(&ada.arrive(&app, &[READ]).await).await;
        let mut shared = ada;
        shared.name = "bob".to_owned();
        shared.sign_in(&shared.arrive(&app, &[READ, ("prompt", "login")]).await).await;

        let page = shared.decide(&of_ada, "approve").await;

        assert!(page.shows("consent-approve") && page.text.contains("bob"), "{page:?}");
        assert_eq!(shared.arrive(&app, &[READ, ("prompt", "none")]).await.answer().error(), "consent_required");
    }
}

#[tokio::test]
async fn only_a_form_of_this_browser_decides() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let page = ada.sign_in(&ada.arrive(&app, &[READ]).await).await;
    let (csrf, request) = (page.field("csrf").unwrap(), page.field("request").unwrap());
    let form = |csrf: &str, decision: &str| {
        ada.post("/consent", &[("csrf", csrf), ("request", &request), ("decision", decision)])
    };

    let attempts = [
        form("", "approve"),
        form("x", "deny"),
        form(&request, "approve"),
        form(&csrf, ""),
        form(&csrf, "APPROVE"),
        form(&csrf, "approve").header("origin", "https://evil.example"),
        form(&csrf, "deny").header("sec-fetch-site", "cross-site"),
    ];
    for attempt in attempts {
        let page = ada.send(attempt).await;
        assert!(page.status == 200 && page.shows("consent-approve"), "{page:?}");
    }
    let by_link = ada.open(&link("/consent", &[("request", &request), ("csrf", &csrf), ("decision", "approve")])).await;
    assert!(by_link.shows("consent-approve"), "a link decides nothing");

    let sound = form(&csrf, "approve").header("origin", &house.origin).header("sec-fetch-site", "same-origin");
    ada.send(sound).await.answer().code();
}

#[tokio::test]
async fn a_request_that_cannot_be_read_is_a_page_and_no_redirect() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let page = ada.sign_in(&ada.arrive(&app, &[READ]).await).await;
    let (csrf, request) = (page.field("csrf").unwrap(), page.field("request").unwrap());
    let cut = &request[..request.len() - 2];

    for broken in ["", "x", cut, &csrf, "https://evil.example/"] {
        for path in ["/consent", "/login"] {
            let get = ada.open(&link(path, &[("request", broken)])).await;
            let form = [("csrf", csrf.as_str()), ("request", broken), ("decision", "approve"), ("username", "ada")];
            let post = ada.send(ada.post(path, &form)).await;
            let is_plain_sign_in = path == "/login" && broken.is_empty();
            for page in [get, post].into_iter().filter(|_| !is_plain_sign_in) {
                assert_eq!(page.status, 400, "{path} {broken}");
                assert!(page.shows("error-page") && page.location().is_none(), "{path} {broken}");
            }
        }
    }
    assert!(ada.open("/consent").await.shows("error-page"));
}

#[tokio::test]
async fn the_browser_may_follow_the_form_to_the_app() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));

    let login = ada.arrive(&app, &[]).await;
    let consent = ada.sign_in(&login).await;

    for page in [&login, &consent] {
        let policy = page.header("content-security-policy");
        let rule = policy.split(';').find(|rule| rule.trim().starts_with("form-action")).unwrap();
        let sources: Vec<_> = rule.split_whitespace().skip(1).collect();
        assert!(sources.contains(&"'self'"), "{policy}");
        assert!(sources.contains(&"https:") || sources.contains(&"https://app.example"), "{policy}");
        assert!(!sources.contains(&"http:") && !sources.contains(&"*"), "{policy}");
    }
}

#[tokio::test]
async fn someone_else_can_sign_in_instead() {
    let house = House::embedded().await;
    let (app, mut ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    Person::new(&house, "bob");
    let page = ada.sign_in(&ada.arrive(&app, &[READ]).await).await;

    let login = ada.decide(&page, "switch").await;
    assert!(login.shows("login-submit") && ada.cookie("vk_sign_in").is_none());
    ada.name = "bob".to_owned();
    let page = ada.sign_in(&login).await;

    assert!(page.shows("consent-approve") && page.text.contains("bob"));
    ada.decide(&page, "approve").await.answer().code();
}
