//! What a terminal shows.

use valetkey_resources::diff::{Input, compare};

use super::text;
use crate::cli::paint::Paint;

const OLD: &str = "api: { name: a }\nresources:\n  things:\n    fields:\n      name: { type: string }\n";

fn shown(new: &str, is_coloured: bool) -> String {
    let (old, new) = (Input::read(OLD).unwrap(), Input::read(new).unwrap());
    text(&compare(&old, &new, jiff::civil::date(2026, 11, 15)), Paint::new(is_coloured))
}

#[test]
fn findings_are_grouped_and_end_with_what_to_do() {
    let shown = shown(&OLD.replace("name: { type: string }", "label: { type: string }\n      age: {}"), false);

    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "Breaking (1)");
    assert_eq!(lines[1], "  things.name  field-renamed");
    assert_eq!(lines[3], "    lens: - { rename: things.name, to: label }");
    assert_eq!(lines[5], "Compatible (1)");
    assert_eq!(lines[9], "1 breaking change, 1 compatible.");
    assert!(lines[10].starts_with("Release it as a new version"));
}

#[test]
fn colours_are_only_there_if_they_are_wanted() {
    let new = OLD.replace("type: string", "type: integer");

    assert!(shown(&new, true).contains("\u{1b}[1;31mBreaking (1)\u{1b}[0m"));
    assert!(!shown(&new, false).contains('\u{1b}'));
}

#[test]
fn a_document_cannot_steer_the_terminal() {
    let old = Input::read("{\"openapi\":\"3.0.0\",\"paths\":{\"/\\u001b[2J\":{\"get\":{}}}}").unwrap();
    let new = Input::read("{\"openapi\":\"3.0.0\",\"paths\":{}}").unwrap();

    let shown = text(&compare(&old, &new, jiff::civil::date(2026, 11, 15)), Paint::new(false));

    assert!(shown.contains("endpoint-removed"));
    assert!(!shown.contains('\u{1b}'));
}
