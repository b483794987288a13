//! `/logout`: asked before, done after.

use crate::tab::Setup;
use crate::world::{PASSWORD, browse};

#[tokio::test]
async fn signing_out_is_asked_and_then_done() {
    browse(Setup::default(), async |world| {
        world.tab.go("/login").await;
        world.sign_in("ada", PASSWORD).await;

        world.tab.go("/logout").await;
        world.tab.go("/login").await;
        assert!(!world.tab.sees("#login-submit").await, "opening the page signs nobody out");
        world.tab.go("/logout").await;
        world.tab.press("#logout-confirm").await;
        assert!(world.tab.see("h1").await.text().await.unwrap().contains("signed out"));

        world.tab.go(&world.request(&[])).await;
        world.tab.see("#login-submit").await;
    })
    .await;
}
