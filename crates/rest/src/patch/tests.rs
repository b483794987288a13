//! Patches that apply, patches that do not, and patches that were made to exhaust the server.

use axum::response::IntoResponse;
use http::{HeaderMap, HeaderValue, header};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{JSON_PATCH, MAX_RESULT, MERGE_PATCH, Patch, PatchError};
use crate::problem::{FieldCode, Problem};

fn headers(media_type: &'static str) -> HeaderMap {
    HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(media_type))])
}

fn read(operations: Value) -> Result<Patch, Problem> {
    Patch::read(&headers(JSON_PATCH), operations.to_string().as_bytes())
}

fn patched(document: Value, operations: Value) -> Result<Value, PatchError> {
    read(operations).unwrap().apply(&document)
}

fn merged(document: Value, patch: Value) -> Value {
    Patch::read(&headers(MERGE_PATCH), patch.to_string().as_bytes()).unwrap().apply(&document).unwrap()
}

fn missing(pointer: &str) -> Result<Value, PatchError> {
    Err(PatchError::MissingPath { pointer: pointer.to_owned() })
}

#[test]
fn merge_patches_do_what_rfc_7396_lists() {
    for (document, patch, result) in [
        (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
        (json!({"a": "b"}), json!({"b": "c"}), json!({"a": "b", "b": "c"})),
        (json!({"a": "b"}), json!({"a": null}), json!({})),
        (json!({"a": "b", "b": "c"}), json!({"a": null}), json!({"b": "c"})),
        (json!({"a": ["b"]}), json!({"a": "c"}), json!({"a": "c"})),
        (json!({"a": "c"}), json!({"a": ["b"]}), json!({"a": ["b"]})),
        (json!({"a": {"b": "c"}}), json!({"a": {"b": "d", "c": null}}), json!({"a": {"b": "d"}})),
        (json!({"a": [{"b": "c"}]}), json!({"a": [1]}), json!({"a": [1]})),
        (json!({"e": null}), json!({"a": 1}), json!({"e": null, "a": 1})),
        (json!({}), json!({"a": {"bb": {"ccc": null}}}), json!({"a": {"bb": {}}})),
    ] {
        assert_eq!(merged(document, patch), result);
    }
}

#[test]
fn plain_json_means_a_merge_and_nothing_but_an_object_merges() {
    assert_eq!(Patch::read(&headers("application/json"), b"{\"a\":1}").unwrap(), Patch::Merge(json!({"a": 1})));
    for body in ["[]", "null", "1", "\"a\"", "{", ""] {
        assert_eq!(Patch::read(&headers(MERGE_PATCH), body.as_bytes()).unwrap_err().status_code(), 400, "{body}");
    }
}

#[test]
fn other_media_types_are_told_which_to_use() {
    for headers in [headers("text/plain"), headers("application/json; charset=latin1"), HeaderMap::new()] {
        let refused = Patch::read(&headers, b"{}").unwrap_err();

        assert_eq!(refused.status_code(), 415);
        assert_eq!(
            refused.into_response().headers()["accept-patch"],
            "application/merge-patch+json, application/json-patch+json, application/json"
        );
    }
}

#[test]
fn each_operation_does_what_rfc_6902_says() {
    for (document, operations, result) in [
        (json!({}), json!([]), json!({})),
        (json!({"a": 1}), json!([{"op": "add", "path": "/b", "value": null}]), json!({"a": 1, "b": null})),
        (json!({"a": 1}), json!([{"op": "add", "path": "/a", "value": 2}]), json!({"a": 2})),
        (json!([1, 3]), json!([{"op": "add", "path": "/1", "value": 2}]), json!([1, 2, 3])),
        (json!([1]), json!([{"op": "add", "path": "/1", "value": 2}]), json!([1, 2])),
        (json!([1]), json!([{"op": "add", "path": "/-", "value": [2]}]), json!([1, [2]])),
        (json!({"a": 1}), json!([{"op": "add", "path": "", "value": [1]}]), json!([1])),
        (json!({"": 1}), json!([{"op": "replace", "path": "/", "value": 2}]), json!({"": 2})),
        (json!({"a": 1, "b": 2}), json!([{"op": "remove", "path": "/a"}]), json!({"b": 2})),
        (json!([1, 2, 3]), json!([{"op": "remove", "path": "/1"}]), json!([1, 3])),
        (json!({"a": {"b": 1}}), json!([{"op": "move", "from": "/a/b", "path": "/c"}]), json!({"a": {}, "c": 1})),
        (json!([1, 2, 3]), json!([{"op": "move", "from": "/0", "path": "/2"}]), json!([2, 3, 1])),
        (json!({"a": 1}), json!([{"op": "move", "from": "/a", "path": "/a"}]), json!({"a": 1})),
        (json!({"a": [1]}), json!([{"op": "copy", "from": "/a", "path": "/b"}]), json!({"a": [1], "b": [1]})),
        (json!({"a": 1}), json!([{"op": "copy", "from": "", "path": "/b"}]), json!({"a": 1, "b": {"a": 1}})),
        (
            json!({"a/b": 1, "m~n": 2, "~1": 3}),
            json!([
                {"op": "test", "path": "/a~1b", "value": 1},
                {"op": "test", "path": "/m~0n", "value": 2},
                {"op": "test", "path": "/~01", "value": 3, "ignored": true},
            ]),
            json!({"a/b": 1, "m~n": 2, "~1": 3}),
        ),
        (
            json!({"a": [1.0, {"b": 2}]}),
            json!([{"op": "test", "path": "/a", "value": [1, {"b": 2.0}]}]),
            json!({"a": [1.0, {"b": 2}]}),
        ),
    ] {
        assert_eq!(patched(document, operations.clone()), Ok(result), "{operations}");
    }
}

#[test]
fn a_place_that_is_not_there_is_named() {
    let document = json!({"a": [1], "b": {}, "c": 1});
    for (operation, pointer) in [
        (json!({"op": "remove", "path": "/x"}), "/x"),
        (json!({"op": "replace", "path": "/b/x", "value": 1}), "/b/x"),
        (json!({"op": "add", "path": "/x/y", "value": 1}), "/x/y"),
        (json!({"op": "add", "path": "/c/y", "value": 1}), "/c/y"),
        (json!({"op": "add", "path": "/a/2", "value": 1}), "/a/2"),
        (json!({"op": "add", "path": "/a/01", "value": 1}), "/a/01"),
        (json!({"op": "add", "path": "/a/x", "value": 1}), "/a/x"),
        (json!({"op": "add", "path": "/a/", "value": 1}), "/a/"),
        (json!({"op": "add", "path": "/a/+1", "value": 1}), "/a/+1"),
        (json!({"op": "add", "path": "/a/99999999999999999999", "value": 1}), "/a/99999999999999999999"),
        (json!({"op": "remove", "path": "/a/-"}), "/a/-"),
        (json!({"op": "test", "path": "/a/00", "value": 1}), "/a/00"),
        (json!({"op": "move", "from": "/x", "path": "/x"}), "/x"),
        (json!({"op": "copy", "from": "/a/1", "path": "/d"}), "/a/1"),
    ] {
        assert_eq!(patched(document.clone(), json!([operation])), missing(pointer), "{operation}");
    }
}

#[test]
fn a_failing_test_undoes_everything() {
    let document = json!({"a": 1});
    let patch = read(json!([{"op": "remove", "path": "/a"}, {"op": "test", "path": "", "value": {"a": 1}}])).unwrap();

    assert_eq!(patch.apply(&document), Err(PatchError::TestFailed { pointer: String::new() }));
    assert_eq!(document, json!({"a": 1}));
}

#[test]
fn integers_beyond_2_53_are_compared_as_integers() {
    let failed =
        patched(json!([9007199254740993_u64]), json!([{"op": "test", "path": "/0", "value": 9007199254740992_u64}]));

    assert_eq!(failed, Err(PatchError::TestFailed { pointer: "/0".to_owned() }));
}

#[test]
fn operations_that_fit_no_document_are_invalid() {
    for operation in [json!({"op": "move", "from": "/a", "path": "/a/b"}), json!({"op": "remove", "path": ""})] {
        let refused = patched(json!({"a": {}}), json!([operation])).unwrap_err();

        assert!(matches!(refused, PatchError::Invalid { .. }));
        assert_eq!(Problem::from(refused).status_code(), 400);
    }
}

#[test]
fn every_operation_that_cannot_be_read_is_named() {
    use FieldCode::{InvalidFormat, InvalidType, InvalidValue, Required};
    let refused = read(json!([
        {"op": "remove", "path": "/fine"},
        7,
        {"path": "/a"},
        {"op": 1, "path": "/a"},
        {"op": "spam", "path": "/a"},
        {"op": "add", "value": 1},
        {"op": "add", "path": "/a"},
        {"op": "add", "path": "a", "value": 1},
        {"op": "add", "path": "/~2", "value": 1},
        {"op": "add", "path": "/~", "value": 1},
        {"op": "move", "path": "/a"},
        {"op": "copy", "path": "/a", "from": null},
    ]))
    .unwrap_err();

    let errors: Vec<_> = refused.fields().iter().map(|error| (error.pointer.as_deref().unwrap(), error.code)).collect();
    assert_eq!(refused.status_code(), 400);
    assert_eq!(
        errors,
        [
            ("/1", InvalidType),
            ("/2/op", Required),
            ("/3/op", InvalidType),
            ("/4/op", InvalidValue),
            ("/5/path", Required),
            ("/6/value", Required),
            ("/7/path", InvalidFormat),
            ("/8/path", InvalidFormat),
            ("/9/path", InvalidFormat),
            ("/10/from", Required),
            ("/11/from", InvalidType),
        ]
    );
    assert_eq!(read(json!({"op": "remove"})).unwrap_err().status_code(), 400);
}

#[test]
fn what_does_not_fit_the_state_is_a_conflict() {
    for error in [PatchError::TestFailed { pointer: "/a/b".into() }, PatchError::MissingPath { pointer: "/a/b".into() }]
    {
        let problem = Problem::from(error);

        assert_eq!(problem.status_code(), 409);
        assert_eq!(problem.fields()[0].pointer.as_deref(), Some("/a/b"));
        assert_eq!(problem.fields()[0].field, "a.b");
    }
}

#[test]
fn ten_thousand_operations_are_not_begun() {
    let many = |count| Value::Array(vec![json!({"op": "test", "path": "", "value": {}}); count]);

    assert!(read(many(1000)).is_ok());
    assert_eq!(read(many(10_000)).unwrap_err().status_code(), 422);
}

#[test]
fn a_document_cannot_be_copied_into_itself_for_ever() {
    let doubling = vec![json!({"op": "copy", "from": "", "path": "/a"}); 1000];
    assert_eq!(patched(json!({"x": "y"}), Value::Array(doubling)), Err(PatchError::TooLarge));

    let list = vec![json!({"op": "copy", "from": "/0", "path": "/-"}); 1000];
    assert_eq!(patched(json!(["x".repeat(2000)]), Value::Array(list)), Err(PatchError::TooLarge));
}

#[test]
fn copying_the_same_large_value_again_and_again_runs_out_of_budget() {
    let copied = |times: usize| {
        let again = vec![json!({"op": "copy", "from": "/a", "path": "/b"}); times];
        patched(json!({"a": vec![0; 20_000]}), Value::Array(again))
    };

    assert!(copied(12).is_ok());
    assert_eq!(copied(13), Err(PatchError::TooLarge));
}

#[test]
fn a_thousand_items_put_in_front_of_two_thousand_are_within_the_budget() {
    let first = vec![json!({"op": "add", "path": "/a/0", "value": 1}); 1000];

    assert!(patched(json!({"a": vec![0; 2_000]}), Value::Array(first)).is_ok());
}

#[test]
fn a_patch_cannot_build_a_document_deeper_than_a_body() {
    let mut nested = json!({});
    for _ in 0..20 {
        nested = json!({"a": nested});
    }
    let deepen = json!([
        {"op": "add", "path": "/x", "value": nested},
        {"op": "move", "from": "/x", "path": "/y"},
        {"op": "add", "path": "/x", "value": nested},
        {"op": "move", "from": "/y", "path": format!("/x{}", "/a".repeat(20))},
    ]);

    assert_eq!(patched(json!({}), deepen), Err(PatchError::TooLarge));
    let replaced = json!([{"op": "replace", "path": "/a/a/a/a/a/a/a/a/a/a/a/a/a", "value": nested}]);
    assert_eq!(patched(nested.clone(), replaced), Err(PatchError::TooLarge));
}

#[test]
fn what_is_taken_away_makes_room() {
    let large = "x".repeat(MAX_RESULT / 2);
    let rounds: Vec<Value> =
        (0..50).map(|_| json!({"op": "replace", "path": "/a", "value": "y".repeat(1000)})).collect();
    let swaps = json!([{"op": "move", "from": "/a", "path": "/b"}, {"op": "move", "from": "/b", "path": "/a"}]);

    assert!(patched(json!({"a": large}), Value::Array(rounds)).is_ok());
    assert!(patched(json!({"a": large}), swaps).is_ok());
    assert_eq!(merged(json!({"a": large}), json!({"a": null, "b": large})), json!({"b": large}));
}

#[test]
fn a_merge_that_grows_too_large_is_refused() {
    let half = json!({"a": "x".repeat(MAX_RESULT / 2 + 10)});
    let other = Patch::Merge(json!({"b": "x".repeat(MAX_RESULT / 2 + 10)}));

    assert_eq!(other.apply(&half), Err(PatchError::TooLarge));
    assert_eq!(Problem::from(PatchError::TooLarge).status_code(), 413);
}

#[test]
fn a_result_is_as_large_as_the_caller_allows() {
    let half = json!({"a": "x".repeat(MAX_RESULT / 2)});
    let patches = [
        Patch::Merge(json!({"b": half["a"]})),
        read(json!([{"op": "add", "path": "/b", "value": half["a"]}])).unwrap(),
        read(json!([{"op": "copy", "from": "/a", "path": "/b"}])).unwrap(),
    ];

    for patch in patches {
        assert_eq!(patch.apply(&half), Err(PatchError::TooLarge));
        assert_eq!(patch.apply_within(2 * MAX_RESULT, half.clone()), Ok(json!({"a": half["a"], "b": half["a"]})));
    }
    let small = Patch::Merge(json!({"b": "x".repeat(100)}));
    assert_eq!(small.apply_within(100, json!({})), Err(PatchError::TooLarge));
}

#[test]
fn what_is_too_large_already_may_change_and_not_grow() {
    let large = json!({"a": "x".repeat(MAX_RESULT), "b": "long"});
    let with = |word: &str| {
        [Patch::Merge(json!({"b": word})), read(json!([{"op": "replace", "path": "/b", "value": word}])).unwrap()]
    };

    for patch in with("like").iter().chain(&with("s")) {
        assert!(patch.apply(&large).is_ok(), "{patch:?}");
    }
    for patch in with("longer") {
        assert_eq!(patch.apply(&large), Err(PatchError::TooLarge), "{patch:?}");
    }
}

#[test]
fn copying_the_same_long_text_again_and_again_runs_out_of_budget() {
    let large = json!({"a": "x".repeat(8 * MAX_RESULT)});
    let copied = |times: usize| {
        let again = vec![json!({"op": "copy", "from": "/a", "path": "/b"}); times];
        read(Value::Array(again)).unwrap().apply_within(17 * MAX_RESULT, large.clone())
    };

    assert!(copied(10).is_ok());
    assert_eq!(copied(1000), Err(PatchError::TooLarge));
}

fn document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i8>().prop_map(Value::from),
        "[a~/é]{0,3}".prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::btree_map("[ab]", inner, 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn operation() -> impl Strategy<Value = Value> {
    let place = || "(/[ab01-]){0,3}";
    let op = prop_oneof![Just("add"), Just("remove"), Just("replace"), Just("move"), Just("copy"), Just("test")];
    (op, place(), place(), document())
        .prop_map(|(op, path, from, value)| json!({"op": op, "path": path, "from": from, "value": value}))
}

proptest! {
    // In a debug build the account of bytes is compared with the truth after every patch.
    #[test]
    fn no_patch_makes_it_panic_or_lose_count(document in document(), operations in proptest::collection::vec(operation(), 0..6)) {
        let _ = read(Value::Array(operations)).unwrap().apply(&document);
    }

    #[test]
    fn a_merge_of_a_document_into_itself_only_drops_nulls(document in document()) {
        prop_assume!(document.is_object());
        let merged = Patch::Merge(document.clone()).apply(&json!({})).unwrap();
        prop_assert_eq!(Patch::Merge(merged.clone()).apply(&merged).unwrap(), merged);
    }
}

#[test]
fn a_place_deeper_than_any_document_is_refused_before_it_is_looked_for() {
    let deep = |steps: usize| json!([{ "op": "remove", "path": "/a".repeat(steps) }]);

    let refused = read(deep(33)).unwrap_err();

    assert!(read(deep(32)).is_ok());
    assert_eq!((refused.status_code().as_u16(), &refused.fields()[0].code), (400, &FieldCode::TooLong));
}

#[test]
fn a_result_of_more_values_than_a_body_has_is_refused() {
    let (document, half) = (json!({ "a": vec![0; 30_000] }), json!({ "b": vec![0; 30_000] }));
    let merge = Patch::read(&headers(MERGE_PATCH), half.to_string().as_bytes()).unwrap();
    let add = json!([{ "op": "add", "path": "/b", "value": half["b"] }]);

    assert_eq!(merge.apply(&document), Err(PatchError::TooLarge));
    assert_eq!(patched(document.clone(), add), Err(PatchError::TooLarge));
    assert!(merge.apply(&json!({ "a": 1 })).is_ok());
}
