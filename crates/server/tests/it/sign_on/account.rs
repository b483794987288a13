//! Links on the account page, and signing in without passwords.

use super::provider::Provider;
use super::{account, ada, open, sign_on};
use crate::both_engines;
use crate::house::House;
use crate::person::{PASSWORD, Page, Person};

async fn unlink(person: &Person, page: &Page, issuer: &str) -> Page {
    let csrf = page.field("csrf").unwrap();
    person.send(person.post("/account", &[("csrf", &csrf), ("unlink", issuer)])).await
}

both_engines! {
    async fn a_link_can_be_taken_away_but_not_the_last_way_in(house: House) {
        let provider = Provider::knowing(ada()).await;
        let house = open(house, &provider, &[("VALETKEY_PROVIDERS_CORP_CREATE_ACCOUNTS", "true")]).await;
        let person = Person::new(&house, "ada");
        sign_on(&person, &provider).await;
        let page = account(&person).await.unwrap();
        assert!(page.text.contains("name=\"unlink\"") && page.text.contains("change-password"));

        let done = unlink(&person, &page, provider.issuer()).await;

        assert_eq!(done.status, 200);
        assert!(done.text.contains("cannot sign in that way any more") && !done.text.contains("name=\"unlink\""));
        provider.behave(|manner| {
            manner.person.insert("email".to_owned(), "new@example.org".into());
            manner.person.insert("preferred_username".to_owned(), "newcomer".into());
        });
        let newcomer = Person::at(&house, "newcomer");
        assert_eq!(sign_on(&newcomer, &provider).await.status, 303);
        let page = account(&newcomer).await.unwrap();
        assert!(!page.text.contains("change-password"), "there is no password to change");
        let kept = unlink(&newcomer, &page, provider.issuer()).await;
        assert_eq!(kept.status, 400);
        assert!(kept.text.contains("the only way") && kept.text.contains("name=\"unlink\""), "{}", kept.text);
    }
}

#[tokio::test]
async fn nobody_takes_away_the_link_of_another() {
    let provider = Provider::knowing(ada()).await;
    let house = open(House::embedded().await, &provider, &[]).await;
    let (person, eve) = (Person::new(&house, "ada"), Person::new(&house, "eve"));
    sign_on(&person, &provider).await;
    eve.sign_in(&eve.open("/login").await).await;

    let page = account(&eve).await.unwrap();
    unlink(&eve, &page, provider.issuer()).await;
    let foreign = account(&person).await.unwrap().field("csrf").unwrap();
    let forged = eve.send(eve.post("/account", &[("csrf", &foreign), ("unlink", provider.issuer())])).await;

    assert_eq!(forged.status, 400);
    assert_eq!(house.json(&["user", "links", "ada"]).as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn where_passwords_are_off_only_providers_let_people_in() {
    let provider = Provider::knowing(ada()).await;
    let house = open(House::embedded().await, &provider, &[("VALETKEY_SIGN_IN_PASSWORDS", "false")]).await;
    let person = Person::new(&house, "ada");

    let page = person.open("/login").await;
    let typed = person.type_password(&page, PASSWORD).await;

    assert!(page.shows("login-with-corp") && !page.shows("login-submit"));
    assert_eq!(typed.status, 400);
    assert!(person.cookie("vk_sign_in").is_none());
    assert_eq!(sign_on(&person, &provider).await.status, 303);
    let page = account(&person).await.unwrap();
    assert!(!page.text.contains("change-password"));
    assert_eq!(unlink(&person, &page, provider.issuer()).await.status, 400, "the password is no way in");
}

#[tokio::test]
async fn the_button_speaks_the_language_of_the_reader() {
    let provider = Provider::knowing(ada()).await;
    let house = open(House::embedded().await, &provider, &[]).await;
    let person = Person::at(&house, "ada");

    for (language, word) in [("de", "anmelden"), ("fr", "Se connecter avec"), ("es", "Iniciar sesión con")] {
        let page = person.send(person.get("/login").header("accept-language", language)).await;
        let button = page.text.split("id=\"login-with-corp\"").nth(1).unwrap().split("</button>").next().unwrap();
        assert!(button.contains(word) && button.contains("Example Corp"), "{button}");
    }
}
