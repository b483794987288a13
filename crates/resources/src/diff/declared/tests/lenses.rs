//! Every lens that is proposed is one that the check accepts, and that absorbs what it was proposed for.

use std::collections::BTreeSet;

use super::rules::CASES;
use super::{SHOP, declared};
use crate::declaration;
use crate::diff::Severity;
use crate::diff::surface::Surface;
use crate::lens;

/// What there was and became, in the declaration of the shop.
type Edit = (&'static str, &'static str);

const NOTE: &str = "note: { type: string, search: true }";
const AMOUNT: &str = "amount: { type: integer, minimum: 0, required: true, filter: true, sort: true }";

/// One for each way in which a lens can be proposed that no rule has a case for.
const EDITS: [Edit; 23] = [
    ("  orders:\n", "  purchases:\n"),
    ("      cancel: {", "      revoke: {"),
    ("    put_creates: true", "    put_creates: true\n    operations: [list, read, create, replace, update]"),
    (AMOUNT, "amount: { type: string, required: true, filter: true, sort: true }"),
    (AMOUNT, "amount: { type: number, required: true, filter: true, sort: true }"),
    (NOTE, "note: { type: integer }"),
    (NOTE, "note: { type: number }"),
    (NOTE, "note: { type: boolean }"),
    (NOTE, "note: { type: array, items: { type: string } }"),
    ("tags: { type: array, items: { type: string } }", "tags: { type: string }"),
    ("made: { set: created_at }", "made: { type: integer }"),
    ("changed: { set: updated_at }", "changed: { type: integer, readOnly: true }"),
    ("[EUR, USD]", "[EUR, USDC]"),
    ("[EUR, USD]", "[EUR]"),
    ("[EUR, USD], default: EUR", "[GBP], default: GBP"),
    ("      tags:", "      phone: { type: string, pattern: '^[0-9]+$', required: true, examples: ['1'] }\n      tags:"),
    ("      tags:", "      phone: { enum: ['1', none], required: true }\n      tags:"),
    ("      tags:", "      born: { type: string, format: date, required: true }\n      tags:"),
    ("      tags:", "      size: { type: integer, minimum: 7, required: true }\n      tags:"),
    ("      tags:", "      home: { type: object, required: [x], properties: { x: { type: number } } }\n      tags:"),
    ("name: { type: string, required: true, maxLength: 50 }", "title: { type: string, required: true, maxLength: 50 }"),
    ("      code: { type: string, unique: true }\n", ""),
    (
        "      street: { type: string }\n      address: { type: object, properties: {",
        "      address: { type: object, required: [street], properties: { street: { type: string },",
    ),
];

/// The shop with what became of it, as the second version of what it was.
fn shipped((was, is): Edit, lenses: &[String]) -> String {
    // What a lens takes away from newer clients stays declared, for the older ones.
    let stays = lenses.iter().any(|lens| lens.contains("leave its declaration"));
    let text = if stays { SHOP.to_owned() } else { SHOP.replacen(was, is, 1) };
    let changes: String = lenses.iter().map(|lens| format!("      {lens}\n")).collect();
    let versions = format!(
        "versions:\n  1: {{ released: 2025-01-01 }}\n  2:\n    released: 2026-01-01\n    changes:\n{changes}resources:\n"
    );
    text.replacen("resources:\n", &versions, 1)
}

#[test]
fn every_proposed_lens_is_accepted_and_absorbs_its_change() {
    let old = declaration::read(SHOP).unwrap().api;
    let (mut tried, mut verbs) = (0, BTreeSet::new());
    for edit in CASES.iter().map(|case| case.1).chain(EDITS).filter(|(was, _)| !was.is_empty()) {
        let new = declaration::read(&SHOP.replacen(edit.0, edit.1, 1))
            .unwrap_or_else(|faults| panic!("{edit:?}: {faults:?}"))
            .api;
        let found = declared::compare(&Surface::of(&old), &Surface::of(&new));
        let lenses: Vec<String> = found.iter().filter_map(|one| one.lens.clone()).collect();
        if lenses.is_empty() {
            continue;
        }
        tried += 1;
        verbs.extend(lenses.iter().filter_map(|lens| lens.split([' ', ':']).nth(2)).map(str::to_owned));

        let text = shipped(edit, &lenses);
        let read =
            declaration::read(&text).unwrap_or_else(|faults| panic!("{lenses:?} is refused: {faults:#?}\n{text}"));

        let first = lens::faces(&read.api).unwrap().pop().unwrap();
        let left = declared::compare(&Surface::of(&old), &Surface::of(&first.api));
        let absorbed: Vec<_> = found.iter().filter(|one| one.lens.is_some()).map(|one| one.rule.name).collect();
        let left: Vec<_> = left
            .iter()
            .filter(|one| one.rule.severity == Severity::Breaking && absorbed.contains(&one.rule.name))
            .collect();
        assert!(left.is_empty(), "{lenses:?} leaves {left:#?}");
    }
    assert!(tried >= 25, "{tried}");
    let all: Vec<&str> = verbs.iter().map(String::as_str).collect();
    assert_eq!(all, ["add", "enum", "move", "remove", "rename", "retype"], "status has a test of its own");
}

#[test]
fn a_proposed_lens_for_a_status_is_accepted() {
    let text = shipped(("", ""), &[declared::lens::status("orders.create", 200)]);

    let read = declaration::read(&text).unwrap();

    let first = lens::faces(&read.api).unwrap().pop().unwrap();
    assert_eq!(Surface::of(&first.api).resources["orders"].operations["create"].status, 200);
}
