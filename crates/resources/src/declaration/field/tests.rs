//! Fields: keywords of our own, what they imply, and which of them go together.

use serde_json::json;

use crate::declaration::tests::{fault, fields, place, warnings};
use crate::declaration::{Fault, read};
use crate::model::{Field, OnDelete, Stamp};

#[track_caller]
fn refused(keywords: &str) -> Fault {
    fault(&fields(&format!("a: {{ {keywords} }}")))
}

fn field(text: &str) -> Field {
    read(&fields(text)).unwrap().api.resources[0].fields[0].clone()
}

#[test]
fn keywords_of_our_own_leave_the_schema() {
    let field = field(
        "a: { type: string, minLength: 1, required: true, unique: true, filter: true, sort: true, search: true, x-a: 1 }",
    );

    assert!(field.required && field.unique && field.filter && field.sort && field.search);
    assert_eq!(field.schema, json!({ "type": "string", "minLength": 1, "x-a": 1 }));
}

#[test]
fn a_list_under_required_is_about_the_members_of_an_object() {
    let field = field("a: { type: object, required: [street] }");

    assert!(!field.required);
    assert_eq!(field.schema, json!({ "type": "object", "required": ["street"] }));
}

#[test]
fn an_enumeration_says_its_type() {
    assert_eq!(field("a: { enum: [1, 2] }").schema["type"], "integer");
    assert_eq!(field("a: { enum: [a, b] }").schema["type"], "string");
    assert!(field("a: { enum: [a, 1] }").schema.get("type").is_none());
}

#[test]
fn what_the_server_sets_is_read_only_and_has_its_type() {
    let stamped = field("a: { set: updated_at }");
    assert_eq!((stamped.stamp, stamped.read_only), (Some(Stamp::UpdatedAt), true));
    assert_eq!(stamped.schema, json!({ "type": "string", "format": "date-time" }));
    assert_eq!(field("a: { set: owner }").schema, json!({ "type": "string" }));

    assert_eq!(refused("set: creatd_at").suggestion.as_deref(), Some("created_at"));
    assert!(refused("set: created_at, type: integer").message.contains("`type: string`"));
    assert!(refused("set: created_at, readOnly: false").message.contains("read-only"));
    assert!(refused("set: owner, default: me").message.contains("Remove `default`"));
    assert!(refused("set: owner, required: true").message.contains("Remove `required`"));
}

#[test]
fn a_reference_is_the_id_of_a_row_with_a_name_for_include() {
    let short = field("thing_id: { references: things }").references.unwrap();
    assert_eq!((short.resource.as_str(), short.name.as_str()), ("things", "thing"));
    assert_eq!(short.on_delete, OnDelete::Refuse);
    let long = field("a: { references: { resource: things, name: other, on_delete: clear } }");
    assert_eq!(long.references.unwrap().on_delete, OnDelete::Clear);
    assert_eq!(long.schema, json!({ "type": "string", "format": "uuid" }));

    let unknown = fault(&fields("thing_id: { references: thngs }"));
    assert_eq!(place(&unknown), (5, 31, "resources.things.fields.thing_id.references", Some("things")));
    assert!(refused("references: things").message.contains("does not end in `_id`"));
    assert!(refused("references: { name: b }").message.contains("no `resource`"));
    assert!(refused("references: { resource: things, name: B }").message.contains("small letters"));
    let words = refused("references: { resource: things, name: b, on_delete: cascade }");
    assert!(words.message.contains("`refuse`, `delete` and `clear`"), "{words}");
    assert!(fault(&fields("thing_id: { references: things, type: integer }")).message.contains("`type: string`"));
    assert!(fault(&fields("thing_id: { references: things, format: email }")).message.contains("`format: uuid`"));
}

#[test]
fn names_of_fields_are_plain_and_not_taken() {
    let camel = fault(&fields("userName: { type: string }"));
    assert_eq!(place(&camel), (5, 7, "resources.things.fields.userName", Some("user_name")));
    assert!(fault(&fields("id: { type: string }")).message.contains("which the server gives it"));
    assert!(fault(&fields("links: { type: string }")).message.contains("another name"));
    assert!(fault(&fields(&format!("{}: {{}}", "a".repeat(41)))).message.contains("at most 40"));
    let found = warnings(&fields("page: { type: integer, filter: true }\nsize: { type: integer }"));
    let doubts: Vec<_> = found.iter().filter(|warning| warning.path.contains("fields")).collect();
    assert_eq!(doubts.len(), 1);
    assert!(doubts[0].message.contains("`filter[page]=`"), "{}", doubts[0]);
}

#[test]
fn defaults_examples_and_values_fit_the_field() {
    let default = refused("enum: [EUR, USD], default: GBP");
    assert_eq!(place(&default), (5, 39, "resources.things.fields.a.default", None));
    assert!(default.message.contains("does not fit"), "{default}");
    assert!(refused("type: integer, default: '1'").message.contains("does not fit"));
    assert!(refused("type: string, format: email, default: nobody").message.contains("does not fit"));
    assert!(refused("type: string, default: null").message.contains("Remove this"));
    assert!(refused("type: integer, examples: [1, two]").message.contains("does not fit"));
    assert_eq!(place(&refused("type: integer, enum: [1, two]")).1, 37);
    assert!(refused("enum: []").message.contains("empty"));
    assert!(refused("enum: [a, b, a]").message.contains("listed twice"));
}

#[test]
fn a_field_that_nothing_fits_is_refused() {
    for keywords in [
        "type: integer, minimum: 5, maximum: 1",
        "type: string, minLength: 9, maxLength: 2",
        "type: array, items: { type: string }, minItems: 3, maxItems: 1",
        "enum: []",
    ] {
        let message = refused(keywords).message;
        assert!(message.contains("no value is possible"), "{keywords}: {message}");
    }
    field("a: { type: integer, minimum: 5, maximum: 5 }");
}

#[test]
fn lists_are_filtered_and_sorted_by_simple_types_only() {
    for keyword in ["filter", "sort", "unique"] {
        for kind in ["type: array", "type: object", "type: [string, 'null']", "minLength: 1", "enum: [1, a]"] {
            let fault = refused(&format!("{kind}, {keyword}: true"));
            assert!(fault.message.starts_with(&format!("`{keyword}` needs one simple type")), "{kind}: {fault}");
            assert!(fault.path.ends_with(keyword), "{fault:?}");
        }
    }
    for kind in ["type: integer", "type: number", "type: boolean", "type: string", "enum: [a]", "set: created_at"] {
        assert!(read(&fields(&format!("a: {{ {kind}, filter: true, sort: true }}"))).is_ok(), "{kind}");
    }
    assert!(refused("type: integer, search: true").message.contains("`search`"));
    assert!(refused("type: string, format: date-time, search: true").message.contains("`search`"));
}

#[test]
fn what_nobody_can_send_is_not_required() {
    assert!(refused("type: string, readOnly: true, required: true").message.contains("Remove `required`"));
    assert!(refused("type: string, required: true, default: a").message.contains("never missing"));
}

#[test]
fn flags_are_true_or_false() {
    let yes = refused("type: string, required: yes");
    assert_eq!(place(&yes), (5, 36, "resources.things.fields.a.required", Some("true")));
    assert_eq!(refused("type: string, filter: off").suggestion.as_deref(), Some("false"));
    assert_eq!(refused("type: string, sort: ture").suggestion.as_deref(), Some("true"));
    assert!(refused("type: string, sort: 1").message.contains("`true` or `false`"));
}

#[test]
fn a_field_is_a_schema() {
    for value in ["string", "", "[]", "true"] {
        let fault = fault(&fields(&format!("a: {value}")));
        assert!(fault.message.contains("`{ type: string }`"), "{fault}");
    }
}

#[test]
fn lists_go_by_values_inside_of_an_object() {
    let geo = "type: object, properties: { lat: { type: number, sort: true }, filter: { type: string } }";
    let city = "type: string, filter: true, sort: true";
    let text = format!("a: {{ type: object, required: true, properties: {{ city: {{ {city} }}, geo: {{ {geo} }} }} }}");

    let field = field(&text);

    let keys: Vec<_> = field.inner.iter().map(|key| (key.name.as_str(), key.filter, key.sort)).collect();
    assert_eq!(keys, [("a.city", true, true), ("a.geo.lat", false, true)]);
    assert_eq!(field.inner[1].schema, json!({ "type": "number" }));
    let clean = json!({ "type": "object", "properties": {
        "city": { "type": "string" },
        "geo": { "type": "object", "properties": { "lat": { "type": "number" }, "filter": { "type": "string" } } },
    } });
    assert_eq!(field.schema, clean, "keywords of our own leave the schema, names of members do not");
}

#[test]
fn lists_go_by_nothing_inside_that_has_no_column() {
    let inside = |members: &str| refused(&format!("type: object, properties: {{ {members} }}")).message;

    assert!(inside("b: { type: array, filter: true }").contains("one simple type"));
    assert!(inside("b: { filter: true }").contains("it has no type"));
    assert!(inside("zipCode: { type: string, sort: true }").contains("small letters"));
    assert!(inside("b: { type: string, filter: 1 }").contains("`true` or `false`"));
    assert!(
        inside(&format!(
            "{0}: {{ type: object, properties: {{ {0}: {{ type: string, sort: true }} }} }}",
            "b".repeat(40)
        ))
        .contains("longer than 60 letters")
    );
    assert!(refused("properties: { b: { type: string, filter: true } }").message.contains("`type: object`"));
}
