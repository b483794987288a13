//! Signing in through another provider.

mod account;
mod attacks;
mod freshness;
mod linking;
pub mod provider;
mod settings;

use std::time::Duration;

use serde_json::{Value, json};

use crate::app::App;
use crate::both_engines;
use crate::house::{House, eventually};
use crate::person::{Page, Person, link};
use provider::{CLIENT, Provider, SECRET};

/// Ada, as a provider knows her.
fn ada() -> Value {
    json!({
        "sub": "248289761001",
        "name": "Ada King",
        "given_name": "Ada",
        "preferred_username": "ada.king",
        "email": "ada@example.org",
        "email_verified": true,
    })
}

/// The same house with this provider under the name `corp`, and other settings.
async fn open(mut house: House, provider: &Provider, more: &[(&str, &str)]) -> House {
    house.set("VALETKEY_OUTBOUND_ALLOW", "127.0.0.0/8");
    house.set("VALETKEY_PROVIDERS_CORP_NAME", "Example Corp");
    house.set("VALETKEY_PROVIDERS_CORP_ISSUER", provider.issuer());
    house.set("VALETKEY_PROVIDERS_CORP_CLIENT_ID", CLIENT);
    house.set("VALETKEY_PROVIDERS_CORP_CLIENT_SECRET", SECRET);
    for (name, value) in more {
        house.set(name, value);
    }
    house.stop().await;
    house.start().await;
    house
}

/// Presses the button of the provider on this page.
async fn leave(person: &Person, page: &Page) -> Page {
    let field = |name: &str| page.field(name).unwrap_or_default();
    let form = [("csrf", &*field("csrf")), ("request", &field("request")), ("next", &field("next"))];
    person.send(person.post("/login/corp", &form)).await
}

/// The address on this server to which the provider sends whoever followed this one.
fn way_back(provider: &Provider, left: &Page) -> String {
    assert_eq!(left.status, 303, "{}", left.text);
    let (back, answer) = provider.let_in(left.location().unwrap());
    let path = &back[back.find("/login").unwrap()..];
    let answer: Vec<_> = answer.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    link(path, &answer)
}

/// Presses the button, is let in there, and comes back. No redirect is followed after that.
async fn come_back(person: &Person, provider: &Provider, page: &Page) -> Page {
    let left = leave(person, page).await;
    person.send(person.get(&way_back(provider, &left))).await
}

/// Signs in through the provider without an app.
async fn sign_on(person: &Person, provider: &Provider) -> Page {
    let page = person.open("/login").await;
    come_back(person, provider, &page).await
}

/// Who the server says is signed in, if anyone is.
async fn account(person: &Person) -> Option<Page> {
    let page = person.open("/account").await;
    (!page.shows("login-submit") && !page.shows("providers")).then_some(page)
}

fn log_has(house: &House, words: &str) -> bool {
    house.log().contains(words)
}

both_engines! {
    async fn the_whole_way_from_an_app_through_a_provider_to_tokens(house: House) {
        let provider = Provider::knowing(ada()).await;
        let house = open(house, &provider, &[]).await;
        let (app, person) = (App::new(&house, "app"), Person::new(&house, "ada"));

        let page = person.arrive(&app, &[("nonce", "n-0")]).await;
        let left = leave(&person, &page).await;
        let asked = left.location().unwrap().to_owned();
        let back = person.send(person.get(&way_back(&provider, &left))).await;
        let consent = person.follow(back).await;
        let answer = person.decide(&consent, "approve").await.answer();
        let tokens = crate::app::Tokens::read(crate::token::succeeds(app.redeem(&house, answer.code())).await);

        assert!(page.shows("login-with-corp") && page.shows("login-submit"));
        assert!(page.text.contains("Sign in with"), "{}", page.text);
        assert!(asked.starts_with(&format!("{}/authorize?", provider.issuer())), "{asked}");
        for part in ["response_type=code", "scope=openid%20email%20profile", "code_challenge_method=S256", "nonce="] {
            assert!(asked.contains(part), "{part}: {asked}");
        }
        assert!(!asked.contains("prompt=") && !asked.contains("max_age="), "{asked}");
        assert!(consent.shows("consent-approve"), "{}", consent.text);
        let (_, claims) = crate::jwks::verify_for(&house, tokens.body["id_token"].as_str().unwrap(), "app").await;
        let users = crate::app::userinfo(&house, &tokens.access).await.1;
        assert_eq!((&users["preferred_username"], &users["sub"]), (&json!("ada"), &claims["sub"]));
        assert_eq!(claims.get("amr"), None, "the provider did not say how");
        let is_told = async || log_has(&house, "account linked") && log_has(&house, "signed in through a provider");
        eventually(Duration::from_secs(20), is_told).await;
        assert!(!house.log().contains(SECRET) && !house.log().contains("248289761001"));
    }

    async fn the_session_is_a_new_one_and_whoever_was_in_before_is_out(house: House) {
        let provider = Provider::knowing(ada()).await;
        let house = open(house, &provider, &[]).await;
        let (person, bob) = (Person::new(&house, "ada"), Person::new(&house, "bob"));
        let page = person.open("/login").await;
        let same = Person::at(&house, "bob");
        bob.sign_in(&bob.open("/login").await).await;
        let planted = bob.cookie("vk_sign_in").unwrap();
        person.plant("vk_sign_in", &planted);

        let back = come_back(&person, &provider, &page).await;

        assert_eq!(back.status, 303);
        let fresh = person.cookie("vk_sign_in").unwrap();
        assert_ne!(fresh, planted);
        assert!(account(&person).await.unwrap().text.contains("ada"));
        same.plant("vk_sign_in", &planted);
        assert!(account(&same).await.is_none(), "the planted cookie is worth nothing");
    }
}

#[tokio::test]
async fn two_tabs_do_not_break_each_other_and_many_do_not_fill_the_browser() {
    let provider = Provider::knowing(ada()).await;
    let house = open(House::embedded().await, &provider, &[]).await;
    let (app, person) = (App::new(&house, "app"), Person::new(&house, "ada"));

    let (first, second) = (person.arrive(&app, &[("state", "one")]).await, person.open("/login?next=account").await);
    let (left, later) = (leave(&person, &first).await, leave(&person, &second).await);
    let account = person.send(person.get(&way_back(&provider, &later))).await;
    let consent = person.send(person.get(&way_back(&provider, &left))).await;

    assert_eq!(account.location(), Some("/account"));
    assert!(consent.location().unwrap().starts_with("/consent?request="), "{consent:?}");
    let other = Person::at(&house, "ada");
    let page = other.open("/login").await;
    let mut held = 0;
    for _ in 0..12 {
        let left = leave(&other, &page).await;
        assert_eq!(left.status, 303);
        held =
            left.headers.get_all("set-cookie").iter().filter(|line| line.to_str().unwrap().contains("vk_c_")).count();
    }
    assert_eq!(held, 2, "one comes and one goes");
}

#[tokio::test]
async fn a_long_request_of_an_app_comes_through() {
    let provider = Provider::knowing(ada()).await;
    let house = open(House::embedded().await, &provider, &[]).await;
    let (app, person) = (App::new(&house, "app"), Person::new(&house, "ada"));
    let state = "s".repeat(3000);

    let page = person.arrive(&app, &[("state", &state)]).await;
    let back = come_back(&person, &provider, &page).await;
    let consent = person.follow(back).await;
    let answer = person.decide(&consent, "approve").await.answer();

    assert_eq!(answer.get("state"), Some(state.as_str()));
}

#[tokio::test]
async fn a_cookie_of_a_secure_server_is_strict() {
    let provider = Provider::knowing(ada()).await;
    let secure = [("VALETKEY_PUBLIC_URL", "https://id.example"), ("VALETKEY_TRUSTED_PROXIES", "127.0.0.1")];
    let house = open(House::embedded().await, &provider, &secure).await;
    let person = Person::at(&house, "ada");

    let page = person.open("/login").await;
    let left = leave(&person, &page).await;

    let lines: Vec<_> = left.headers.get_all("set-cookie").iter().map(|line| line.to_str().unwrap()).collect();
    let line =
        lines.iter().find(|line| line.starts_with("__Host-vk_c_sign_on_")).unwrap_or_else(|| panic!("{lines:?}"));
    for rule in ["; Path=/", "; HttpOnly", "; SameSite=Lax", "; Secure", "; Max-Age=1200"] {
        assert!(line.contains(rule), "{line}");
    }
    assert!(left.location().unwrap().contains("redirect_uri=https%3A%2F%2Fid.example%2Flogin%2Fcorp%2Fcallback"));
}
