//! What `/authorize` reads: PKCE, response modes, and parameters that are missing, repeated, unknown or refused.

use reqwest::header::LOCATION;

use crate::answer::refused;
use crate::app::{App, CALLBACK, VERIFIER, challenge};
use crate::both_engines;
use crate::house::House;
use crate::person::Person;
use crate::token::succeeds;

/// Requests that go back to the app with an error, before anyone is asked to sign in.
async fn goes_back(house: &House, app: &App, more: &[(&str, &str)], error: &str) {
    let page = Person::at(house, "nobody").arrive(app, more).await;
    assert!(page.location().is_some(), "{more:?} is not refused");
    let answer = page.answer();
    assert_eq!(answer.error(), error, "{more:?}");
    assert_eq!(answer.to, CALLBACK);
    assert_eq!(answer.get("state"), Some("s1"));
    assert_eq!(answer.get("iss"), Some(house.origin.as_str()));
    assert_eq!(page.header("cache-control"), "no-store");
    let words = answer.get("error_description").unwrap();
    assert!(words.bytes().all(|byte| matches!(byte, 0x20..=0x7e) && byte != b'"' && byte != b'\\'), "{words}");
}

both_engines! {
    async fn pkce_is_required_and_only_s256_counts(house: House) {
        let app = App::new(&house, "app");
        let sound = challenge(VERIFIER);
        let (short, long) = (&sound[..42], format!("{sound}A"));
        let unsound: [&[(&str, &str)]; 9] = [
            &[("code_challenge", "")],
            &[("code_challenge", ""), ("code_challenge_method", "")],
            &[("code_challenge_method", "")],
            &[("code_challenge_method", "plain")],
            &[("code_challenge_method", "s256")],
            &[("code_challenge_method", "plain"), ("code_challenge", VERIFIER)],
            &[("code_challenge", short)],
            &[("code_challenge", &long)],
            &[("code_challenge", "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!")],
        ];

        for more in unsound {
            goes_back(&house, &app, more, "invalid_request").await;
        }
    }

    async fn a_code_travels_in_a_form_where_the_app_asks_for_that(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let state = "<\"&'> \u{e9}";

        let first = ada.allow(&app, &[("response_mode", "form_post"), ("state", state)]).await;
        let page = ada.arrive(&app, &[("response_mode", "form_post"), ("state", state)]).await;

        let silent = page.answer();
        for answer in [&first, &silent] {
            assert_eq!(answer.to, CALLBACK);
            assert_eq!(answer.get("state"), Some(state));
            assert_eq!(answer.get("iss"), Some(house.origin.as_str()));
            succeeds(app.redeem(&house, answer.code())).await;
        }
        assert_eq!(page.status, 200);
        assert!(page.location().is_none() && page.header("cache-control") == "no-store");
        assert!(!page.header("content-security-policy").contains("unsafe"));
        let nobody = Person::at(&house, "nobody");
        let none = nobody.arrive(&app, &[("response_mode", "form_post"), ("prompt", "none")]).await.answer();
        assert_eq!((none.error(), none.get("state")), ("login_required", Some("s1")));
    }
}

#[tokio::test]
async fn the_form_back_to_the_app_speaks_the_language_that_the_app_asked_for() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let more = [("response_mode", "form_post"), ("ui_locales", "tlh de-CH en"), ("prompt", "consent")];

    let consent = ada.sign_in(&ada.arrive(&app, &more).await).await;
    let denied = ada.decide(&ada.arrive(&app, &more).await, "deny").await;
    let approved = ada.decide(&consent, "approve").await;
    let at_once = ada.arrive(&app, &more[..2]).await;
    let refused = ada.arrive(&app, &[more[0], more[1], ("max_age", "x")]).await;
    let signed_in = ada.sign_in(&ada.arrive(&app, &[more[0], more[1], ("prompt", "login")]).await).await;

    for page in [denied, approved, at_once, refused, signed_in] {
        assert!(page.shows("form-post") && page.text.contains("<html lang=\"de\""), "{}", page.text);
    }
}

#[tokio::test]
async fn what_is_not_offered_is_refused_by_its_name() {
    let house = House::embedded().await;
    let app = App::new(&house, "app");

    goes_back(&house, &app, &[("request", "e30.e30.")], "request_not_supported").await;
    goes_back(&house, &app, &[("request_uri", "https://app.example/r")], "request_uri_not_supported").await;
    goes_back(&house, &app, &[("response_type", "")], "invalid_request").await;
    goes_back(&house, &app, &[("response_type", "token")], "unsupported_response_type").await;
    goes_back(&house, &app, &[("response_mode", "fragment")], "invalid_request").await;
    goes_back(&house, &app, &[("scope", "openid write:payments")], "invalid_scope").await;
    goes_back(&house, &app, &[("scope", "a\"b")], "invalid_scope").await;
    goes_back(&house, &app, &[("prompt", "none login")], "invalid_request").await;
    goes_back(&house, &app, &[("prompt", "dance")], "invalid_request").await;
    goes_back(&house, &app, &[("max_age", "-1")], "invalid_request").await;
    goes_back(&house, &app, &[("max_age", "soon")], "invalid_request").await;
    goes_back(&house, &app, &[("claims", "{")], "invalid_request").await;
    goes_back(&house, &app, &[("claims", "[]")], "invalid_request").await;
    goes_back(&house, &app, &[("id_token_hint", "a.b.c")], "invalid_request").await;
    goes_back(&house, &app, &[("resource", "/api")], "invalid_target").await;
    house.json(&["client", "edit", "app", "--grant", "client_credentials"]);
    crate::house::eventually(std::time::Duration::from_secs(1), async || {
        Person::at(&house, "nobody").arrive(&app, &[]).await.location().is_some()
    })
    .await;
    goes_back(&house, &app, &[], "unauthorized_client").await;
}

#[tokio::test]
async fn a_post_leads_to_the_same_pages_as_a_get() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let parameters = app.request(&[("scope", "openid")]);
    let form: Vec<_> = parameters.iter().map(|(name, value)| (*name, value.as_str())).collect();

    let page = ada.send(ada.post("/authorize", &form)).await;
    let page = ada.follow(page).await;
    let page = ada.sign_in(&page).await;
    let answer = ada.decide(&page, "approve").await.answer();

    assert_eq!(answer.get("state"), Some("s1"));
    succeeds(app.redeem(&house, answer.code())).await;
}

#[tokio::test]
async fn empty_parameters_are_absent_and_unknown_ones_ignored() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let empty =
        "scope=&prompt=&max_age=&nonce=&login_hint=&id_token_hint=&ui_locales=&claims=&resource=&response_mode=";
    let refused_if_sent = "request=&request_uri=&display=popup&acr_values=1&claims_locales=de&extra=foobar&%C3%A9=1";

    let page = ada.open(&format!("{}&{empty}&{refused_if_sent}", app.link(&[("state", "")]))).await;
    let page = ada.sign_in(&page).await;
    let answer = ada.decide(&page, "approve").await.answer();

    assert_eq!(answer.get("state"), None);
    let body = succeeds(app.redeem(&house, answer.code())).await;
    assert_eq!(body["scope"], crate::app::SCOPE, "all that is registered");
}

#[tokio::test]
async fn a_repeated_parameter_is_never_sent_on() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    ada.allow(&app, &[]).await;

    for name in ["code_challenge", "code_challenge_method", "nonce", "prompt", "response_mode", "extra"] {
        let twice = format!("{}&{name}=a&{name}=b", app.link(&[(name, "")]));
        refused(house.get(&twice), 400, "invalid_request").await;
        let page = ada.open(&twice).await;
        assert_eq!(page.status, 400);
        assert!(page.shows("error-page") && !page.headers.contains_key(LOCATION), "{name}");
    }
}

#[tokio::test]
async fn a_long_state_comes_back_whole_and_a_longer_one_is_refused() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let longest = "\u{e9} ".repeat(1365) + "x";
    assert_eq!(longest.len(), 4096, "in bytes");

    let answer = ada.allow(&app, &[("state", &longest), ("nonce", &"n".repeat(2000))]).await;
    let refused = ada.arrive(&app, &[("state", &"s".repeat(4097))]).await.answer();

    assert_eq!(answer.get("state"), Some(longest.as_str()));
    succeeds(app.redeem(&house, answer.code())).await;
    assert_eq!(refused.error(), "invalid_request");
}

#[tokio::test]
async fn an_app_on_a_device_is_reached_at_its_own_address() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let own = ["com.example.app:/cb", "http://127.0.0.1:49152/cb?x=1", "http://[::1]:49152/cb"];
    let edit = own.map(|uri| ["--redirect-uri", uri]).concat();
    house.json(&[&["client", "edit", "app"], &edit[..]].concat());
    let known = async || ada.open(&app.link(&[("redirect_uri", own[0])])).await.status == 200;
    crate::house::eventually(std::time::Duration::from_secs(1), known).await;

    for uri in own {
        let page = ada.arrive(&app, &[("redirect_uri", uri), ("prompt", "login consent")]).await;
        let page = ada.sign_in(&page).await;
        let scheme = format!("{}:", uri.split(':').next().unwrap());
        assert!(page.header("content-security-policy").contains(&scheme), "the form may lead there");
        let page = ada.decide(&page, "approve").await;
        assert!(page.location().unwrap().starts_with(uri), "{page:?}");
        let answer = page.answer();
        succeeds(app.redeem_with(&house, &[("code", answer.code()), ("redirect_uri", uri)])).await;
    }
    for near in ["http://127.0.0.1:49153/cb?x=1", "http://localhost:49152/cb?x=1", "com.example.app:/cb/x"] {
        let page = ada.arrive(&app, &[("redirect_uri", near)]).await;
        assert!(page.status == 400 && page.shows("error-page") && page.location().is_none(), "{near}");
    }
}

#[tokio::test]
async fn a_form_of_another_site_finds_who_is_signed_in_and_leaves_the_cookies_alone() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    app.tokens(&house, &ada, &[("scope", "openid")]).await;
    let parameters = app.request(&[("scope", "openid"), ("prompt", "none")]);
    let form: Vec<_> = parameters.iter().map(|(name, value)| (*name, value.as_str())).collect();

    // The browser sends no lax cookie with such a form, and has them all the same.
    let bare = Person::at(&house, "ada");
    let sent = bare.send(bare.post("/authorize", &form).header("sec-fetch-site", "cross-site")).await;
    assert_eq!((sent.status, bare.cookie("vk_browser")), (303, None));
    let answer = ada.open(sent.location().unwrap()).await.answer();

    assert!(answer.get("code").is_some(), "{answer:?}");
}
