//! The language of the reader, and of the app that sent them.

use crate::tab::Setup;
use crate::world::browse;

#[tokio::test]
async fn pages_speak_as_the_browser_asks_and_as_the_app_asks_before_that() {
    browse(Setup { languages: Some("de-AT,de"), ..Setup::default() }, async |world| {
        world.tab.go("/login").await;
        assert_eq!(world.tab.property("html", "lang").await.as_deref(), Some("de"));
        assert_eq!(world.tab.text("#login-submit").await, "Anmelden");

        world.tab.go(&world.request(&[("ui_locales", "tlh fr-CH")])).await;
        assert_eq!(world.tab.property("html", "lang").await.as_deref(), Some("fr"));
        assert_eq!(world.tab.text("#login-submit").await, "Se connecter");
    })
    .await;
}
