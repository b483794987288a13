//! The buttons of other providers as a person meets them.

use serde_json::json;

use crate::provider::{CLIENT, Provider, SECRET};
use crate::tab::Setup;
use crate::world::{World, browse_with};

async fn with_provider(setup: Setup, test: impl AsyncFnOnce(&World)) {
    let ada = json!({ "sub": "1", "email": "ada@example.org", "email_verified": true, "name": "Ada" });
    let provider = Provider::knowing(ada).await;
    let settings = [
        ("VALETKEY_OUTBOUND_ALLOW", "127.0.0.0/8"),
        ("VALETKEY_PROVIDERS_CORP_NAME", "Example Corp"),
        ("VALETKEY_PROVIDERS_CORP_ISSUER", provider.issuer()),
        ("VALETKEY_PROVIDERS_CORP_CLIENT_ID", CLIENT),
        ("VALETKEY_PROVIDERS_CORP_CLIENT_SECRET", SECRET),
        ("VALETKEY_PROVIDERS_OTHER_NAME", "Universität am Meer"),
        ("VALETKEY_PROVIDERS_OTHER_ISSUER", "https://id.other.example"),
        ("VALETKEY_PROVIDERS_OTHER_CLIENT_ID", CLIENT),
    ];
    browse_with(setup, &settings, test).await;
}

#[tokio::test]
async fn a_button_leads_to_the_provider_and_back_to_the_app() {
    for without_script in [false, true] {
        with_provider(Setup { without_script, ..Setup::default() }, async |world| {
            world.tab.go(&world.request(&[])).await;
            world.tab.reads("#login-with-corp", "Sign in with Example Corp").await;
            if let Ok(file) = picture() {
                world.tab.picture(std::path::Path::new(&file)).await;
            }

            world.tab.press("#login-with-corp").await;
            world.tab.press("#consent-approve").await;

            assert!(!world.app.arrival().await.get("code").is_empty());
            assert_eq!(world.tab.complaints().await, Vec::<String>::new());
            world.tab.go("/account").await;
            world.tab.reads("main", "Example Corp").await;
            // Who agreed before is sent all the way by the one button.
            world.tab.web.delete_all_cookies().await.unwrap();
            world.tab.go(&world.request(&[])).await;
            world.tab.press("#login-with-corp").await;
            assert!(!world.app.arrival().await.get("code").is_empty());
            assert_eq!(world.tab.complaints().await, Vec::<String>::new());
        })
        .await;
    }
}

#[tokio::test]
async fn a_provider_that_cannot_be_reached_is_told_on_the_page() {
    with_provider(Setup::default(), async |world| {
        world.tab.go("/login").await;

        world.tab.press("#login-with-other").await;

        world.tab.reads("#fault", "Universität am Meer cannot be reached").await;
        assert!(world.tab.sees("#login-submit").await && world.tab.sees("#login-with-corp").await);
    })
    .await;
}

/// Where a person who looks at the page wants to have a picture of it.
#[expect(clippy::disallowed_methods, reason = "tests are told by the environment what to leave behind")]
fn picture() -> Result<String, std::env::VarError> {
    std::env::var("VALETKEY_TEST_PICTURE")
}
