//! `/logout`: asked before, done after.

use crate::tab::Setup;
use crate::world::browse;

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
