//! What clients would notice: `api diff`, with its formats and exit codes.

use std::fs;

use serde_json::{Value, json};

use crate::house::{Engine, House};

const OLD: &str = "\
api: { name: small }
resources:
  things:
    fields:
      name: { type: string }
      size: { type: integer }
";

async fn house(new: &str) -> House {
    let house = House::unstarted(Engine::Sqlite, &[]).await.unwrap();
    fs::write(house.folder().join("old.yaml"), OLD).unwrap();
    fs::write(house.folder().join("new.yaml"), new).unwrap();
    house
}

fn told(house: &House, arguments: &[&str]) -> (Option<i32>, String) {
    let output = house.run(&[&["api", "diff"], arguments].concat());
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[tokio::test]
async fn the_exit_code_says_whether_something_breaks() {
    let breaking = OLD.replace("      size: { type: integer }\n", "");
    let compatible = format!("{OLD}      note: {{ type: string }}\n");

    let same = house(OLD).await;
    let more = house(&compatible).await;
    let less = house(&breaking).await;

    assert_eq!(told(&same, &["old.yaml", "new.yaml"]).0, Some(0));
    assert_eq!(told(&same, &["old.yaml", "new.yaml", "--fail-on", "any"]).0, Some(0));
    assert_eq!(told(&more, &["old.yaml", "new.yaml"]).0, Some(0));
    assert_eq!(told(&more, &["old.yaml", "new.yaml", "--fail-on", "any"]).0, Some(1));
    assert_eq!(told(&less, &["old.yaml", "new.yaml"]).0, Some(1));
    assert_eq!(told(&less, &["old.yaml", "new.yaml", "--fail-on", "never"]).0, Some(0));
    assert!(!less.data().exists(), "a comparison makes no store");
}

#[tokio::test]
async fn each_format_says_the_same() {
    let house = house(&OLD.replace("size: { type: integer }", "weight: { type: integer }")).await;
    let lens = "- { rename: things.size, to: weight }";

    let (_, text) = told(&house, &["old.yaml", "new.yaml"]);
    let (_, json) = told(&house, &["old.yaml", "new.yaml", "--json"]);
    let (_, same) = told(&house, &["old.yaml", "new.yaml", "--format", "json"]);
    let (_, sarif) = told(&house, &["old.yaml", "new.yaml", "--format", "sarif"]);
    let (_, markdown) = told(&house, &["old.yaml", "new.yaml", "--format", "markdown"]);

    assert!(text.contains("things.size  field-renamed") && text.contains(lens), "{text}");
    assert!(!text.contains('\u{1b}'), "what is no terminal gets no colours: {text}");
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json, same);
    assert_eq!((&value["breaking"], &value["findings"][0]["rule"]), (&json!(1), &json!("field-renamed")));
    assert_eq!((&value["old"], &value["findings"][0]["lens"]), (&json!("old.yaml"), &json!(lens)));
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "field-renamed");
    assert!(markdown.contains("| `field-renamed` | `things.size` |") && markdown.contains(lens), "{markdown}");
}

#[tokio::test]
async fn one_side_may_come_from_standard_input() {
    let house = house(OLD).await;
    let input = OLD.replace("type: integer", "type: string");

    let older = house.run_with_input(&["api", "diff", "-", "new.yaml"], &input);
    let newer = house.run_with_input(&["api", "diff", "old.yaml", "-"], OLD);
    let (code, both) = house.fail(&["api", "diff", "-", "-"]);

    assert_eq!((older.status.code(), newer.status.code()), (Some(1), Some(0)));
    assert!(code == 2 && both.contains("Only one of the two"), "{both}");
}

#[tokio::test]
async fn a_declaration_and_an_openapi_document_can_be_compared() {
    let house = house(&OLD.replace("      size: { type: integer }\n", "")).await;
    let document = house.json(&["api", "openapi", "--api", "old.yaml"]);
    fs::write(house.folder().join("old.json"), document.to_string()).unwrap();

    let (same, words) = told(&house, &["old.json", "old.yaml"]);
    let (less, json) = told(&house, &["old.json", "new.yaml", "--json"]);

    assert!(same == Some(0) && words.contains("Clients notice nothing."), "{words}");
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(less, Some(1));
    let places: Vec<&str> =
        value["findings"].as_array().unwrap().iter().map(|one| one["place"].as_str().unwrap()).collect();
    assert!(places.contains(&"GET /things/{id}"), "{value}");
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_with_the_reason() {
    let house = house("resources: { things: { feilds: {} } }").await;
    let write = |name: &str, text: &[u8]| fs::write(house.folder().join(name), text).unwrap();
    write("swagger.json", br#"{ "swagger": "2.0" }"#);
    write("latin.yaml", b"caf\xe9");
    write("other.yaml", b"a: 1");
    write("broken.json", b"{ \"openapi\":");

    for (file, words) in [
        ("none.yaml", "none.yaml cannot be read"),
        (".", "it is a folder"),
        ("new.yaml", "Did you mean `fields`?"),
        ("swagger.json", "Swagger 2"),
        ("latin.yaml", "not text in UTF-8"),
        ("other.yaml", "neither a declaration"),
        ("broken.json", "line 1"),
    ] {
        let (code, told) = house.fail(&["api", "diff", "old.yaml", file]);
        assert!(code == 2 && told.contains(words), "{file}: {told}");
    }
    let (code, told) = house.fail(&["api", "diff", "old.yaml", "old.yaml", "--json", "--format", "markdown"]);
    assert!(code == 2 && told.contains("--json and --format markdown"), "{told}");
}

#[tokio::test]
async fn a_document_of_several_files_is_compared_as_one() {
    let house = house(OLD).await;
    let write = |name: &str, text: &str| fs::write(house.folder().join(name), text).unwrap();
    fs::create_dir(house.folder().join("parts")).unwrap();
    let document = "openapi: 3.1.0\ninfo: { title: t, version: '1' }\npaths:\n  /users:\n    get:\n      responses:\n        '200':\n          description: ok\n          content:\n            application/json:\n              schema: { $ref: './parts/PART.yaml#/User' }\n";
    write("before.yaml", &document.replace("PART", "old"));
    write("after.yaml", &document.replace("PART", "new"));
    write("parts/old.yaml", "User: { type: object, properties: { name: { type: string } } }\n");
    write("parts/new.yaml", "User: { type: object, properties: { name: { $ref: 'deeper.yaml' } } }\n");

    let missing = house.run(&["api", "diff", "before.yaml", "after.yaml"]);
    write("parts/deeper.yaml", "type: integer\n");
    let (code, text) = told(&house, &["before.yaml", "after.yaml"]);
    let (_, sarif) = told(&house, &["before.yaml", "after.yaml", "--format", "sarif"]);

    let complaint = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert_eq!(missing.status.code(), Some(2));
    assert!(complaint.contains("`$ref: deeper.yaml` in parts/new.yaml cannot be followed"), "{complaint}");
    assert!(code == Some(1) && text.contains("type-changed") && text.contains("name"), "{text}");
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let region = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startLine"], 5);
}
