//! JSON Schema: each keyword with a value that it does not take, and what has no effect.

use crate::declaration::read;
use crate::declaration::tests::{fault, fields, place, warnings};

/// The fault of a field with these keywords.
#[track_caller]
fn refused(keywords: &str) -> crate::declaration::Fault {
    fault(&fields(&format!("a: {{ {keywords} }}")))
}

#[test]
fn a_type_is_one_of_seven() {
    let unknown = refused("type: strng");

    assert_eq!(place(&unknown), (5, 18, "resources.things.fields.a.type", Some("string")));
    assert_eq!(refused("type: [string, nul]").suggestion.as_deref(), Some("null"));
    assert!(refused("type: text").message.contains("`string`, `integer`"));
    assert!(refused("type: 7").message.contains("quotes"));
}

#[test]
fn each_keyword_takes_what_it_takes() {
    for (keywords, words) in [
        ("type: string, minLength: -1", "`minLength` takes a whole number, 0 or more, not the number `-1`."),
        ("type: string, maxLength: 1.5", "takes a whole number"),
        ("type: string, maxLength: many", "takes a whole number, 0 or more, not `many`"),
        ("type: integer, minimum: low", "`minimum` takes a number, not `low`."),
        ("type: number, multipleOf: 0", "a number above 0"),
        ("type: integer, minimum: '0'", "`minimum` takes a number, not the text `\"0\"`."),
        ("type: array, items: string", "takes a schema such as"),
        ("type: array, uniqueItems: 1", "`true` or `false`"),
        ("type: array, prefixItems: []", "at least one schema"),
        ("type: object, properties: []", "takes a map"),
        ("type: object, properties: { b: string }", "takes a schema"),
        ("type: object, required: [b, b]", "listed twice"),
        ("type: object, properties: { b: { required: true } }", "`required` is a list in the object"),
        ("type: object, dependentRequired: { b: c }", "takes a list"),
        ("enum: EUR", "takes a list"),
        ("title: [a]", "takes a text"),
        ("allOf: { type: string }", "takes a list"),
        ("anyOf: [{ type: sting }]", "no type"),
    ] {
        let fault = refused(keywords);
        assert!(fault.message.contains(words), "{keywords}: {fault}");
    }
}

#[test]
fn a_slip_in_a_keyword_is_wrong_at_any_depth() {
    assert_eq!(refused("type: string, minLenght: 1").suggestion.as_deref(), Some("minLength"));
    let deep = refused("type: object, properties: { b: { items: { fromat: email } } }");
    assert_eq!(place(&deep).2, "resources.things.fields.a.properties.b.items.fromat");
    assert_eq!(deep.suggestion.as_deref(), Some("format"));
}

#[test]
fn a_keyword_that_nobody_knows_is_doubtful_and_one_for_others_is_not() {
    let found = warnings(&fields("a: { type: string, widget: slider }"));

    assert!(found.iter().any(|warning| warning.path.ends_with("a.widget")), "{found:?}");
    let found = warnings(&fields("a: { type: string, x-widget: slider, $comment: hi }"));
    assert!(found.iter().all(|warning| !warning.path.contains("fields")), "{found:?}");
}

#[test]
fn keywords_without_effect_are_refused_with_what_to_do() {
    for (keywords, words) in [
        ("$id: http://x/y", "no address"),
        ("$anchor: b", "$defs"),
        ("type: string, nullable: true", "may be null as it is"),
        ("type: string, writeOnly: true", "would see the field"),
        ("type: string, example: b", "`examples`"),
        ("definitions: {}", "`$defs`"),
        ("$schema: http://json-schema.org/draft-07/schema#", "2020-12"),
        ("type: array, items: { filter: true }", "belongs to a field itself"),
        ("type: object, properties: { b: { unique: true } }", "belongs to a field itself"),
        ("allOf: [{ properties: { b: { sort: true } } }]", "belongs to a field itself"),
    ] {
        let fault = refused(keywords);
        assert!(fault.message.contains(words), "{keywords}: {fault}");
    }
    assert!(read(&fields("a: { $schema: https://json-schema.org/draft/2020-12/schema }")).is_ok());
}

#[test]
fn references_stay_inside_and_come_to_an_end() {
    assert!(refused("$ref: https://example.com/schema.json").message.contains("same schema"));
    assert!(refused("$ref: other.json").message.contains("same schema"));
    assert!(refused("$ref: '#/$defs/b'").message.contains("points at nothing"));
    assert!(refused("$ref: '#'").message.contains("leads back to itself"));
    let circle = "allOf: [{ $ref: '#/$defs/b' }], $defs: { b: { anyOf: [{ $ref: '#/$defs/c' }] }, c: { not: { $ref: '#/$defs/b' } } }";
    assert!(refused(circle).message.contains("leads back to itself"));
    assert!(refused("enum: [a], allOf: [{ $ref: '#' }]").message.contains("leads back to itself"));
    let mut doubled = "z: {}".to_owned();
    for n in 0..30 {
        let next = if n == 0 { "z".to_owned() } else { format!("d{}", n - 1) };
        doubled += &format!(", d{n}: {{ allOf: [{{ $ref: '#/$defs/{next}' }}, {{ $ref: '#/$defs/{next}' }}] }}");
    }
    let wide = refused(&format!("$ref: '#/$defs/d29', default: x, $defs: {{ {doubled} }}"));
    assert!(wide.message.contains("more than 10,000"), "{wide}");
    let tree = "type: object, properties: { below: { type: array, items: { $ref: '#' } } }, default: { below: [{}] }";
    assert!(read(&fields(&format!("a: {{ {tree} }}"))).is_ok());
}

#[test]
fn patterns_run_in_linear_time() {
    let look_ahead = refused("type: string, pattern: '(?=a)b'");

    assert_eq!(place(&look_ahead), (5, 35, "resources.things.fields.a.pattern", None));
    assert!(look_ahead.message.contains("linear time"), "{look_ahead}");
    assert!(refused(r"type: string, pattern: '(a)\1'").message.contains("linear time"));
    assert!(refused("type: string, pattern: '['").message.contains("regular expression"));
    assert!(refused("type: object, patternProperties: { '(': {} }").message.contains("regular expression"));
    assert!(read(&fields(r"a: { type: string, pattern: '^\d{3}-[a-z]+$' }")).is_ok());
}

#[test]
fn a_format_that_is_not_checked_is_doubtful() {
    let found = warnings(&fields("a: { type: string, format: emial }"));

    let doubt = found.iter().find(|warning| warning.path.ends_with("a.format")).unwrap();
    assert_eq!(doubt.suggestion.as_deref(), Some("email"));
}
