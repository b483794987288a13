//! `/login` as a person meets it.

use thirtyfour::Key;

use crate::tab::Setup;
use crate::world::{PASSWORD, add_user, browse};

#[tokio::test]
async fn the_right_password_signs_in() {
    browse(Setup::default(), async |world| {
        world.sign_in_alone().await;

        assert!(!world.tab.sees("#login-submit").await);
        let cookies = world.tab.web.get_all_cookies().await.unwrap();
        assert!(cookies.iter().all(|cookie| cookie.http_only == Some(true)), "{cookies:?}");
        assert_eq!(world.tab.run("return document.cookie").await, "", "no script reads a cookie of ours");
        assert_eq!(world.tab.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn a_wrong_password_is_told_and_the_name_is_kept() {
    browse(Setup::default(), async |world| {
        world.tab.go(&world.request(&[])).await;

        world.sign_in("ada", "wrong").await;

        let fault = world.tab.see("#fault").await;
        assert_eq!(fault.attr("role").await.unwrap().as_deref(), Some("alert"));
        assert_eq!(world.tab.property("#username", "value").await.as_deref(), Some("ada"));
        assert_eq!(world.tab.property("#password", "value").await.as_deref(), Some(""));
        world.tab.fill("#password", PASSWORD).await;
        world.tab.press("#login-submit").await;
        world.tab.see("#consent-approve").await;
    })
    .await;
}

#[tokio::test]
async fn a_keyboard_is_enough_from_the_first_key_to_the_app() {
    browse(Setup::default(), async |world| {
        world.tab.go(&world.request(&[])).await;
        world.tab.see("#login-submit").await;

        world.tab.keys("ada").await;
        world.tab.keys(Key::Tab + "").await;
        world.tab.keys(PASSWORD).await;
        world.tab.keys(Key::Enter + "").await;
        world.tab.see("#consent-approve").await;
        for _ in 0..20 {
            world.tab.keys(Key::Tab + "").await;
            if world.tab.run("return document.activeElement.id").await == "consent-approve" {
                break;
            }
        }
        world.tab.keys(Key::Enter + "").await;

        assert!(!world.app.arrival().await.get("code").is_empty());
    })
    .await;
}

#[tokio::test]
async fn another_site_signs_nobody_in_and_nobody_out() {
    browse(Setup::default(), async |world| {
        add_user(&world.house, "mallory");
        world.tab.go(&world.app.at("/attack")).await;
        world.tab.press("#login").await;
        world.tab.see("#login-submit").await;
        world.tab.go("/login").await;
        assert!(world.tab.sees("#login-submit").await, "a form of another site signed someone in");

        world.sign_in_alone().await;
        world.tab.go(&world.app.at("/attack")).await;
        world.tab.press("#logout").await;
        world.tab.see("a.brand").await;
        world.tab.go("/login").await;
        assert!(!world.tab.sees("#login-submit").await, "a form of another site signed someone out");
    })
    .await;
}
