//! `/device`: a person connects a device by its code.

use serde_json::Value;

use crate::tab::Setup;
use crate::world::{PASSWORD, World, browse};

/// What the device shows and polls with.
pub async fn ask(world: &World) -> (String, String) {
    let form = [("client_id", "app"), ("scope", "openid profile")];
    let answer: Value = world.house.bare("/device/code").form(&form).send().await.unwrap().json().await.unwrap();
    let text = |name: &str| answer[name].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    (text("user_code"), text("device_code"))
}

pub async fn poll(world: &World, device_code: &str) -> Value {
    let grant = "urn:ietf:params:oauth:grant-type:device_code";
    let form = [("grant_type", grant), ("client_id", "app"), ("device_code", device_code)];
    world.house.bare("/token").form(&form).send().await.unwrap().json().await.unwrap()
}

#[tokio::test]
async fn a_code_typed_in_small_letters_connects_the_device() {
    browse(Setup::default(), async |world| {
        let (user_code, device_code) = ask(world).await;

        world.tab.go("/device").await;
        world.sign_in("ada", PASSWORD).await;
        world.tab.fill("[name=user_code]", &user_code.to_lowercase().replace('-', " ")).await;
        world.tab.press("#device-submit").await;
        for words in ["Harbour Photos", &user_code, "127.0.0.1", "See your profile"] {
            world.tab.reads("main", words).await;
        }
        world.tab.press("#consent-approve").await;
        world.tab.reads("h1", "is connected").await;

        assert!(poll(world, &device_code).await["access_token"].is_string());
        assert!(world.tab.complaints().await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_link_approves_nothing_and_a_no_reaches_the_device() {
    browse(Setup { without_script: true, ..Setup::default() }, async |world| {
        let (user_code, device_code) = ask(world).await;

        world.tab.go(&format!("/device?user_code={user_code}")).await;
        world.sign_in("ada", PASSWORD).await;
        assert_eq!(world.tab.property("[name=user_code]", "value").await.as_deref(), Some(&*user_code));
        world.tab.press("#device-submit").await;
        world.tab.press("#consent-deny").await;
        world.tab.reads("h1", "not connected").await;

        assert_eq!(poll(world, &device_code).await["error"], "access_denied");
    })
    .await;
}
