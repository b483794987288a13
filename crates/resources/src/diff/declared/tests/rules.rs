//! Rule by rule: what falls under it, and what only looks so.

use super::{declared, diff, shop};

/// The rule; what there was and became; what there was and became that is not under it.
pub(super) type Case = (&'static str, (&'static str, &'static str), (&'static str, &'static str));

const OWN: (&str, &str) = ("    parent: users\n", "    parent: users\n    own: true\n");
const SAME: (&str, &str) = ("", "");

pub(super) const CASES: [Case; 51] = [
    ("field-removed", ("      note: { type: string, search: true }\n", ""), ("note: {", "remark: {")),
    ("field-renamed", ("note: {", "remark: {"), ("note: { type: string,", "remark: { type: string, maxLength: 3,")),
    (
        "field-moved",
        (
            "      street: { type: string }\n      address: { type: object, properties: {",
            "      address: { type: object, properties: { street: { type: string },",
        ),
        ("properties: { city", "properties: { street: { type: string }, city"),
    ),
    ("type-changed", ("amount: { type: integer", "amount: { type: number"), ("minimum: 0", "minimum: 1")),
    (
        "required-field-added",
        ("  made:", "  x: { type: string, required: true }\n      made:"),
        ("  made:", "  x: {}\n      made:"),
    ),
    (
        "field-became-required",
        ("street: { type: string", "street: { type: string, required: true"),
        ("required: true, maxLength", "maxLength"),
    ),
    ("enum-value-removed", ("[EUR, USD]", "[EUR]"), ("[EUR, USD]", "[EUR, USD, GBP]")),
    ("endpoint-removed", ("      cancel: { from: open, to: void }\n", ""), ("cancel: {", "revoke: {")),
    (
        "endpoint-renamed",
        ("cancel: {", "revoke: {"),
        ("cancel: { from: open, to: void", "revoke: { from: paid, to: void"),
    ),
    ("status-changed", ("cancel: {", "cancel: { async: true,"), ("cancel: {", "cancel: { description: x,")),
    ("scope-needed", ("write: write:all }", "write: write:all, delete: spare:one }"), ("See", "Look")),
    ("scope-removed", (", spare:one: Nothing", ""), (", spare:one: Nothing", ", spare:one: Other")),
    ("validation-tightened", ("maxLength: 50", "maxLength: 40"), ("maxLength: 50", "maxLength: 50, title: x")),
    ("null-refused", ("note: { type: string", "note: { type: string, default: ''"), SAME),
    ("default-changed", ("default: EUR", "default: USD"), ("required: true, maxLength", "maxLength")),
    ("field-read-only", ("note: { type: string", "note: { type: string, readOnly: true"), SAME),
    ("uniqueness-added", ("note: { type: string", "note: { type: string, unique: true"), (", unique: true", "")),
    ("answer-widened", (", maxLength: 50", ""), ("maxLength: 50", "maxLength: 49")),
    (
        "field-nullable",
        ("required: true, maxLength", "maxLength"),
        ("note: { type: string", "note: { type: string, default: ''"),
    ),
    ("filter-removed", ("EUR, filter: true", "EUR"), ("filter: true, sort", "filter: true, search: false, sort")),
    ("sort-removed", (", sort: true", ""), ("search: true", "search: true, sort: true")),
    ("search-removed", (", search: true", ""), SAME),
    ("include-removed", ("references: users", "references: { resource: users, name: buyer }"), SAME),
    ("if-match-needed", ("if_match: [delete]", "if_match: [delete, update]"), ("if_match: [delete], ", "")),
    ("idempotency-key-needed", ("key: [act]", "key: [act, create]"), (", idempotency_key: [act]", "")),
    ("transition-removed", ("from: [open, void]", "from: open"), ("from: [open, void]", "from: [void, open]")),
    ("outcome-changed", ("cancel: { from: open, to: void", "cancel: { from: open, to: paid"), SAME),
    (
        "relation-changed",
        ("references: users", "references: { resource: users, on_delete: delete }"),
        ("references: users", "references: { resource: users }"),
    ),
    ("stamp-changed", ("made: { set: created_at", "made: { set: updated_at"), SAME),
    ("rows-hidden", OWN, SAME),
    (
        "put-creates-no-more",
        ("    put_creates: true\n", ""),
        ("    put_creates: true\n", "    put_creates: true\n    own: true\n"),
    ),
    ("media-type-removed", ("name: shop", "name: store"), ("name: shop", "name: shop, title: Store")),
    (
        "optional-field-added",
        ("  made:", "  x: {}\n      made:"),
        ("  made:", "  x: { type: string, required: true }\n      made:"),
    ),
    ("endpoint-added", ("      cancel:", "      x: { from: paid }\n      cancel:"), ("cancel: {", "revoke: {")),
    ("enum-value-added", ("[EUR, USD]", "[EUR, USD, GBP]"), ("[EUR, USD]", "[EUR]")),
    ("validation-loosened", ("card: { type: string }", "card: { type: [string, integer] }"), SAME),
    (
        "answer-narrowed",
        ("enum: [open, paid, void], readOnly", "enum: [open, paid, void], maxLength: 9, readOnly"),
        SAME,
    ),
    ("field-became-optional", ("required: true, maxLength", "maxLength"), SAME),
    ("field-writable", ("readOnly: true, default", "default"), SAME),
    ("uniqueness-dropped", (", unique: true", ""), SAME),
    ("filter-added", ("search: true", "search: true, filter: true"), ("search: true", "search: true, sort: true")),
    ("sort-added", ("search: true", "search: true, sort: true"), ("search: true", "search: true, filter: true")),
    ("search-added", ("unique: true", "unique: true, search: true"), SAME),
    (
        "include-added",
        ("code: { type: string, unique: true }", "code: { references: { resource: orders, name: twin } }"),
        SAME,
    ),
    ("if-match-optional", ("if_match: [delete], ", ""), ("if_match: [delete]", "if_match: [delete, update]")),
    ("idempotency-key-optional", (", idempotency_key: [act]", ""), SAME),
    ("scope-added", (", spare:one: Nothing", ", spare:one: Nothing, spare:two: Nothing"), (", spare:one: Nothing", "")),
    (
        "transition-added",
        ("cancel: { from: open", "cancel: { from: [open, paid]"),
        ("from: [open, void]", "from: open"),
    ),
    ("rows-shown", SAME, OWN),
    ("put-creates", SAME, ("    parent: users\n", "    parent: users\n    put_creates: false\n")),
    ("scope-dropped", SAME, ("write: write:all }", "write: write:all, delete: spare:one }")),
];

#[test]
fn every_rule_finds_what_it_is_for_and_nothing_that_only_looks_so() {
    for (rule, falls, does_not) in CASES {
        let found = match (rule, falls) {
            // What is the other way round is compared the other way round.
            ("rows-shown", SAME) => declared::compare(&shop(OWN.0, OWN.1), &shop("", "")),
            ("put-creates", SAME) => declared::compare(&shop("    put_creates: true\n", ""), &shop("", "")),
            ("scope-dropped", SAME) => declared::compare(
                &shop("", ""),
                &shop("scopes: { read: read:all, write: write:all }", "scopes: { read: read:all }"),
            ),
            (_, (was, is)) => diff(was, is),
        };
        assert!(found.iter().any(|one| one.rule.name == rule), "{rule} is not found: {found:?}");

        let found = diff(does_not.0, does_not.1);
        assert!(found.iter().all(|one| one.rule.name != rule), "{rule} is found: {found:?}");
    }
}

/// The rules that have a case here.
pub(in crate::diff) fn covered() -> Vec<&'static str> {
    CASES.iter().map(|case| case.0).collect()
}
