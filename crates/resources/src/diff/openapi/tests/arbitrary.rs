//! Whatever is compared, nothing panics, and nothing differs from itself.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{compare, document};
use crate::diff::openapi::read;

const WORDS: [&str; 24] = [
    "type",
    "properties",
    "required",
    "$ref",
    "allOf",
    "oneOf",
    "enum",
    "items",
    "nullable",
    "schema",
    "content",
    "parameters",
    "responses",
    "200",
    "application/json",
    "get",
    "security",
    "name",
    "in",
    "paths",
    "/a/{b}",
    "headers",
    "requestBody",
    "additionalProperties",
];

/// Anything, made of words that mean something to a comparison.
pub(in crate::diff) fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i32>().prop_map(|number| json!(number)),
        any::<f64>().prop_map(|number| json!(number)),
        prop::sample::select(vec![
            "string", "object", "array", "null", "#/x", "#", "#/paths", "query", "path", "b", "%"
        ])
        .prop_map(|word| json!(word)),
    ];
    leaf.prop_recursive(6, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            prop::collection::vec((prop::sample::select(WORDS.to_vec()), inner), 0..6).prop_map(|pairs| Value::Object(
                pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
            )),
        ]
    })
}

proptest! {
    #[test]
    fn nothing_differs_from_itself(schema in value(), item in value()) {
        let one = document(&[("/paths/~1x", item), ("@/requestBody/content/application~1json/schema", schema)]);

        prop_assert_eq!(compare(&one, &one, None), []);
    }

    #[test]
    fn no_two_values_make_it_panic(old in value(), new in value()) {
        compare(&old, &new, None);
        let wrap = |schema: &Value| document(&[("@/responses/200/content/application~1json/schema", schema.clone())]);
        compare(&wrap(&old), &wrap(&new), None);
        let root = |value: Value| Value::Object(Map::from_iter([("paths".to_owned(), value)]));
        compare(&root(old), &root(new), None);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[-{}\\[\\]:,&*!|>%#'\"a-c \n0-9<]{0,80}") {
        let _ = read(&text);
    }
}
