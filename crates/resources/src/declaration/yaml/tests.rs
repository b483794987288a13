//! Types of the core schema, places, and what is refused because it could grow or be read in two ways.

use serde_json::json;

use super::*;

fn read(text: &str) -> Result<Value, Vec<Fault>> {
    let mut report = Report::default();
    let node = parse(text, &mut report);
    if report.faults.is_empty() { Ok(node.unwrap().to_json()) } else { Err(report.faults) }
}

#[track_caller]
fn refused(text: &str) -> Fault {
    let mut faults = read(text).unwrap_err();
    assert_eq!(faults.len(), 1, "{faults:#?}");
    faults.remove(0)
}

#[test]
fn words_of_yaml_1_1_stay_words() {
    let value = read("[no, on, yes, off, y, 0777, 1_000, 12:30:45, 2026-11-15, EUR, 0b1, 1.2.3, -x, .]").unwrap();

    let expected = ["no", "on", "yes", "off", "y"];
    assert_eq!(value.as_array().unwrap()[..5], expected.map(Value::from));
    assert_eq!(value[5], 777, "core schema: leading zeros are decimal");
    assert_eq!(
        value.as_array().unwrap()[6..],
        ["1_000", "12:30:45", "2026-11-15", "EUR", "0b1", "1.2.3", "-x", "."].map(Value::from)
    );
}

#[test]
fn the_types_of_the_core_schema_are_read() {
    let value =
        read("[~, null, '', true, FALSE, 12, -7, +3, 0o14, 0xFF, 1.5, -.5e3, 1., 18446744073709551615]").unwrap();

    let big = u64::MAX;
    assert_eq!(value, json!([null, null, "", true, false, 12, -7, 3, 12, 255, 1.5, -500.0, 1.0, big]));
    assert_eq!(read("a:\nb: \"12\"\nc: '~'").unwrap(), json!({ "a": null, "b": "12", "c": "~" }));
    assert_eq!(read("a: |\n  one\n  two\nb: >-\n  one\n  two").unwrap(), json!({ "a": "one\ntwo\n", "b": "one two" }));
}

#[test]
fn numbers_that_json_cannot_hold_are_refused() {
    for number in [".inf", "-.INF", ".nan", "1e999", "99999999999999999999999"] {
        let fault = refused(&format!("a: {number}"));
        assert_eq!((fault.line, fault.column, fault.path.as_str()), (1, 4, "a"), "{number}");
    }
}

#[test]
fn a_key_that_stands_twice_is_refused_with_the_line_of_the_first() {
    let fault = refused("a:\n  b: 1\n  c: 2\n  b: 3\n");

    assert_eq!((fault.line, fault.column, fault.path.as_str()), (4, 3, "a.b"));
    assert!(fault.message.contains("line 2"), "{fault}");
    assert_eq!(refused("{a: 1, b: 2, a: 3}").column, 14);
}

#[test]
fn aliases_tags_and_further_documents_are_refused() {
    let alias = refused("a: &x [1]\nb:\n  - *x\n");
    assert_eq!((alias.line, alias.column, alias.path.as_str()), (3, 5, "b[0]"));
    assert!(alias.message.contains("Aliases"), "{alias}");
    assert!(refused("a: &x {b: 1}\nc:\n  <<: *x").message.contains("Aliases"));
    assert!(refused("&x a: 1\n*x : 2").message.contains("Aliases"));
    assert!(refused("a: !!str 1").message.contains("quotes"));
    assert!(refused("a: !thing {}").message.contains("Tags"));
    let second = refused("a: 1\n---\nb: 2\n");
    assert_eq!((second.line, second.column), (2, 1));
    assert!(read("---\na: 1\n...\n").is_ok());
}

#[test]
fn keys_are_words() {
    assert!(refused("? [a, b]\n: 1").message.contains("must be a word"));
    assert!(refused("? {a: b}\n: 1").message.contains("must be a word"));
    assert!(refused(": 1").message.contains("missing"));
    assert_eq!(read("1: a\ntrue: b").unwrap(), json!({ "1": "a", "true": "b" }));
}

#[test]
fn depth_and_size_are_bounded() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));

    assert!(read(&nested(DEEPEST)).is_ok());
    let deep = refused(&nested(DEEPEST + 1));
    assert!(deep.message.contains("64 deep") && deep.column == DEEPEST + 1, "{deep:?}");
    assert!(refused(&" ".repeat(LARGEST + 1)).message.contains("1 MiB"));
}

#[test]
fn what_is_no_yaml_is_told_with_the_usual_reason() {
    let tab = refused("a:\n\tb: 1\n");
    assert!(tab.line == 2 && tab.message.contains("not with tabs"), "{tab:?}");
    let colon = refused("a: one: two\n");
    assert!(colon.line == 1 && colon.message.contains("into quotes"), "{colon:?}");
    let open = refused("a: [1, 2\nb: 3\n");
    assert!(open.message.starts_with("This is not YAML: ") && open.message.contains("not closed"), "{open:?}");
    assert_eq!((open.line, open.column), (2, 2), "{open:?}");
    let at_end = refused("a: [1,\n  2\n\n");
    assert_eq!((at_end.line, at_end.column), (2, 4), "{at_end:?}");
    assert!(refused("a: @b").message.contains("into quotes"));
}

#[test]
fn a_mark_of_byte_order_and_other_line_ends_do_not_shift_places() {
    let fault = refused("\u{feff}a: 1\r\nb: 2\r\na: 3\r\n");

    assert_eq!((fault.line, fault.column), (3, 1));
    assert_eq!(refused("größe: 1\n\"größe\": 2").width, 7);
}
