//! The declaration of an API: checked, named in the settings, written to begin with.

use std::fs;

use serde_json::{Value, json};

use crate::app::App;
use crate::house::{Engine, House};
use crate::person::Person;

const SMALL: &str = "\
api: { name: small }
scopes: { use:things: Use things }
resources:
  things:
    scopes: { read: use:things, write: use:things }
    fields:
      name: { type: string, filter: true }
";

/// The example that the repository shows.
const SHOP: &str = include_str!("../../../../examples/shop/api.yaml");

async fn unstarted() -> House {
    House::unstarted(Engine::Sqlite, &[]).await.unwrap()
}

fn declare(house: &House, text: &str) {
    fs::write(house.folder().join("api.yaml"), text).unwrap();
}

fn text(house: &House, arguments: &[&str]) -> (Option<i32>, String) {
    let output = house.run(arguments);
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[tokio::test]
async fn a_sound_declaration_is_summed_up() {
    let house = unstarted().await;
    declare(&house, SHOP);

    let (code, words) = text(&house, &["api", "check", "api.yaml"]);
    let value = house.json(&["api", "check", "api.yaml"]);

    assert_eq!(code, Some(0));
    for part in ["/orders", "/users/<id>/orders", "pay cancel", "read:payments write:payments", "`shop` is sound"] {
        assert!(words.contains(part), "{part}: {words}");
    }
    assert_eq!((&value["ok"], &value["name"], &value["file"]), (&json!(true), &json!("shop"), &json!("api.yaml")));
    assert_eq!(value["resources"][1]["fields"].as_array().unwrap().len(), 6);
    assert_eq!((&value["faults"], &value["warnings"]), (&json!([]), &json!([])));
    assert!(!house.data().exists(), "a check makes no store");
}

#[tokio::test]
async fn without_a_file_the_check_is_of_the_one_that_is_served() {
    let mut house = unstarted().await;
    declare(&house, SMALL);

    assert_eq!(house.json(&["api", "check"])["name"], "shop");
    assert_eq!(house.json(&["api", "check", "--api", "api.yaml"])["name"], "small");
    house.set("VALETKEY_API", "api.yaml");
    assert_eq!(house.json(&["api", "check"])["name"], "small");
    fs::write(house.folder().join("valetkey.toml"), "api = 'api.yaml'").unwrap();
    house.set("VALETKEY_API", "");
    assert_eq!(house.json(&["api", "check"])["name"], "small");
}

#[tokio::test]
async fn everything_that_is_wrong_is_told_with_its_place_and_what_was_meant() {
    let house = unstarted().await;
    declare(
        &house,
        &SMALL.replace("filter: true", "fliter: true, sort: yes").replace("scopes: { use", "scpoes: { use"),
    );

    let (code, words) = text(&house, &["api", "check", "api.yaml"]);
    let output = house.run(&["api", "check", "api.yaml", "--json"]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();

    assert_eq!((code, output.status.code()), (Some(1), Some(1)));
    let caret = "7 |       name: { type: string, fliter: true, sort: yes }\n  |                             ^^^^^^\n";
    assert!(words.contains(caret), "{words}");
    assert!(words.contains("api.yaml:2:1: `scpoes` is no key of a declaration. Did you mean `scopes`?"), "{words}");
    assert_eq!(value["ok"], false);
    let first = json!({
        "line": 2,
        "column": 1,
        "path": "scpoes",
        "message": "`scpoes` is no key of a declaration.",
        "suggestion": "scopes",
    });
    assert_eq!(value["faults"][0], first);
    assert_eq!(value["faults"].as_array().unwrap().len(), 5, "{value}");
}

#[tokio::test]
async fn what_is_doubtful_is_told_and_stops_nothing() {
    let mut house = unstarted().await;
    declare(&house, &SMALL.replace(", write: use:things", ""));
    house.set("VALETKEY_API", "api.yaml");

    let checked = house.json(&["api", "check"]);
    let settings = house.json(&["config", "check"]);
    house.start().await;

    assert_eq!((&checked["ok"], &settings["ok"]), (&json!(true), &json!(true)));
    assert_eq!(checked["warnings"][0]["path"], "resources.things.scopes");
    assert_eq!(settings["findings"][0]["key"], "api");
    assert!(house.log().contains("api.yaml:5:5: Any valid token may"), "{}", house.log());
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_refused_with_what_to_do() {
    let house = unstarted().await;
    fs::write(house.folder().join("latin.yaml"), b"api:\n  name: caf\xe9\n").unwrap();
    fs::write(house.folder().join("large.yaml"), vec![b'#'; (1 << 20) + 1]).unwrap();

    for (file, words) in [
        ("none.yaml", "valetkey init"),
        (".", "it is not a file"),
        ("latin.yaml", "line 2 has other bytes"),
        ("large.yaml", "larger than 1 MiB"),
    ] {
        let (code, told) = text(&house, &["api", "check", file]);
        assert!(code == Some(1) && told.contains(words), "{file}: {told}");
        let (code, told) = house.fail(&["serve", "--api", file]);
        assert!(code == 2 && told.contains(words), "{file}: {told}");
    }
}

#[tokio::test]
async fn a_server_whose_declaration_is_wrong_does_not_start_and_other_commands_work() {
    let mut house = unstarted().await;
    declare(&house, &SMALL.replace("fields", "feilds"));
    house.set("VALETKEY_API", "api.yaml");

    let (code, told) = house.fail(&["serve", "--listen", "127.0.0.1:0"]);

    assert_eq!(code, 2);
    assert!(told.contains("api.yaml:6:5: `feilds` is no key of a resource. Did you mean `fields`?"), "{told}");
    assert!(!house.data().exists(), "it made a store");
    let output = house.run(&["config", "check", "--json"]);
    let checked: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &checked["ok"]), (Some(2), &json!(false)));
    assert!(checked["findings"][1]["message"].as_str().unwrap().contains("feilds"), "{checked}");
    house.json(&["session", "list"]);
}

#[tokio::test]
async fn the_scopes_of_a_declaration_are_those_of_the_server() {
    let mut house = unstarted().await;
    declare(&house, SMALL);
    house.set("VALETKEY_API", "api.yaml");

    house.start().await;

    let metadata = house.get("/.well-known/oauth-protected-resource").send().await.unwrap();
    let metadata: Value = metadata.json().await.unwrap();
    assert_eq!(metadata["scopes_supported"], json!(["use:things"]));
}

#[tokio::test]
async fn the_words_of_a_scope_are_what_a_person_reads_and_sensitive_ones_are_set_apart() {
    let mut house = unstarted().await;
    declare(
        &house,
        &SHOP.replace("read:orders: See orders", "read:orders: { description: Look around, sensitive: true }"),
    );
    house.set("VALETKEY_API", "api.yaml");
    house.start().await;
    let (app, ada) = (App::new(&house, "app"), Person::new(&house, "ada"));

    let page = ada.sign_in(&ada.arrive(&app, &[("scope", "openid read:orders")]).await).await;
    let other = ada.arrive(&app, &[("scope", "openid write:orders")]).await;

    assert!(page.text.contains("Look around") && page.text.contains("mark-sensitive"), "{}", page.text);
    assert!(other.text.contains("Place, change") && !other.text.contains("mark-sensitive"), "{}", other.text);
}

#[tokio::test]
async fn the_schema_for_editors_is_the_committed_one() {
    let house = unstarted().await;
    let committed: Value = serde_json::from_str(include_str!("../../../../examples/shop/api.schema.json")).unwrap();

    let (code, printed) = text(&house, &["api", "schema"]);

    assert_eq!(code, Some(0));
    let printed: Value = serde_json::from_str(&printed).unwrap();
    assert!(printed == committed, "examples/shop/api.schema.json is out of date; write it with `valetkey api schema`");
    assert_eq!(house.json(&["api", "schema"]), committed);
}

#[tokio::test]
async fn init_writes_files_that_work_and_replaces_none() {
    let house = unstarted().await;

    let written = house.json(&["init", "new/here"]);
    let folder = house.folder().join("new/here");
    fs::write(folder.join("api.yaml"), SMALL).unwrap();
    fs::remove_file(folder.join("valetkey.toml")).unwrap();
    let (code, refused) = house.fail(&["init", "new/here"]);

    assert_eq!(written["written"], json!(["new/here/api.yaml", "new/here/api.schema.json", "new/here/valetkey.toml"]));
    assert_eq!(code, 1);
    assert!(refused.contains("api.yaml, api.schema.json") && refused.contains("--force"), "{refused}");
    assert_eq!(fs::read_to_string(folder.join("api.yaml")).unwrap(), SMALL);
    assert!(!folder.join("valetkey.toml").exists(), "a refused init writes nothing");
    house.json(&["init", "new/here", "--force"]);
    let output = house.command(&["api", "check", "--json"]).current_dir(&folder).output().unwrap();
    let checked: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&checked["ok"], &checked["name"], &checked["warnings"]), (&json!(true), &json!("tasks"), &json!([])));
    let output = house.command(&["config", "check", "--json"]).current_dir(&folder).output().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["findings"], json!([]));
}

#[tokio::test]
async fn init_says_what_to_do_next() {
    let house = unstarted().await;

    let (code, words) = text(&house, &["init"]);

    assert_eq!(code, Some(0));
    for step in ["api.yaml", "valetkey api check", "valetkey user add", "valetkey serve"] {
        assert!(words.contains(step), "{words}");
    }
    assert!(house.folder().join("valetkey.toml").exists());
}
