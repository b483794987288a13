//! `/account`: a person sees what they allowed and where they are signed in, and takes it back.

use crate::app::{App, userinfo};
use crate::both_engines;
use crate::house::House;
use crate::person::{PASSWORD, Page, Person};

const NEW: &str = "four words nobody guesses";

/// Opens the account, signing in on the way if that is asked.
async fn account(person: &Person) -> Page {
    let page = person.open("/account").await;
    if page.shows("login-submit") {
        let next = page.field("next").unwrap();
        let form = [
            ("csrf", &*page.field("csrf").unwrap()),
            ("next", &next),
            ("username", &person.name),
            ("password", PASSWORD),
        ];
        let sent = person.send(person.post("/login", &form)).await;
        assert_eq!((sent.status, sent.location()), (303, Some("/account")));
        return person.follow(sent).await;
    }
    page
}

/// Presses a button there.
async fn press(person: &Person, button: (&str, &str)) -> Page {
    let csrf = account(person).await.field("csrf").unwrap();
    person.send(person.post("/account", &[("csrf", &csrf), button])).await
}

async fn change(person: &Person, current: &str, new: &str, again: &str) -> Page {
    let csrf = account(person).await.field("csrf").unwrap();
    let form = [
        ("csrf", &*csrf),
        ("change_password", "yes"),
        ("current_password", current),
        ("new_password", new),
        ("new_password_again", again),
    ];
    person.send(person.post("/account", &form)).await
}

/// The value of the first button of this name.
fn button(page: &Page, name: &str) -> Option<String> {
    let after = page.text.split(&format!("name=\"{name}\" value=\"")).nth(1)?;
    Some(after.split('"').next().unwrap().to_owned())
}

async fn can_sign_in(house: &House, name: &str, password: &str) -> bool {
    let browser = Person::at(house, name);
    let page = browser.open("/login").await;
    browser.type_password(&page, password).await.status == 303
}

both_engines! {
    async fn a_password_from_an_operator_is_the_only_one_and_signs_out_everywhere(house: House) {
        let ada = Person::new(&house, "ada");
        account(&ada).await;
        assert!(!ada.open("/account").await.shows("login-submit"));

        let set = house.run_with_input(&["user", "password", "ADA", "--password-stdin", "--json"], NEW);

        let told: serde_json::Value = serde_json::from_slice(&set.stdout).unwrap();
        assert_eq!(told["username"], "ada");
        assert!(ada.open("/account").await.shows("login-submit"), "signed out");
        assert!(!can_sign_in(&house, "ada", PASSWORD).await);
        assert!(can_sign_in(&house, "ada", NEW).await);
        let record = house.json(&["audit", "list", "--kind", "password_changed", "--user", "ada"]);
        assert_eq!(record.as_array().unwrap().len(), 1);
        let unknown = house.run_with_input(&["user", "password", "nobody", "--password-stdin"], NEW);
        assert_eq!(unknown.status.code(), Some(1));
    }

    async fn a_person_sees_who_has_access_and_takes_it_back(house: House) {
        let (app, other, ada) = (App::new(&house, "app"), App::new(&house, "other"), Person::new(&house, "ada"));
        let (tokens, kept) = (app.tokens(&house, &ada, &[]).await, other.tokens(&house, &ada, &[]).await);

        let page = account(&ada).await;
        assert_eq!(page.status, 200);
        for seen in ["The app", "The other", "See your email address", "from 127.0.0.1", "last used"] {
            assert!(page.text.contains(seen), "{seen}: {}", page.text);
        }
        let after = press(&ada, ("withdraw", "app")).await;

        assert!(after.text.contains("The app has no access any more") && !after.text.contains("The app</bdi>"));
        assert!(!app.is_active(&house, &tokens.access).await && !app.is_active(&house, &tokens.refresh).await);
        assert_eq!(userinfo(&house, &tokens.access).await.0, 401);
        assert!(other.is_active(&house, &kept.refresh).await);
        assert!(ada.arrive(&app, &[]).await.shows("consent-approve"), "it must ask again");
    }

    async fn one_place_of_an_app_ends_and_the_others_stay(house: House) {
        let (app, ada, elsewhere) = (App::new(&house, "app"), Person::new(&house, "ada"), Person::at(&house, "ada"));
        let first = app.tokens(&house, &ada, &[]).await;
        let second = app.tokens(&house, &elsewhere, &[]).await;

        let newest = button(&account(&ada).await, "end_session").unwrap();
        press(&ada, ("end_session", &newest)).await;

        assert!(app.is_active(&house, &first.refresh).await);
        assert!(!app.is_active(&house, &second.refresh).await && !app.is_active(&house, &second.access).await);
        assert!(!ada.arrive(&app, &[]).await.shows("consent-approve"), "what was agreed stands");
    }

    async fn other_browsers_are_signed_out_one_by_one_or_all(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let others = [Person::at(&house, "ada"), Person::at(&house, "ada"), Person::at(&house, "ada")];
        for other in &others {
            app.tokens(&house, other, &[]).await;
        }
        let is_in = async |person: &Person| person.arrive(&app, &[("prompt", "none")]).await.answer().get("code").is_some();

        let newest = button(&account(&ada).await, "end").unwrap();
        press(&ada, ("end", &newest)).await;
        assert_eq!([is_in(&others[0]).await, is_in(&others[1]).await, is_in(&others[2]).await], [true, true, false]);
        press(&ada, ("end_all", "yes")).await;

        assert_eq!([is_in(&others[0]).await, is_in(&others[1]).await, is_in(&ada).await], [false, false, true]);
        assert_eq!(button(&account(&ada).await, "end"), None, "this browser ends at /logout");
    }

    async fn a_new_password_works_and_the_old_one_does_not(house: House) {
        let (app, ada, thief) = (App::new(&house, "app"), Person::new(&house, "ada"), Person::at(&house, "ada"));
        let tokens = app.tokens(&house, &ada, &[]).await;
        app.tokens(&house, &thief, &[]).await;
        let stolen = ada.cookie("vk_sign_in").unwrap();

        let done = change(&ada, PASSWORD, NEW, NEW).await;

        assert_eq!(done.status, 200, "{}", done.text);
        assert!(done.text.contains("Your password is changed"));
        assert!(can_sign_in(&house, "ada", NEW).await && !can_sign_in(&house, "ada", PASSWORD).await);
        assert_eq!(thief.arrive(&app, &[("prompt", "none")]).await.answer().error(), "login_required");
        assert!(ada.arrive(&app, &[("prompt", "none")]).await.answer().get("code").is_some(), "this browser stays");
        let copy = Person::at(&house, "ada");
        copy.plant("vk_sign_in", &stolen);
        assert_eq!(copy.arrive(&app, &[("prompt", "none")]).await.answer().error(), "login_required");
        assert!(app.is_active(&house, &tokens.refresh).await, "apps keep what they were granted");
    }

    async fn a_reused_token_and_a_new_password_are_told_to_the_person_they_concern(house: House) {
        let (app, ada, bob) = (App::new(&house, "app"), Person::new(&house, "ada"), Person::new(&house, "bob"));
        let tokens = app.tokens(&house, &ada, &[]).await;
        app.refresh(&house, &tokens.refresh).send().await.unwrap();
        assert!(!account(&ada).await.text.contains("used twice"));

        assert_eq!(app.refresh(&house, &tokens.refresh).send().await.unwrap().status().as_u16(), 400);
        change(&ada, PASSWORD, NEW, NEW).await;

        let page = account(&ada).await;
        assert!(page.text.contains("A token of The app was used twice"), "{}", page.text);
        assert!(page.text.contains("Your password was changed from 127.0.0.1"), "{}", page.text);
        let others = account(&bob).await;
        assert!(!others.text.contains("used twice") && !others.text.contains("was changed from"));
    }

    async fn nobody_ends_what_is_another_persons(house: House) {
        let (app, ada, eve) = (App::new(&house, "app"), Person::new(&house, "ada"), Person::new(&house, "eve"));
        let tokens = app.tokens(&house, &ada, &[]).await;
        let other = Person::at(&house, "ada");
        app.tokens(&house, &other, &[]).await;
        let page = account(&ada).await;
        let (session, sign_in) = (button(&page, "end_session").unwrap(), button(&page, "end").unwrap());

        press(&eve, ("end_session", &session)).await;
        press(&eve, ("end", &sign_in)).await;
        press(&eve, ("end_all", "yes")).await;
        press(&eve, ("withdraw", "app")).await;

        let after = account(&ada).await;
        assert_eq!((button(&after, "end_session"), button(&after, "end")), (Some(session), Some(sign_in)));
        assert!(app.is_active(&house, &tokens.refresh).await);
    }
}

#[tokio::test]
async fn a_bad_new_password_is_refused_and_says_why() {
    let house = House::embedded().await;
    let ada = Person::new(&house, "ada");
    let refused = [
        (PASSWORD, "short", "short", "too short"),
        (PASSWORD, "password1", "password1", "easy to guess"),
        (PASSWORD, "Ada@Example.org", "Ada@Example.org", "easy to guess"),
        (PASSWORD, "abababab", "abababab", "easy to guess"),
        (PASSWORD, NEW, "another thing", "not the same"),
        ("wrong", NEW, NEW, "not right"),
        ("", NEW, NEW, "not right"),
    ];

    for (current, new, again, word) in refused {
        let page = change(&ada, current, new, again).await;

        assert_eq!(page.status, 400, "{new}");
        assert!(page.text.contains(word), "{new}: {}", page.text);
        assert!(!page.text.contains(NEW), "no password stands on the page");
    }
    assert!(can_sign_in(&house, "ada", PASSWORD).await);
}

#[tokio::test]
async fn guessing_the_current_password_is_slowed_down() {
    let house = House::embedded().await;
    let ada = Person::new(&house, "ada");
    let mut last = 0;

    for _ in 0..8 {
        last = change(&ada, "wrong", NEW, NEW).await.status;
    }

    assert_eq!(last, 429);
    assert_eq!(change(&ada, PASSWORD, NEW, NEW).await.status, 429, "even the right one waits");
}

#[tokio::test]
async fn another_site_changes_nothing() {
    let house = House::embedded().await;
    let (app, ada, eve) = (App::new(&house, "app"), Person::new(&house, "ada"), Person::new(&house, "eve"));
    let tokens = app.tokens(&house, &ada, &[]).await;
    let own = account(&ada).await.field("csrf").unwrap();
    let foreign = account(&eve).await.field("csrf").unwrap();
    let form = |csrf: &str| ada.post("/account", &[("csrf", csrf), ("withdraw", "app")]);

    for attempt in [
        form(""),
        form(&foreign),
        form(&own).header("sec-fetch-site", "cross-site"),
        form(&own).header("origin", "https://evil.example"),
    ] {
        let page = ada.send(attempt).await;

        assert_eq!(page.status, 400);
        assert!(page.text.contains("nothing was changed"));
        assert!(app.is_active(&house, &tokens.refresh).await);
    }
    let stranger = Person::at(&house, "ada");
    let sent = stranger.send(stranger.post("/account", &[("csrf", &own), ("withdraw", "app")])).await;
    assert_eq!(sent.location(), Some("/login?next=account"));
}

#[tokio::test]
async fn nonsense_in_a_form_is_an_error_page() {
    let house = House::embedded().await;
    let ada = Person::new(&house, "ada");

    for nonsense in [("end_session", "x"), ("end", "../../etc"), ("end", "")] {
        let page = press(&ada, nonsense).await;

        assert!((400..500).contains(&page.status), "{nonsense:?} {}", page.status);
        assert!(page.shows("error-page"), "{}", page.text);
    }
}
