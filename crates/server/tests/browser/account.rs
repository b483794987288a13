//! `/account`: what a person sees and ends there.

use crate::house::House;
use crate::tab::Setup;
use crate::world::{PASSWORD, World, browse};

/// Lets the app in, and answers its refresh token.
async fn allow(world: &World) -> String {
    world.arrive_and_sign_in(&[]).await;
    world.tab.press("#consent-approve").await;
    world.tab.see("#app").await;
    let code = world.app.arrival().await.get("code").to_owned();
    world.redeem(&code, &world.app.at("/cb")).await["refresh_token"].as_str().unwrap().to_owned()
}

pub async fn refreshes(house: &House, token: &str) -> bool {
    let form = [("grant_type", "refresh_token"), ("client_id", "app"), ("refresh_token", token)];
    house.bare("/token").form(&form).send().await.unwrap().status().is_success()
}

#[tokio::test]
async fn an_app_is_seen_with_its_permissions_and_loses_them_at_the_press_of_a_button() {
    browse(Setup::default(), async |world| {
        let token = allow(world).await;

        world.tab.go("/account").await;
        for words in ["Harbour Photos", "See your profile", "127.0.0.1", "Chrome on Linux"] {
            world.tab.reads("main", words).await;
        }
        world.tab.press("button[name=withdraw]").await;
        world.tab.reads("[role=status]", "no access any more").await;

        assert!(!world.tab.sees("button[name=withdraw]").await);
        assert!(!refreshes(&world.house, &token).await);
        world.tab.go(&world.request(&[])).await;
        world.tab.see("#consent-approve").await;
    })
    .await;
}

#[tokio::test]
async fn a_password_is_changed_without_scripts() {
    browse(Setup { without_script: true, ..Setup::default() }, async |world| {
        let new = "four words nobody guesses";
        world.tab.go("/account").await;
        world.sign_in("ada", PASSWORD).await;
        world.tab.fill("#current_password", PASSWORD).await;
        world.tab.fill("#new_password", new).await;
        world.tab.fill("#new_password_again", "another one entirely").await;
        world.tab.press("button[name=change_password]").await;
        world.tab.reads("#differ-fault", "not the same").await;

        world.tab.fill("#current_password", PASSWORD).await;
        world.tab.fill("#new_password", new).await;
        world.tab.fill("#new_password_again", new).await;
        world.tab.press("button[name=change_password]").await;
        world.tab.reads("[role=status]", "password is changed").await;

        world.tab.go("/logout").await;
        world.tab.press("#logout-confirm").await;
        world.tab.reads("h1", "signed out").await;
        world.tab.go("/login").await;
        world.sign_in("ada", new).await;
        world.tab.reads("h1", "You are signed in").await;
    })
    .await;
}
