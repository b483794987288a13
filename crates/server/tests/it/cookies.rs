//! The cookies of a sign-in: new each time, kept from scripts and other sites, and never taken from strangers.

use reqwest::header::SET_COOKIE;

use crate::app::App;
use crate::both_engines;
use crate::house::{Engine, House};
use crate::login::{COOKIE, is_in};
use crate::person::{PASSWORD, Person};

both_engines! {
    async fn a_sign_in_survives_a_restart_and_gets_a_new_cookie_each_time(house: House) {
        let mut house = house;
        let mut ada = Person::new(&house, "ada");
        ada.sign_in(&ada.open("/login").await).await;
        let first = ada.cookie(COOKIE).unwrap();

        house.kill();
        house.start().await;
        ada.move_to(&house);

        assert!(is_in(&ada).await);
        let app = App::new(&house, "app");
        ada.sign_in(&ada.arrive(&app, &[("prompt", "login")]).await).await;
        let second = ada.cookie(COOKIE).unwrap();
        assert_ne!(first, second);
        assert!(is_in(&ada).await);
        let thief = Person::at(&house, "thief");
        thief.plant(COOKIE, &first);
        assert!(!is_in(&thief).await, "the cookie of before is worth nothing");
    }
}

#[tokio::test]
async fn cookies_are_kept_from_scripts_and_other_sites() {
    let house = House::embedded().await;
    let ada = Person::new(&house, "ada");

    let page = ada.open("/login").await;
    let next = ada.type_password(&page, PASSWORD).await;

    let lines = page.headers.get_all(SET_COOKIE).iter().chain(next.headers.get_all(SET_COOKIE));
    let lines: Vec<_> = lines.map(|line| line.to_str().unwrap()).collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    for line in lines {
        for rule in ["; Path=/", "; HttpOnly", "; SameSite=Lax"] {
            assert!(line.contains(rule), "{line}");
        }
        assert!(!line.contains("Domain"), "{line}");
    }
    assert_eq!(next.header("cache-control"), "no-store");
}

#[tokio::test]
async fn behind_https_cookies_are_bound_to_the_host() {
    let settings = [("VALETKEY_PUBLIC_URL", "https://id.example.com")];
    let house = House::with(Engine::Sqlite, &settings).await.unwrap();
    let ada = Person::new(&house, "ada");

    let page = ada.open("/login").await;
    let next = ada.type_password(&page, PASSWORD).await;

    for line in page.headers.get_all(SET_COOKIE).iter().chain(next.headers.get_all(SET_COOKIE)) {
        let line = line.to_str().unwrap();
        assert!(line.starts_with("__Host-") && line.contains("; Secure") && line.contains("; Path=/"), "{line}");
        assert!(line.contains("; HttpOnly") && line.contains("; SameSite=Lax") && !line.contains("Domain"), "{line}");
    }
    assert!(is_in(&ada).await);
    let cookie = ada.cookie("__Host-vk_sign_in").unwrap();
    let planted = Person::at(&house, "ada");
    planted.plant(COOKIE, &cookie);
    assert!(!is_in(&planted).await, "a name that any host may set is not read");
}

#[tokio::test]
async fn what_a_browser_is_known_by_is_ours_or_replaced() {
    let house = House::embedded().await;
    let ada = Person::at(&house, "ada");

    for strange in ["x".repeat(39), "x".repeat(3000), format!("{}%", "x".repeat(42))] {
        ada.plant("vk_browser", &strange);
        ada.open("/login").await;
        let known = ada.cookie("vk_browser").unwrap();
        assert_ne!(known, strange);
        ada.open("/login").await;
        assert_eq!(ada.cookie("vk_browser").unwrap(), known, "and kept from then on");
    }
}

#[tokio::test]
async fn a_planted_cookie_is_ignored_and_replaced() {
    let house = House::embedded().await;
    let ada = Person::new(&house, "ada");
    let planted = "vk_si_PlantedPlantedPlantedPlantedPlantedPlante";
    ada.plant(COOKIE, planted);
    assert!(!is_in(&ada).await);

    ada.sign_in(&ada.open("/login").await).await;

    assert_ne!(ada.cookie(COOKIE).unwrap(), planted);
    let attacker = Person::at(&house, "eve");
    attacker.plant(COOKIE, planted);
    assert!(!is_in(&attacker).await);
    let both = format!("{COOKIE}={}; {COOKIE}=x", ada.cookie(COOKIE).unwrap());
    let doubled = attacker.get("/login").header("cookie", both).send().await.unwrap().text().await.unwrap();
    assert!(doubled.contains("id=\"login-submit\""), "of two cookies with one name none is believed");
}
