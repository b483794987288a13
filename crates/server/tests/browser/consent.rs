//! From the app by way of the pages back to the app.

use crate::tab::Setup;
use crate::world::{PASSWORD, add_user, browse};

#[tokio::test]
async fn a_person_agrees_and_the_app_gets_its_tokens() {
    browse(Setup::default(), async |world| {
        world.arrive_and_sign_in(&[]).await;
        let words = world.tab.text("main").await;
        assert!(words.contains("Harbour Photos") && words.contains("ada"), "{words}");

        world.tab.press("#consent-approve").await;

        world.tab.see("#app").await;
        let answer = world.app.arrival().await;
        assert_eq!(answer.get("state"), "s t&te");
        assert_eq!(answer.get("iss"), world.house.origin);
        let tokens = world.redeem(answer.get("code"), &world.app.at("/cb")).await;
        assert!(tokens["access_token"].is_string() && tokens["id_token"].is_string(), "{tokens}");
        assert_eq!(world.tab.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn a_person_declines_and_the_app_is_told() {
    browse(Setup::default(), async |world| {
        world.arrive_and_sign_in(&[]).await;

        world.tab.press("#consent-deny").await;

        let answer = world.app.arrival().await;
        assert_eq!((answer.get("error"), answer.get("code")), ("access_denied", ""));
        assert_eq!(answer.get("state"), "s t&te");
    })
    .await;
}

#[tokio::test]
async fn what_was_agreed_is_not_asked_again_and_only_what_is_new_is_marked() {
    browse(Setup::default(), async |world| {
        world.arrive_and_sign_in(&[]).await;
        world.tab.press("#consent-approve").await;
        world.app.arrival().await;

        world.tab.go(&world.request(&[])).await;
        assert!(!world.app.arrival().await.get("code").is_empty());

        world.tab.go(&world.request(&[("scope", "openid profile email")])).await;
        world.tab.see("#consent-approve").await;
        assert_eq!(world.tab.run("return document.querySelectorAll('.mark-new').length").await, 1);
    })
    .await;
}

#[tokio::test]
async fn an_app_may_lead_on_to_another_host_of_its_own() {
    browse(Setup::default(), async |world| {
        world.arrive_and_sign_in(&[("redirect_uri", &world.app.at("/on"))]).await;

        world.tab.press("#consent-approve").await;

        world.tab.see("#app").await;
        assert_eq!(world.tab.address().await.host_str(), Some("localhost"));
        assert!(!world.app.arrival().await.get("code").is_empty());
        assert_eq!(world.tab.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn an_answer_by_form_is_posted_by_the_page_itself() {
    browse(Setup::default(), async |world| {
        world.arrive_and_sign_in(&[("response_mode", "form_post")]).await;

        world.tab.press("#consent-approve").await;

        let answer = world.app.arrival().await;
        assert_eq!((answer.method, answer.get("state")), ("POST", "s t&te"));
        assert!(!answer.get("code").is_empty());
        assert!(world.tab.address().await.query().is_none(), "nothing of it is in the address");
        assert_eq!(world.tab.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn the_whole_way_works_without_scripts() {
    let setup = Setup { without_script: true, ..Setup::default() };
    browse(setup, async |world| {
        world.arrive_and_sign_in(&[("response_mode", "form_post")]).await;
        world.tab.press("#consent-approve").await;
        world.tab.press("#form-post button").await;
        assert_eq!(world.app.arrival().await.method, "POST");

        world.tab.go(&world.request(&[("prompt", "consent")])).await;
        world.tab.press("#consent-approve").await;
        let answer = world.app.arrival().await;
        assert_eq!(answer.method, "GET");
        let tokens = world.redeem(answer.get("code"), &world.app.at("/cb")).await;
        assert!(tokens["access_token"].is_string(), "{tokens}");
    })
    .await;
}

#[tokio::test]
async fn an_app_may_ask_for_the_password_again() {
    browse(Setup::default(), async |world| {
        world.arrive_and_sign_in(&[]).await;
        world.tab.press("#consent-approve").await;
        world.app.arrival().await;

        world.tab.go(&world.request(&[("prompt", "login")])).await;
        world.tab.see("#login-submit").await;
        world.tab.see("#password").await.send_keys(PASSWORD).await.unwrap();
        if world.tab.property("#username", "value").await.unwrap_or_default().is_empty() {
            world.tab.fill("#username", "ada").await;
        }
        world.tab.press("#login-submit").await;

        assert!(!world.app.arrival().await.get("code").is_empty());
    })
    .await;
}

#[tokio::test]
async fn someone_else_can_take_over_on_the_consent_page() {
    browse(Setup::default(), async |world| {
        add_user(&world.house, "mallory");
        world.arrive_and_sign_in(&[]).await;

        world.tab.press("button[value=switch]").await;
        world.tab.see("#login-submit").await;
        world.tab.see("#username").await.clear().await.unwrap();
        world.sign_in("mallory", PASSWORD).await;

        world.tab.see("#consent-approve").await;
        assert!(world.tab.text(".who").await.contains("mallory"));
    })
    .await;
}

#[tokio::test]
async fn the_back_button_after_the_answer_does_no_harm() {
    browse(Setup::default(), async |world| {
        world.arrive_and_sign_in(&[]).await;
        world.tab.press("#consent-approve").await;
        let first = world.app.arrival().await;

        world.tab.web.back().await.unwrap();
        if world.tab.sees("#consent-approve").await {
            world.tab.press("#consent-approve").await;
            let second = world.app.arrival().await;
            assert_ne!(first.get("code"), second.get("code"), "a code is never given twice");
        }

        let tokens = world.redeem(first.get("code"), &world.app.at("/cb")).await;
        assert!(tokens["access_token"].is_string(), "{tokens}");
    })
    .await;
}
