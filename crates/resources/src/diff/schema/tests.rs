//! Schemas: references, circles, and what each keyword does to the values that are allowed.

use serde_json::{Value, json};

use super::{Comparison, Direction};

/// The rules for requests and for answers, with the place.
fn rules(old: &Value, new: &Value) -> Vec<(String, Option<&'static str>, Option<&'static str>)> {
    let mut comparison = Comparison::new(old, new);
    let found = comparison.compare(old, new, false);
    let name = |rule: Option<&'static crate::diff::Rule>| rule.map(|rule| rule.name);
    found
        .iter()
        .map(|one| (one.path.clone(), name(one.rule(Direction::Request)), name(one.rule(Direction::Response))))
        .collect()
}

fn one(old: Value, new: Value) -> (Option<&'static str>, Option<&'static str>) {
    let found = rules(&old, &new);
    assert_eq!(found.len(), 1, "{old} → {new}: {found:?}");
    (found[0].1, found[0].2)
}

#[test]
fn what_narrows_breaks_writers_and_what_widens_breaks_readers() {
    let cases = [
        (json!({ "type": "string" }), json!({ "type": "string", "maxLength": 5 })),
        (json!({ "type": "string", "minLength": 1 }), json!({ "type": "string", "minLength": 2 })),
        (json!({ "type": "integer", "maximum": 9 }), json!({ "type": "integer", "maximum": 8 })),
        (json!({ "type": "integer" }), json!({ "type": "integer", "exclusiveMinimum": 0 })),
        (json!({ "type": "integer" }), json!({ "type": "integer", "minimum": 0, "exclusiveMinimum": true })),
        (json!({ "type": "integer", "multipleOf": 2 }), json!({ "type": "integer", "multipleOf": 4 })),
        (json!({ "type": "string" }), json!({ "type": "string", "pattern": "^a" })),
        (json!({ "type": "array" }), json!({ "type": "array", "uniqueItems": true })),
        (json!({ "type": "object" }), json!({ "type": "object", "maxProperties": 2 })),
        (json!({ "type": "string" }), json!({ "type": "string", "enum": ["a"] })),
        (json!({ "type": "object" }), json!({ "type": "object", "not": { "required": ["a"] } })),
        (json!({ "oneOf": [{ "$ref": "#/a" }, { "$ref": "#/b" }] }), json!({ "oneOf": [{ "$ref": "#/a" }] })),
    ];

    for (wide, narrow) in cases {
        let narrowed = one(wide.clone(), narrow.clone());
        let widened = one(narrow.clone(), wide.clone());

        assert_eq!(narrowed, (Some("validation-tightened"), Some("answer-narrowed")), "{wide} → {narrow}");
        assert_eq!(widened, (Some("validation-loosened"), Some("answer-widened")), "{narrow} → {wide}");
    }
}

#[test]
fn types_are_compared_by_what_they_hold() {
    let integer = || json!({ "type": "integer" });
    let number = || json!({ "type": "number" });
    let text = || json!({ "type": "string" });

    assert_eq!(one(integer(), number()), (Some("validation-loosened"), Some("type-changed")));
    assert_eq!(one(number(), integer()), (Some("type-changed"), Some("answer-narrowed")));
    assert_eq!(one(integer(), text()), (Some("type-changed"), Some("type-changed")));
    let dated = json!({ "type": "string", "format": "date" });
    assert_eq!(one(text(), dated.clone()), (Some("type-changed"), Some("answer-narrowed")));
    let moment = json!({ "type": "string", "format": "date-time" });
    assert_eq!(one(dated, moment), (Some("validation-loosened"), Some("type-changed")));
}

#[test]
fn null_is_one_thing_however_it_is_written() {
    let ways = [
        json!({ "type": "string", "nullable": true }),
        json!({ "type": ["string", "null"] }),
        json!({ "oneOf": [{ "type": "string" }, { "type": "null" }] }),
        json!({ "anyOf": [{ "type": "null" }, { "type": "string" }] }),
    ];

    for way in &ways {
        let plain = json!({ "type": "string" });
        assert_eq!(one(plain.clone(), way.clone()), (Some("null-accepted"), Some("field-nullable")), "{way}");
        assert_eq!(one(way.clone(), plain), (Some("null-refused"), Some("field-never-null")), "{way}");
        for other in &ways {
            assert_eq!(rules(way, other), [], "{way} → {other}");
        }
    }
}

#[test]
fn all_of_is_the_same_as_what_it_joins() {
    let joined = json!({ "type": "object", "required": ["a"], "properties": { "a": { "type": "string" }, "b": {} } });
    let parts = json!({
        "allOf": [{ "$ref": "#/$defs/base" }, { "required": ["a"], "properties": { "b": {} } }],
        "$defs": { "base": { "type": "object", "properties": { "a": { "type": "string" } } } },
    });

    assert_eq!(rules(&joined, &parts), []);
    assert_eq!(rules(&parts, &joined), []);
}

#[test]
fn members_that_nobody_writes_cannot_be_refused() {
    let of = |members: Value| json!({ "type": "object", "properties": members });
    let old = of(json!({ "id": { "type": "string", "readOnly": true } }));
    let new = of(json!({ "id": { "type": "string", "readOnly": true, "maxLength": 5 } }));

    assert_eq!(rules(&old, &new), [(".id".to_owned(), None, Some("answer-narrowed"))]);
}

#[test]
fn a_circle_ends_and_what_is_in_it_is_found() {
    let tree = |extra: Value| {
        json!({
            "$ref": "#/$defs/node",
            "$defs": { "node": { "type": "object", "properties": {
                "next": { "$ref": "#/$defs/node" },
                "twin": { "$ref": "#/$defs/other" },
                "value": extra,
            } }, "other": { "type": "object", "properties": { "back": { "$ref": "#/$defs/node" } } } },
        })
    };
    let (old, new) = (tree(json!({ "type": "string" })), tree(json!({ "type": "integer" })));

    let found = rules(&old, &new);

    assert_eq!(found, [(".value".to_owned(), Some("type-changed"), Some("type-changed"))]);
    let own = json!({ "$ref": "#" });
    assert_eq!(rules(&own, &own), []);
}

#[test]
fn a_schema_that_became_one_of_several_is_widened() {
    let alone = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    let several = json!({ "oneOf": [alone, { "type": "object", "properties": { "b": { "type": "string" } } }] });

    assert_eq!(one(alone.clone(), several.clone()), (Some("validation-loosened"), Some("answer-widened")));
    assert_eq!(one(several, alone), (Some("validation-tightened"), Some("answer-narrowed")));
}

#[test]
fn many_references_to_each_other_are_compared_in_no_time() {
    // Each refers to the next twice: told path by path, there are 2^40 of them.
    let chain = |kind: &str| {
        let mut defs = serde_json::Map::new();
        for place in 0..40 {
            let next = json!({ "$ref": format!("#/$defs/n{}", place + 1) });
            defs.insert(format!("n{place}"), json!({ "type": "object", "properties": { "a": next, "b": next } }));
        }
        defs.insert("n40".to_owned(), json!({ "type": kind }));
        json!({ "$ref": "#/$defs/n0", "$defs": defs })
    };
    let (old, new) = (chain("string"), chain("integer"));
    let mut comparison = Comparison::new(&old, &new);

    let found = comparison.compare(&old, &new, false);

    assert_eq!(found.len(), 1, "what is referred to is told once");
    assert_eq!(found[0].path, ".a".repeat(40));
    assert!(!comparison.is_cut);
}

#[test]
fn a_branch_is_known_by_its_title_wherever_it_stands() {
    let car = |kind: &str| json!({ "title": "Car", "type": "object", "properties": { "doors": { "type": kind } } });
    let old = json!({ "oneOf": [{ "$ref": "#/$defs/bike" }, { "$ref": "#/$defs/car" }],
        "$defs": { "bike": { "title": "Bike" }, "car": car("integer") } });
    let new = json!({ "oneOf": [car("string"), { "$ref": "#/$defs/bike" }], "$defs": { "bike": { "title": "Bike" } } });

    assert_eq!(rules(&old, &new), [("<car>.doors".to_owned(), Some("type-changed"), Some("type-changed"))]);
}

#[test]
fn schemas_that_all_refer_to_each_other_are_compared_in_no_time() {
    let web = |kind: &str| {
        let mut defs = serde_json::Map::new();
        for place in 0..60 {
            let others = (0..60).map(|other| (format!("p{other}"), json!({ "$ref": format!("#/$defs/n{other}") })));
            defs.insert(format!("n{place}"), json!({ "type": "object", "properties": others.collect::<Value>() }));
        }
        defs["n59"]["properties"]["value"] = json!({ "type": kind });
        json!({ "$ref": "#/$defs/n0", "$defs": defs })
    };
    let (old, new) = (web("string"), web("integer"));

    assert_eq!(rules(&old, &old), []);
    assert_eq!(rules(&old, &new), [(".p59.value".to_owned(), Some("type-changed"), Some("type-changed"))]);
}

#[test]
fn a_circle_through_all_of_comes_to_an_end() {
    let tree = json!({
        "$ref": "#/$defs/a",
        "$defs": {
            "a": { "allOf": [{ "$ref": "#/$defs/b" }, { "properties": { "child": { "$ref": "#/$defs/a" }, "x": {} } }] },
            "b": { "properties": { "child": { "$ref": "#/$defs/b" }, "other": { "$ref": "#/$defs/a" } } },
        },
    });
    let mut comparison = Comparison::new(&tree, &tree);

    assert_eq!(comparison.compare(&tree, &tree, false), []);
    assert!(!comparison.is_cut);
}
