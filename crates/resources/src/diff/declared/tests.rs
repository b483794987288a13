//! Declarations: each rule has a change that falls under it and one that does not; lenses are what a person would write.

mod lenses;
pub(in crate::diff) mod rules;

use crate::declaration;
use crate::diff::surface::Surface;
use crate::diff::{Finding, declared};

const SHOP: &str = "\
api: { name: shop }
scopes: { read:all: See, write:all: Change, spare:one: Nothing }
resources:
  users:
    scopes: { read: read:all, write: write:all }
    put_creates: true
    fields:
      name: { type: string, required: true, maxLength: 50 }
      street: { type: string }
      address: { type: object, properties: { city: { type: string } } }
      tags: { type: array, items: { type: string } }
  orders:
    parent: users
    scopes: { read: read:all, write: write:all }
    require: { if_match: [delete], idempotency_key: [act] }
    fields:
      user_id: { references: users, filter: true }
      amount: { type: integer, minimum: 0, required: true, filter: true, sort: true }
      currency: { enum: [EUR, USD], default: EUR, filter: true }
      status: { enum: [open, paid, void], readOnly: true, default: open }
      note: { type: string, search: true }
      code: { type: string, unique: true }
      made: { set: created_at }
      changed: { set: updated_at }
    state: status
    actions:
      pay: { from: [open, void], to: paid, input: { type: object, properties: { card: { type: string } } } }
      cancel: { from: open, to: void }
";

/// The shop with a part of its text in other words.
fn shop(was: &str, is: &str) -> Surface {
    assert!(was.is_empty() || SHOP.contains(was), "{was} is not in the declaration");
    let text = if was.is_empty() { SHOP.to_owned() } else { SHOP.replacen(was, is, 1) };
    let read = declaration::read(&text).unwrap_or_else(|faults| panic!("{faults:?}"));
    Surface::of(&read.api)
}

fn diff(was: &str, is: &str) -> Vec<Finding> {
    declared::compare(&shop("", ""), &shop(was, is))
}

fn lens(was: &str, is: &str) -> String {
    let found = diff(was, is);
    found.iter().find_map(|one| one.lens.clone()).unwrap_or_else(|| panic!("no lens in {found:?}"))
}

#[test]
fn words_for_people_are_no_change() {
    assert_eq!(diff("name: { type: string,", "name: { type: string, description: Who, examples: [Ada],"), []);
    assert_eq!(diff("enum: [EUR, USD]", "enum: [USD, EUR]"), []);
    assert_eq!(diff("scopes: { read:all: See", "scopes: { read:all: Look at everything"), []);
}

#[test]
fn lenses_absorb_what_broke() {
    assert_eq!(lens("note: {", "remark: {"), "- { rename: orders.note, to: remark }");
    assert_eq!(
        lens("      note: { type: string, search: true }\n", ""),
        "- { remove: orders.note, from: { type: string }, lossy: true }"
    );
    assert_eq!(
        lens("amount: { type: integer, minimum: 0,", "amount: { type: string,"),
        "- { retype: orders.amount, from: { minimum: 0, type: integer }, codec: text, lossy: true }"
    );
    assert_eq!(
        lens("note: { type: string, search: true }", "note: { type: array, items: { type: string } }"),
        "- { retype: orders.note, from: { type: string }, codec: list, lossy: true }"
    );
    assert_eq!(
        lens("      tags:", "      phone: { enum: ['1', none], required: true }\n      tags:"),
        "- { add: users.phone, value: \"1\" }"
    );
    assert_eq!(lens("[EUR, USD]", "[EUR, USDC]"), "- { enum: orders.currency, values: { USD: USDC } }");
    assert_eq!(lens("[EUR, USD]", "[EUR]"), "- { enum: orders.currency, values: { EUR: EUR, USD: EUR }, lossy: true }");
    assert_eq!(
        lens(
            "      street: { type: string }\n      address: { type: object, properties: { city",
            "      address: { type: object, properties: { street: { type: string }, city"
        ),
        "- { move: users.street, to: address.street }"
    );
    assert_eq!(lens("      cancel: {", "      revoke: {"), "- { rename: orders.actions.cancel, to: revoke }");
    assert_eq!(
        lens("      cancel: { from: open, to: void }\n", ""),
        "- { remove: orders.actions.cancel }  # and leave its declaration where it is"
    );
    assert_eq!(
        lens("    put_creates: true", "    put_creates: true\n    operations: [list, read, create, replace, update]"),
        "- { remove: users.operations.delete }  # and leave its declaration where it is"
    );
    assert_eq!(lens("  orders:\n", "  purchases:\n"), "- { rename: orders, to: purchases }");
}

#[test]
fn a_status_of_success_is_absorbed_by_a_lens() {
    let (mut old, new) = (shop("", ""), shop("", ""));
    old.resources.get_mut("orders").unwrap().operations.get_mut("create").unwrap().status = 200;

    let found = declared::compare(&old, &new);

    assert_eq!(found.len(), 1);
    assert_eq!(found[0].told, "Success is answered with 201, not with 200.");
    assert_eq!(found[0].lens.as_deref(), Some("- { status: orders.create, from: 200 }"));
}

#[test]
fn of_two_candidates_the_one_with_the_nearer_name_was_renamed() {
    let found = diff(
        "      code: { type: string, unique: true }",
        "      codes: { type: string, unique: true }\n      extra: { type: string, unique: true }",
    );

    let told: Vec<(&str, &str)> = found.iter().map(|one| (one.rule.name, one.place.as_str())).collect();
    assert_eq!(told, [("field-renamed", "orders.code"), ("optional-field-added", "orders.extra")]);
}

#[test]
fn a_place_inside_a_field_is_named() {
    let found = diff("city: { type: string }", "city: { type: integer }");

    assert_eq!(found[0].place, "users.address.city");
    assert_eq!(found[0].told, "`address`: string → integer.");
}
