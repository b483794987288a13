//! The commands of an operator.

use std::fs;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::house::{Engine, House};
use crate::settings::examined;

async fn unstarted() -> House {
    House::unstarted(Engine::Sqlite, &[]).await.unwrap()
}

fn add_user(house: &House, more: &[&str]) -> (Option<i32>, Value, String) {
    let mut arguments = vec!["user", "add", "ada", "--password-stdin", "--json"];
    arguments.extend(more);
    let output = house.run_with_input(&arguments, "correct horse\n");
    let value = serde_json::from_slice(&output.stdout).unwrap();
    (output.status.code(), value, String::from_utf8(output.stderr).unwrap())
}

#[tokio::test]
async fn every_command_prints_one_json_value_and_works_before_the_first_start() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let commands: [&[&str]; 14] = [
            &["client", "add", "--name", "Till", "--id", "till", "--scope", "read:orders"],
            &["client", "list"],
            &["client", "edit", "till", "--name", "The till"],
            &["client", "rotate-secret", "till"],
            &["client", "remove", "till"],
            &["key", "list"],
            &["key", "rotate", "seal"],
            &["key", "rotate", "--now"],
            &["session", "list"],
            &["audit", "list"],
            &["migrate", "--dry-run"],
            &["migrate"],
            &["config", "check"],
            &["config", "example"],
        ];
        let Some(house) = House::unstarted(engine, &[]).await else { continue };
        for command in commands {
            house.json(command);
        }
        // What the doctor thinks of the database of the tests is not asked here, only that it says so in JSON.
        assert!(!examined(&house, "store", &[]).is_empty());
    }
}

#[tokio::test]
async fn the_first_command_makes_the_store_and_a_later_server_knows_what_it_did() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[]).await else { continue };

        let client = house.client("till", &[]);
        house.start().await;

        assert!(house.token(&client).await.starts_with("vk_at_"));
    }
}

#[tokio::test]
async fn a_client_is_described_as_it_was_registered() {
    let house = unstarted().await;
    let terms = ["--redirect-uri", "https://a.example/1", "--redirect-uri", "https://a.example/2"];
    let grants = ["--grant", "authorization_code", "--grant", "device_code", "--grant", "refresh_token"];
    let add = ["client", "add", "--name", "App", "--id", "app", "--scope", "openid", "--scope", "read:orders"];

    let made = house.json(&[&add[..], &terms, &grants].concat());

    assert_eq!(made["client_id"], "app");
    assert!(made["client_secret"].as_str().unwrap().starts_with("vk_cs_"));
    assert_eq!(made["redirect_uris"], json!(["https://a.example/1", "https://a.example/2"]));
    let device = "urn:ietf:params:oauth:grant-type:device_code";
    assert_eq!(made["grant_types"], json!(["authorization_code", device, "refresh_token"]));
    assert_eq!(made["scope"], "openid read:orders");
    let listed = house.json(&["client", "list"]);
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert!(!listed.to_string().contains(made["client_secret"].as_str().unwrap()));
    let public = ["client", "add", "--name", "Page", "--public", "--redirect-uri", "https://b.example/"];
    assert_eq!(house.json(&public)["client_secret"], Value::Null);
}

#[tokio::test]
async fn what_cannot_be_done_is_a_sentence_and_a_failure() {
    let house = unstarted().await;
    house.client("till", &[]);
    let add = ["client", "add", "--name", "x"];
    let attempts: [(Vec<&str>, &str); 13] = [
        ([&add[..], &["--id", "till"]].concat(), "exists"),
        ([&add[..], &["--id", "a b"]].concat(), "letters, digits"),
        ([&add[..], &["--grant", "password"]].concat(), "no such grant"),
        ([&add[..], &["--grant", "authorization_code"]].concat(), "--redirect-uri"),
        ([&add[..], &["--redirect-uri", "javascript:alert(1)"]].concat(), "redirect URI"),
        ([&add[..], &["--public", "--grant", "client_credentials"]].concat(), "public client"),
        ([&add[..], &["--access-token", "paper"]].concat(), "opaque"),
        (vec!["client", "edit", "nobody", "--name", "x"], "client list"),
        (vec!["client", "remove", "nobody"], "client list"),
        (vec!["client", "rotate-secret", "till", "--overlap", "soon"], "--overlap"),
        (vec!["key", "rotate", "paper"], "es256"),
        (vec!["session", "revoke", "019a6c1e-7d2b-7c44-9f0e-3b5d8a21c6f4"], "session list"),
        (vec!["user", "add", "ada"], "--password-stdin"),
    ];

    for (arguments, hint) in attempts {
        let (_, words) = house.fail(&arguments);
        assert!(words.starts_with("valetkey: ") && words.contains(hint), "{arguments:?}: {words}");
        let output = house.command(&arguments).arg("--json").output().unwrap();
        assert!(!output.status.success());
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(value["error"].as_str().unwrap().contains(hint), "{value}");
    }
    assert_eq!(house.json(&["client", "list"]).as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_user_name_is_given_once() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(house) = House::unstarted(engine, &[]).await else { continue };

        let (first, made, _) = add_user(&house, &["--email", "ada@example.org", "--name", "Ada", "--admin"]);
        let (second, refused, words) = add_user(&house, &[]);

        assert_eq!(first, Some(0));
        assert_eq!((&made["username"], &made["admin"]), (&json!("ada"), &json!(true)));
        assert_eq!(made["email"], "ada@example.org");
        assert!(!made.to_string().contains("correct horse"));
        assert_eq!(second, Some(1));
        assert!(refused["error"].as_str().unwrap().contains("ada"), "{refused}");
        assert!(words.starts_with("valetkey: "), "{words}");
    }
}

#[tokio::test]
async fn a_rehearsed_migration_changes_nothing() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(house) = House::unstarted(engine, &[]).await else { continue };

        let rehearsed = house.json(&["migrate", "--dry-run"]);

        assert!(!house.data().exists(), "it made a file");
        let waiting = rehearsed["pending"].as_array().unwrap().len();
        assert!(waiting > 0);
        assert_eq!(house.json(&["migrate"])["applied"], waiting);
        assert_eq!(house.json(&["migrate", "--dry-run"])["pending"], json!([]));
    }
}

#[tokio::test]
async fn completions_the_manual_and_the_example_print_something_of_use() {
    let house = unstarted().await;
    let text = |arguments: &[&str]| String::from_utf8(house.run(arguments).stdout).unwrap();

    for shell in ["bash", "zsh", "fish"] {
        let script = text(&["completions", shell]);
        assert!(script.contains("rotate-secret") && script.contains("doctor"), "{shell}");
    }
    assert!(text(&["man"]).contains(".TH valetkey 1"));
    assert!(text(&["config", "reference"]).contains("VALETKEY_CORS_ORIGINS"));
    assert!(text(&["--version"]).starts_with("valetkey "));
    fs::write(house.folder().join("valetkey.toml"), text(&["config", "example"])).unwrap();
    assert_eq!(house.json(&["config", "check"])["ok"], true, "the example is sound");
    assert!(!house.data().exists(), "none of these makes a store");
}

#[tokio::test]
async fn a_reader_that_leaves_early_is_no_accident() {
    let house = unstarted().await;
    house.json(&["key", "list"]);

    for arguments in [&["completions", "bash"][..], &["man"], &["config", "reference"], &["key", "list"]] {
        let mut child = house.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let words = String::from_utf8(output.stderr).unwrap();
        assert!(!words.contains("panicked"), "{arguments:?}: {words}");
    }
}

#[tokio::test]
async fn a_command_that_is_not_understood_is_told_in_json_too() {
    let house = unstarted().await;

    for arguments in [&["client", "add", "--json"][..], &["--json", "clients"], &["key", "rotate", "--json", "--later"]]
    {
        let output = house.run(arguments);
        assert_eq!(output.status.code(), Some(2));
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(!value["error"].as_str().unwrap().is_empty());
        assert!(!output.stderr.is_empty());
    }
}

#[tokio::test]
async fn commands_that_make_the_store_at_the_same_time_agree_on_it() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[]).await else { continue };

        let made: Vec<_> = std::thread::scope(|scope| {
            let adding = ["a", "b", "c", "d"].map(|id| scope.spawn(|| house.client(id, &[])));
            adding.into_iter().map(|adding| adding.join().unwrap()).collect()
        });
        house.start().await;

        for client in made {
            house.token(&client).await;
        }
    }
}
