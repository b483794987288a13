//! `/logout`: asked before, done after.

use crate::tab::Setup;
use crate::world::{browse, link};

#[tokio::test]
async fn signing_out_is_asked_and_then_done() {
    browse(Setup::default(), async |world| {
        world.sign_in_alone().await;

        world.tab.go("/logout").await;
        world.tab.go("/login").await;
        assert!(!world.tab.sees("#login-submit").await, "opening the page signs nobody out");
        world.tab.go("/logout").await;
        world.tab.press("#logout-confirm").await;
        world.tab.reads("h1", "signed out").await;

        world.tab.go(&world.request(&[])).await;
        world.tab.see("#login-submit").await;
    })
    .await;
}

#[tokio::test]
async fn an_app_signs_its_user_out_and_the_browser_comes_back_to_it() {
    browse(Setup::default(), async |world| {
        world.sign_in_alone().await;
        let callback = world.app.at("/cb");
        let wish = [("client_id", "app"), ("post_logout_redirect_uri", &*callback), ("state", "b&e ")];

        world.tab.go(&link(&world.house.origin, "/logout", &wish)).await;
        world.tab.reads("main", "Harbour Photos").await;
        world.tab.press("#logout-confirm").await;
        world.tab.see("#app").await;

        assert_eq!(world.app.arrival().await.get("state"), "b&e ");
        assert!(world.tab.complaints().await.is_empty(), "no policy is in the way");
        world.tab.go(&world.request(&[])).await;
        world.tab.see("#login-submit").await;
    })
    .await;
}
