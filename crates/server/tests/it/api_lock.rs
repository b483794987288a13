//! What was released: `api lock`, and who refuses what differs from it.

use std::fs;

use serde_json::{Value, json};

use crate::house::{Engine, House};

const SMALL: &str = "\
api: { name: small }
resources:
  things:
    fields:
      name: { type: string }
      size: { type: integer }
";

async fn house() -> House {
    let mut house = House::unstarted(Engine::Sqlite, &[]).await.unwrap();
    declare(&house, SMALL);
    house.set("VALETKEY_API", "api.yaml");
    house
}

fn declare(house: &House, text: &str) {
    fs::write(house.folder().join("api.yaml"), text).unwrap();
}

fn lock(house: &House) -> String {
    fs::read_to_string(house.folder().join("api.lock")).unwrap()
}

fn json_of(house: &House, arguments: &[&str]) -> (Option<i32>, Value) {
    let output = house.run(&[arguments, &["--json"]].concat());
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
}

#[tokio::test]
async fn a_lock_is_written_once_and_stays_as_it_is() {
    let house = house().await;

    let (missing, before) = json_of(&house, &["api", "lock", "--check"]);
    let written = house.json(&["api", "lock"]);
    let text = lock(&house);
    let again = house.json(&["api", "lock", "api.yaml"]);

    assert_eq!((missing, &before["current"]), (Some(1), &json!(false)));
    assert_eq!((&written["written"], &written["locked"]), (&json!(true), &json!([1])));
    assert!(text.contains("Written by `valetkey api lock`"), "{text}");
    assert_eq!((&again["written"], lock(&house)), (&json!(false), text));
    assert_eq!(json_of(&house, &["api", "lock", "--check"]).0, Some(0));
    assert!(!house.data().exists(), "a lock makes no store");
}

#[tokio::test]
async fn a_compatible_change_waits_for_the_lock_and_then_starts() {
    let mut house = house().await;
    house.json(&["api", "lock"]);
    declare(&house, &format!("{SMALL}      note: {{ type: string }}\n"));

    let (checked, value) = json_of(&house, &["api", "check"]);
    let (served, told) = house.fail(&["serve", "--listen", "127.0.0.1:0"]);
    let (settings, _) = json_of(&house, &["config", "check"]);

    assert_eq!((checked, &value["ok"]), (Some(1), &json!(false)));
    assert_eq!(value["findings"][0]["place"], "v1 things.note");
    assert_eq!((served, settings), (2, Some(2)));
    assert!(told.contains("v1 things.note (optional-field-added, compatible)"), "{told}");
    assert!(told.contains("Release the changes with `valetkey api lock`"), "{told}");
    assert!(!house.data().exists(), "it made a store");

    let renewed = house.json(&["api", "lock"]);
    house.start().await;
    assert_eq!(renewed["written"], true);
    assert_eq!(json_of(&house, &["api", "check"]).0, Some(0));
}

#[tokio::test]
async fn a_breaking_change_is_refused_until_it_is_accepted() {
    let house = house().await;
    house.json(&["api", "lock"]);
    let before = lock(&house);
    declare(&house, &SMALL.replace("size:", "width:"));

    let (refused, value) = json_of(&house, &["api", "lock"]);
    let (served, told) = house.fail(&["serve", "--listen", "127.0.0.1:0"]);

    assert_eq!((refused, &value["written"], lock(&house)), (Some(1), &json!(false), before));
    assert_eq!(value["findings"][0]["lens"], "- { rename: things.size, to: width }");
    assert_eq!(served, 2);
    assert!(told.contains("v1 things.size (field-renamed, breaking)"), "{told}");
    assert!(told.contains("declare them as a new version"), "{told}");

    let accepted = house.json(&["api", "lock", "--accept-breaking"]);
    assert_eq!(accepted["written"], true);
    assert_eq!(json_of(&house, &["api", "check"]).0, Some(0));
}

#[tokio::test]
async fn what_is_no_lock_is_refused_and_not_replaced() {
    let house = house().await;
    for garbage in [&b"nonsense"[..], b"", b"\xff\xfe", b"{\"about\": \"\"}"] {
        fs::write(house.folder().join("api.lock"), garbage).unwrap();

        let (served, told) = house.fail(&["serve", "--listen", "127.0.0.1:0"]);
        let (locked, words) = house.fail(&["api", "lock"]);

        assert!(served == 2 && told.contains("api.lock cannot be used"), "{told}");
        assert!(locked == 2 && words.contains("api.lock cannot be used"), "{words}");
        assert_eq!(fs::read(house.folder().join("api.lock")).unwrap(), garbage);
    }
}

#[tokio::test]
async fn the_demonstration_needs_no_lock() {
    let house = House::unstarted(Engine::Sqlite, &[]).await.unwrap();

    let (code, told) = house.fail(&["api", "lock"]);

    assert!(code == 2 && told.contains("Name a file."), "{told}");
}

#[tokio::test]
async fn a_lock_of_an_earlier_program_is_kept_to_and_asked_to_be_written_again() {
    let mut house = house().await;
    house.json(&["api", "lock"]);
    let mut held: Value = serde_json::from_str(&lock(&house)).unwrap();
    held.as_object_mut().unwrap().remove("form");
    fs::write(house.folder().join("api.lock"), held.to_string()).unwrap();

    let (checked, value) = json_of(&house, &["api", "check"]);
    house.start().await;

    assert_eq!(checked, Some(0));
    assert!(value["hint"].as_str().unwrap().contains("Run `valetkey api lock` again"), "{value}");
    assert!(house.log().contains("Run `valetkey api lock` again"));
    assert_eq!(json_of(&house, &["api", "lock", "--check"]).0, Some(1));
    house.json(&["api", "lock"]);
    assert!(json_of(&house, &["api", "check"]).1["hint"].is_null());
}

#[tokio::test]
async fn a_default_that_moves_is_refused_by_name() {
    let house = house().await;
    let versions = "versions:\n  1: { released: 2025-01-01 }\n  2: { released: 2026-01-01 }\n";
    let with = |default: &str| format!("{versions}{}", SMALL.replace("name: small", &format!("name: small{default}")));
    declare(&house, &with(", default_version: 1"));
    house.json(&["api", "lock"]);

    declare(&house, &with(", default_version: 2"));
    let (checked, value) = json_of(&house, &["api", "check"]);

    assert_eq!((checked, &value["findings"][0]["place"]), (Some(1), &json!("api.default_version")));
    assert_eq!(value["findings"][0]["rule"], "default-version-changed");
}
