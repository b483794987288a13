//! `PATCH` in three media types.

use serde_json::{Value, json};

use super::{Caller, errors, pairs, self_link, sent, status_of};
use crate::answer::{header, problem};
use crate::every_server;
use crate::house::{Engine, House};
use reqwest::{Method, RequestBuilder};

fn steps(caller: &Caller, path: &str, steps: &Value) -> RequestBuilder {
    let patch = caller.request(Method::PATCH, path).header("content-type", "application/json-patch+json");
    patch.body(steps.to_string())
}

every_server! {
    async fn only_the_fields_that_are_sent_change(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;

        let merged = sent(caller.patch(&path, &json!({ "address": { "city": "London" }, "tags": ["a"] })), 200).await;
        let again = caller.request(Method::PATCH, &path).json(&json!({ "address": { "zip": "N1" }, "tags": null }));
        let again = sent(again, 200).await;

        assert_eq!((&merged["name"], &merged["tags"]), (&json!("ada"), &json!(["a"])));
        assert_eq!(again["address"], json!({ "city": "London", "zip": "N1" }));
        assert_eq!(again["tags"], json!(null));
        assert_eq!(caller.read(&path).await, again);
    }

    async fn what_was_read_can_be_sent_back_as_it_is(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;
        let read = caller.read(&path).await;

        let patched = sent(caller.patch(&path, &read), 200).await;
        let replaced = sent(caller.put(&path, &read), 200).await;

        assert_eq!((&patched, &replaced), (&read, &read));
        for method in [Method::PATCH, Method::PUT] {
            let mut other = read.clone();
            other["links"] = json!(3);
            let refused = problem(status_of(caller.request(method, &path).json(&other), 422).await).await;
            assert_eq!(errors(&refused), pairs(&[("links", "READ_ONLY")]));
        }
    }

    async fn each_operation_of_json_patch_works(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;

        let patch = json!([
            { "op": "test", "path": "/name", "value": "ada" },
            { "op": "add", "path": "/tags", "value": ["one"] },
            { "op": "add", "path": "/tags/-", "value": "two" },
            { "op": "copy", "from": "/tags/0", "path": "/tags/-" },
            { "op": "remove", "path": "/tags/0" },
            { "op": "add", "path": "/address", "value": { "city": "London" } },
            { "op": "move", "from": "/address/city", "path": "/address/town" },
            { "op": "replace", "path": "/name", "value": "Eve" },
        ]);
        let patched = sent(steps(&caller, &path, &patch), 200).await;

        assert_eq!(patched["name"], "Eve");
        assert_eq!(patched["tags"], json!(["two", "one"]));
        assert_eq!(patched["address"], json!({ "town": "London" }));
    }

    async fn a_failing_test_or_a_missing_path_changes_nothing(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;
        let before = caller.read(&path).await;

        for last in [
            json!({ "op": "test", "path": "/name", "value": "Zoe" }),
            json!({ "op": "remove", "path": "/address/city" }),
            json!({ "op": "replace", "path": "/tags/7", "value": 1 }),
            json!({ "op": "move", "from": "/nothing", "path": "/name" }),
        ] {
            let patch = json!([{ "op": "replace", "path": "/name", "value": "Eve" }, last]);
            problem(status_of(steps(&caller, &path, &patch), 409).await).await;
        }

        assert_eq!(caller.read(&path).await, before);
    }

    async fn a_patch_is_validated_as_a_whole(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;

        let wrong = json!({ "name": 7, "email": "nonsense", "colour": "red", "id": "x" });
        let refused = problem(status_of(caller.patch(&path, &wrong), 422).await).await;
        let removed = problem(status_of(caller.patch(&path, &json!({ "name": null })), 400).await).await;

        let expected = [("colour", "UNKNOWN"), ("email", "INVALID_FORMAT"), ("id", "READ_ONLY"), ("name", "INVALID_TYPE")];
        assert_eq!(errors(&refused), pairs(&expected));
        assert_eq!(errors(&removed), pairs(&[("name", "REQUIRED")]));
    }

    async fn other_media_types_and_malformed_patches_are_refused(house: House) {
        let caller = Caller::client(&house).await;
        let path = caller.make_user("ada").await;
        let raw = |kind: &str, body: String| {
            caller.request(Method::PATCH, &path).header("content-type", kind).body(body)
        };

        let refused = status_of(raw("text/plain", "{}".into()), 415).await;
        assert!(header(&refused, "accept-patch").contains("application/merge-patch+json"));
        problem(refused).await;
        for (kind, body) in [
            ("application/json-patch+json", "{}"),
            ("application/json-patch+json", r#"[{"op":"jump","path":"/name"}]"#),
            ("application/json-patch+json", r#"[{"op":"add","path":"name","value":1}]"#),
            ("application/json-patch+json", r#"[{"op":"add","path":"/name"}]"#),
            ("application/merge-patch+json", "[1]"),
            ("application/merge-patch+json", "{"),
            ("application/json", ""),
        ] {
            let answer = raw(kind, body.to_owned()).send().await.unwrap();
            assert_eq!(answer.status(), 400, "{kind} {body}");
            problem(answer).await;
        }
        let many: Vec<Value> = (0..10_000).map(|_| json!({ "op": "test", "path": "/name", "value": "ada" })).collect();
        let answer = raw("application/json-patch+json", Value::Array(many).to_string()).send().await.unwrap();
        assert_eq!(answer.status(), 422);
        assert_eq!(caller.read(&path).await["name"], "ada");
    }
}

/// A shop whose bodies may be so long, and the path of a user with a tag of that many letters.
async fn shop_with(bytes: &str, letters: usize) -> (House, Caller, String) {
    let house = House::with(Engine::Sqlite, &[("VALETKEY_LIMITS_DOCUMENT_BYTES", bytes)]).await.unwrap();
    let caller = Caller::client(&house).await;
    let made = json!({ "name": "Ada", "email": "ada@example.org", "tags": ["x".repeat(letters)] });
    let user = self_link(&caller.make("/api/users", made).await);
    (house, caller, user)
}

#[tokio::test]
async fn what_could_be_made_can_be_patched() {
    let (_house, caller, user) = shop_with("4194304", 3 << 20).await;

    let merged = sent(caller.patch(&user, &json!({ "name": "Eve" })), 200).await;
    let replaced = json!([{ "op": "replace", "path": "/name", "value": "Zoe" }]);
    let stepped = sent(steps(&caller, &user, &replaced), 200).await;

    assert_eq!((&merged["name"], &stepped["name"]), (&json!("Eve"), &json!("Zoe")));
}

#[tokio::test]
async fn no_patch_makes_a_row_longer_than_a_body_may_be() {
    let (_house, caller, user) = shop_with("4096", 2000).await;
    let long = "x".repeat(3000);

    let added = json!([{ "op": "add", "path": "/tags/-", "value": long }]);
    problem(status_of(steps(&caller, &user, &added), 413).await).await;
    problem(status_of(caller.patch(&user, &json!({ "address": { "street": long } })), 413).await).await;

    sent(caller.patch(&user, &json!({ "tags": [long] })), 200).await;
}
