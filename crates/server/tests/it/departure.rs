//! `/logout` when an app sends the browser there (OpenID Connect RP-Initiated Logout).

use crate::app::{App, Tokens};
use crate::both_engines;
use crate::house::House;
use crate::person::{Page, Person, link};

const BYE: &str = "https://app.example/bye";

/// An app that may bring people back after a sign-out, with someone who is signed in there.
async fn world(house: &House) -> (App, Person, Tokens) {
    let (app, ada) = (App::new(house, "app"), Person::new(house, "ada"));
    house.json(&[
        "client",
        "edit",
        "app",
        "--post-logout-redirect-uri",
        BYE,
        "--post-logout-redirect-uri",
        "https://app.example/bye?x=1",
    ]);
    let tokens = app.tokens(house, &ada, &[]).await;
    (app, ada, tokens)
}

fn hint(tokens: &Tokens) -> &str {
    tokens.body["id_token"].as_str().unwrap()
}

async fn confirm(person: &Person, page: &Page) -> Page {
    let (csrf, request) = (page.field("csrf").unwrap(), page.field("request").unwrap());
    person.send(person.post("/logout", &[("csrf", &csrf), ("request", &request)])).await
}

async fn is_signed_in(person: &Person, app: &App) -> bool {
    person.arrive(app, &[("prompt", "none")]).await.answer().get("error").is_none()
}

both_engines! {
    async fn an_app_signs_its_user_out_and_gets_the_browser_back_with_its_state(house: House) {
        let (app, ada, tokens) = world(&house).await;
        let request = [("id_token_hint", hint(&tokens)), ("post_logout_redirect_uri", BYE), ("state", "a b&c=\u{e9}")];

        let asked = ada.open(&link("/logout", &request)).await;
        assert!(asked.shows("logout-confirm") && asked.text.contains("The app"), "{}", asked.text);
        assert!(is_signed_in(&ada, &app).await, "asking changes nothing");
        let done = confirm(&ada, &asked).await;

        assert_eq!(done.answer().to, BYE);
        assert_eq!(ada.cookie("vk_sign_in"), None, "the cookie goes too");
        assert_eq!(done.answer().pairs, [("state".to_owned(), "a b&c=\u{e9}".to_owned())]);
        assert!(!is_signed_in(&ada, &app).await);
        let again = ada.open(&link("/logout", &request)).await;
        assert_eq!(again.answer().to, BYE, "nobody is signed in: there is nothing to ask");
    }

    async fn a_form_from_the_app_is_asked_about_with_the_next_page(house: House) {
        let (app, ada, tokens) = world(&house).await;
        let request = [("id_token_hint", hint(&tokens)), ("post_logout_redirect_uri", BYE)];

        // A browser sends no lax cookie with another site's form.
        let stranger = Person::at(&house, "ada");
        let sent_on = stranger.send(stranger.post("/logout", &request)).await;
        let location = sent_on.location().unwrap().to_owned();
        assert_eq!(sent_on.status, 303);
        assert!(location.starts_with("/logout?request=") && !location.contains(hint(&tokens)));
        let asked = ada.open(&location).await;
        let done = confirm(&ada, &asked).await;

        assert_eq!((done.status, done.location()), (303, Some(BYE)), "no state came, none goes back");
        assert!(!is_signed_in(&ada, &app).await);
    }

    async fn without_a_place_to_go_a_page_says_that_it_is_done(house: House) {
        let (_, ada, tokens) = world(&house).await;
        let requests: [&[(&str, &str)]; 4] =
            [&[], &[("state", "s")], &[("id_token_hint", hint(&tokens))], &[("id_token_hint", hint(&tokens)), ("client_id", "app")]];

        for request in requests {
            ada.sign_in(&ada.open("/login").await).await;
            let done = confirm(&ada, &ada.open(&link("/logout", request)).await).await;

            assert_eq!((done.status, done.location()), (200, None), "{request:?}");
            assert!(done.text.contains("href=\"/login\""));
        }
    }
}

#[tokio::test]
async fn nothing_unsound_sends_a_browser_anywhere() {
    let house = House::embedded().await;
    let (app, ada, tokens) = world(&house).await;
    App::new(&house, "other");
    let good = hint(&tokens);
    let (head, rest) = good.split_once('.').unwrap();
    let unsigned = format!("eyJhbGciOiJub25lIn0.{}.", rest.split('.').next().unwrap());
    let altered = format!("{head}.{}x", &rest[..rest.len() - 1]);
    let requests: [&[(&str, &str)]; 11] = [
        &[("post_logout_redirect_uri", BYE)],
        &[("post_logout_redirect_uri", BYE), ("id_token_hint", "nonsense")],
        &[("post_logout_redirect_uri", BYE), ("id_token_hint", &unsigned)],
        &[("post_logout_redirect_uri", BYE), ("id_token_hint", &altered)],
        &[("post_logout_redirect_uri", BYE), ("id_token_hint", &tokens.access)],
        &[("post_logout_redirect_uri", BYE), ("id_token_hint", good), ("client_id", "other")],
        &[("post_logout_redirect_uri", BYE), ("client_id", "other")],
        &[("post_logout_redirect_uri", BYE), ("client_id", "nobody")],
        &[("post_logout_redirect_uri", "https://app.example/bye?foo=bar"), ("id_token_hint", good)],
        &[("post_logout_redirect_uri", "https://app.example/bye/"), ("id_token_hint", good)],
        &[("post_logout_redirect_uri", "https://evil.example/"), ("id_token_hint", good)],
    ];

    for request in requests {
        let page = ada.open(&link("/logout", request)).await;

        assert_eq!((page.status, page.location()), (400, None), "{request:?}");
        assert!(page.shows("error-page"), "{request:?}");
        let posted = ada.send(ada.post("/logout", request)).await;
        assert_eq!((posted.status, posted.location()), (400, None), "{request:?}");
        assert!(is_signed_in(&ada, &app).await, "{request:?}");
    }
}

#[tokio::test]
async fn a_wish_that_was_not_sealed_here_is_refused() {
    let house = House::embedded().await;
    let (app, ada, _) = world(&house).await;
    let csrf = ada.open("/logout").await.field("csrf").unwrap();
    let login = Person::at(&house, "ada").arrive(&app, &[]).await.field("request").unwrap();

    for request in ["x", "vk_lo_AAAA", &login, &login.replace("vk_in_", "vk_lo_")] {
        let page = ada.send(ada.post("/logout", &[("csrf", &csrf), ("request", request)])).await;

        assert_eq!((page.status, page.location()), (400, None), "{request}");
        assert!(is_signed_in(&ada, &app).await);
    }
}

#[tokio::test]
async fn an_app_named_by_its_id_alone_may_bring_its_user_back() {
    let house = House::embedded().await;
    let (app, ada, _) = world(&house).await;
    let request = [("client_id", "app"), ("post_logout_redirect_uri", "https://app.example/bye?x=1"), ("state", "s")];

    let done = confirm(&ada, &ada.open(&link("/logout", &request)).await).await;

    assert_eq!(done.location(), Some("https://app.example/bye?x=1&state=s"));
    assert!(!is_signed_in(&ada, &app).await);
}
