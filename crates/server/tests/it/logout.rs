//! `/logout`: signs out of the browser, after asking.

use crate::app::App;
use crate::both_engines;
use crate::house::House;
use crate::person::Person;

both_engines! {
    async fn signing_out_ends_the_sign_in_and_not_what_apps_were_granted(house: House) {
        let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));
        let tokens = app.tokens(&house, &ada, &[]).await;
        let cookie = ada.cookie("vk_sign_in").unwrap();

        let asked = ada.open("/logout").await;
        assert!(asked.shows("logout-confirm") && asked.text.contains("ada"));
        assert_eq!(ada.arrive(&app, &[("prompt", "none")]).await.answer().get("error"), None, "asking changes nothing");
        let done = ada.send(ada.post("/logout", &[("csrf", &asked.field("csrf").unwrap())])).await;

        assert_eq!(done.status, 200);
        assert!(!done.shows("logout-confirm") && ada.cookie("vk_sign_in").is_none());
        assert_eq!(ada.arrive(&app, &[("prompt", "none")]).await.answer().error(), "login_required");
        let thief = Person::at(&house, "ada");
        thief.plant("vk_sign_in", &cookie);
        assert_eq!(thief.arrive(&app, &[("prompt", "none")]).await.answer().error(), "login_required");
        assert!(app.is_active(&house, &tokens.access).await && app.is_active(&house, &tokens.refresh).await);
    }
}

#[tokio::test]
async fn another_site_signs_nobody_out() {
    let house = House::embedded().await;
    let ada = Person::new(&house, "ada");
    ada.sign_in(&ada.open("/login").await).await;
    let own = ada.open("/logout").await.field("csrf").unwrap();
    let foreign = Person::at(&house, "eve").open("/login").await.field("csrf").unwrap();
    let form = |csrf: &str| ada.post("/logout", &[("csrf", csrf)]);

    let attempts = [
        form(""),
        form("x"),
        form(&foreign),
        form(&own).header("origin", "https://evil.example"),
        form(&own).header("sec-fetch-site", "cross-site"),
    ];
    for attempt in attempts {
        let page = ada.send(attempt).await;
        assert!(page.shows("logout-confirm"));
        assert!(ada.open("/login").await.shows("logout-confirm"), "still signed in");
    }
}

#[tokio::test]
async fn who_is_not_signed_in_hears_just_that() {
    let house = House::embedded().await;
    let nobody = Person::at(&house, "nobody");

    let page = nobody.open("/logout").await;

    assert_eq!(page.status, 200);
    assert!(!page.shows("logout-confirm") && page.text.contains("href=\"/login\""));
}
