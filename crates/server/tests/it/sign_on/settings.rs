//! Providers in the settings: what is wrong is said before anyone presses a button.

use super::provider::Provider;
use super::{ada, open};
use crate::house::{Engine, House};

// The command waits for the provider, which needs a thread of its own meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_doctor_asks_the_provider() {
    let provider = Provider::knowing(ada()).await;
    let mut house = open(House::embedded().await, &provider, &[]).await;

    let well = house.json(&["doctor"]);
    house.set("VALETKEY_PROVIDERS_CORP_ISSUER", &format!("{}/elsewhere", provider.issuer()));
    let ill = house.run(&["doctor"]);

    assert!(well.to_string().contains("answers"), "{well}");
    let said = String::from_utf8(ill.stdout).unwrap();
    assert!(!ill.status.success() && said.contains("corp") && said.contains("404"), "{said}");
}

#[tokio::test]
async fn a_secret_from_a_file_is_used_and_a_missing_file_is_told_before_the_start() {
    let provider = Provider::knowing(ada()).await;
    let mut house = House::unstarted(Engine::Sqlite, &[]).await.unwrap();
    let path = house.folder().join("corp.secret");
    let file = path.display().to_string();
    for (name, value) in [
        ("VALETKEY_OUTBOUND_ALLOW", "127.0.0.0/8"),
        ("VALETKEY_PROVIDERS_CORP_ISSUER", provider.issuer()),
        ("VALETKEY_PROVIDERS_CORP_CLIENT_ID", super::CLIENT),
        ("VALETKEY_PROVIDERS_CORP_CLIENT_SECRET_FILE", &file),
    ] {
        house.set(name, value);
    }

    let (code, words) = house.fail(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(code == 1 && words.contains("providers.corp.client_secret_file"), "{words}");
    assert!(!house.data().join("valetkey.db").exists(), "nothing was made");

    std::fs::write(&path, format!("{}\n", super::SECRET)).unwrap();
    house.start().await;
    let person = crate::person::Person::new(&house, "ada");
    assert_eq!(super::sign_on(&person, &provider).await.status, 303);
}

#[tokio::test]
async fn a_broken_provider_does_not_start() {
    let mut house = House::unstarted(Engine::Sqlite, &[]).await.unwrap();
    house.set("VALETKEY_PROVIDERS_CORP_ISSUER", "https://id.example");

    let (code, words) = house.fail(&["serve", "--listen", "127.0.0.1:0"]);

    assert!(code == 2 && words.contains("`corp` has no `client_id`"), "{words}");
}
