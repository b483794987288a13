//! `/login`: who gets in, who does not, and what a browser is given.

use crate::answer::problem;
use crate::app::App;
use crate::both_engines;
use crate::house::House;
use crate::person::{PASSWORD, Page, Person};

pub const COOKIE: &str = "vk_sign_in";

/// Is this browser signed in?
pub async fn is_in(person: &Person) -> bool {
    let page = person.open("/login").await;
    assert_eq!(page.status, 200);
    assert_ne!(page.shows("login-submit"), page.shows("logout-confirm"));
    page.shows("logout-confirm")
}

/// The page without what differs from one to the next.
fn words(page: &Page, name: &str) -> String {
    let csrf = page.field("csrf").unwrap();
    page.text.replace(&csrf, "CSRF").replace(name, "NAME")
}

fn assert_is_strict(page: &Page) {
    let policy = page.header("content-security-policy");
    for rule in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"] {
        assert!(policy.contains(rule), "{policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains("script-src") && !policy.contains('*'), "{policy}");
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    assert_eq!(page.header("x-frame-options"), "DENY");
    assert_eq!(page.header("referrer-policy"), "no-referrer");
    assert_eq!(page.header("cache-control"), "no-store");
    for forbidden in ["<script", "<style", " style=", " onclick=", "javascript:"] {
        assert!(!page.text.contains(forbidden), "{forbidden}");
    }
}

both_engines! {
    async fn a_wrong_name_and_a_wrong_password_are_answered_alike(house: House) {
        let (ada, eve) = (Person::new(&house, "ada"), Person::at(&house, "eve"));

        let known = ada.type_password(&ada.open("/login").await, "wrong").await;
        let unknown = eve.type_password(&eve.open("/login").await, PASSWORD).await;

        assert_eq!((known.status, unknown.status), (403, 403));
        assert_eq!(words(&known, "ada"), words(&unknown, "eve"));
        for page in [&known, &unknown] {
            assert_is_strict(page);
            assert!(!page.text.contains("wrong\"") && !page.text.contains(PASSWORD), "what was typed is not shown");
        }
        assert!(!is_in(&ada).await && !is_in(&eve).await);
        for password in ["", "x", &"x".repeat(5000), "\u{1f511}"] {
            assert_eq!(eve.type_password(&eve.open("/login").await, password).await.status, 403);
        }
    }
}

#[tokio::test]
async fn mistakes_slow_down_only_who_makes_them() {
    let house = House::embedded().await;
    let (ada, bob) = (Person::new(&house, "ada"), Person::new(&house, "bob"));
    let stranger = Person::from(&house, "ada", [127, 0, 0, 2]);

    let page = stranger.open("/login").await;
    let mut refused = stranger.type_password(&page, "wrong").await;
    for _ in 0..12 {
        if refused.status == 429 {
            break;
        }
        assert_eq!(refused.status, 403);
        refused = stranger.type_password(&page, "wrong").await;
    }

    assert_eq!(refused.status, 429);
    assert!(refused.header("retry-after").parse::<u64>().unwrap() >= 1);
    assert!(refused.shows("login-submit"));
    assert_is_strict(&refused);
    assert_eq!(stranger.type_password(&page, PASSWORD).await.status, 429, "the right password waits too");
    bob.sign_in(&bob.open("/login").await).await;
    ada.sign_in(&ada.open("/login").await).await;
    let neighbour = Person::from(&house, "bob", [127, 0, 0, 2]);
    neighbour.sign_in(&neighbour.open("/login").await).await;
}

#[tokio::test]
async fn a_form_is_only_taken_from_a_page_of_this_browser() {
    let house = House::embedded().await;
    let (ada, eve) = (Person::new(&house, "ada"), Person::at(&house, "ada"));
    let (own, foreign) =
        (ada.open("/login").await.field("csrf").unwrap(), eve.open("/login").await.field("csrf").unwrap());
    let app = App::new(&house, "app");
    let request = ada.arrive(&app, &[]).await.field("request").unwrap();
    let form = |csrf: &str| ada.post("/login", &[("csrf", csrf), ("username", "ada"), ("password", PASSWORD)]);

    let mut attempts = vec![form(""), form("x"), form(&foreign), form(&request), form(&own[..own.len() - 1])];
    attempts.push(ada.post("/login", &[("username", "ada"), ("password", PASSWORD)]));
    attempts.push(form(&own).header("origin", "https://evil.example"));
    attempts.push(form(&own).header("origin", format!("{}.evil.example", house.origin)));
    for site in ["cross-site", "same-site"] {
        attempts.push(form(&own).header("sec-fetch-site", site));
    }
    for attempt in attempts {
        let page = ada.send(attempt).await;
        assert_eq!(page.status, 400);
        assert!(page.shows("login-submit") && ada.cookie(COOKIE).is_none());
    }
    assert!(!is_in(&ada).await);

    let sound = form(&own).header("origin", &house.origin).header("sec-fetch-site", "same-origin");
    assert_eq!(ada.send(sound).await.status, 303);
    assert!(is_in(&ada).await);
}

#[tokio::test]
async fn what_is_no_form_is_a_problem_and_no_accident() {
    let house = House::embedded().await;

    for path in ["/login", "/consent", "/logout"] {
        let json = house.bare(path).json(&serde_json::json!({ "csrf": "x" })).send().await.unwrap();
        assert_eq!(json.status(), 415, "{path}");
        problem(json).await;
        let form =
            |body: String| house.bare(path).header("content-type", "application/x-www-form-urlencoded").body(body);
        let twice = form("csrf=a&csrf=b".to_owned()).send().await.unwrap();
        assert!([400, 422].contains(&twice.status().as_u16()), "{path}: {}", twice.status());
        problem(twice).await;
        let large = form(format!("csrf={}", "x".repeat(70_000))).send().await.unwrap();
        assert_eq!(large.status(), 413, "{path}");
        problem(large).await;
        let put = house.http.put(format!("{}{path}", house.origin)).send().await.unwrap();
        assert_eq!(put.status(), 405, "{path}");
        problem(put).await;
    }
    let ada = Person::at(&house, "ada");
    for path in ["/login?request=a&request=b", "/consent?request=a&request=b", "/consent?request=%ff"] {
        let page = ada.open(path).await;
        assert_eq!(page.status, 400, "{path}");
        assert!(page.shows("error-page"), "{path}: {}", page.text);
    }
}

#[tokio::test]
async fn every_page_is_strict() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));

    let bare = ada.open("/login").await;
    let login = ada.arrive(&app, &[]).await;
    let consent = ada.sign_in(&login).await;
    let (signed_in, logout) = (ada.open("/login").await, ada.open("/logout").await);
    let broken = ada.open("/consent?request=x").await;
    let signed_out = ada.send(ada.post("/logout", &[("csrf", &logout.field("csrf").unwrap())])).await;

    assert!(consent.shows("consent-approve") && logout.shows("logout-confirm") && broken.shows("error-page"));
    for page in [&bare, &login, &consent, &signed_in, &logout, &broken, &signed_out] {
        assert_is_strict(page);
    }
}

#[tokio::test]
async fn pages_speak_the_language_of_the_reader() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let with = |path: &str, language: &str| ada.send(ada.get(path).header("accept-language", language));

    for (accepted, tag, word) in [
        ("de-AT,de;q=0.9,en;q=0.5", "de", "Anmelden"),
        ("en;q=0.2, de;q=0.8", "de", "Anmelden"),
        ("fr", "fr", "Se connecter"),
        ("tlh, ja", "en", "Sign in"),
    ] {
        let page = with("/login", accepted).await;
        assert!(page.text.contains(&format!("<html lang=\"{tag}\"")), "{accepted}");
        assert!(page.text.contains(word), "{accepted}");
    }
    let asked = ada.arrive(&app, &[("ui_locales", "tlh de-CH en")]).await;
    assert!(asked.text.contains("<html lang=\"de\"") && asked.text.contains("und weiter zu"));
    let consent = ada.sign_in(&asked).await;
    assert!(consent.text.contains("<html lang=\"de\"") && consent.text.contains("E-Mail"), "{}", consent.text);
}

#[tokio::test]
async fn the_name_that_the_app_expects_stands_in_the_field() {
    let house = House::embedded().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let hint = "\"><script>alert(1)</script>&amp;";

    let page = ada.arrive(&app, &[("login_hint", "ada")]).await;
    let hostile = ada.arrive(&app, &[("login_hint", hint)]).await;

    assert_eq!(page.field("username").as_deref(), Some("ada"));
    assert!(!hostile.text.contains("<script"));
    assert_eq!(hostile.field("username").as_deref(), Some(hint));
}
