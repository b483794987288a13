//! Lenses between versions: what each shows, what it writes, and what it keeps.

mod listing;

use std::sync::Arc;

use jiff::civil::date;
use serde_json::{Map, Value, json};

use super::{Breach, Broken, Face, Untold, breaches, faces};
use crate::model::{Action, Api, Change, Codec, Field, Resource, Step, Version};

fn field(name: &str, schema: Value) -> Field {
    Field::new(name, schema)
}

fn action(name: &str) -> Action {
    Action {
        name: name.into(),
        description: String::new(),
        from: vec!["pending".into()],
        to: Some("cancelled".into()),
        scope: None,
        is_async: false,
        input: None,
        handler: None,
    }
}

fn orders() -> Resource {
    let fields = vec![
        Field { filter: true, sort: true, ..field("created_at", json!({ "type": "string", "format": "date-time" })) },
        Field { filter: true, ..field("amount", json!({ "type": "integer", "minimum": 0 })) },
        Field {
            filter: true,
            default: Some(json!("pending")),
            ..field("status", json!({ "type": "string", "enum": ["pending", "cancelled"] }))
        },
        field(
            "address",
            json!({ "type": "object", "properties": { "street": { "type": "string" }, "city": { "type": "string" } } }),
        ),
        field("note", json!({ "type": "string" })),
    ];
    let mut orders = Resource::new("orders", "order", fields);
    orders.state = Some("status".into());
    orders.actions = vec![action("cancel")];
    orders
}

fn step(change: Change) -> Step {
    Step { resource: "orders".into(), change, is_lossy: false }
}

fn api(changes: Vec<Step>) -> Api {
    let second = Version { changes, ..Version::new(2, date(2026, 1, 1)) };
    Api {
        name: "shop".into(),
        title: String::new(),
        description: String::new(),
        scopes: Vec::new(),
        resources: vec![Arc::new(orders())],
        versions: vec![Version::new(1, date(2025, 1, 1)), second],
        default_version: None,
        limits: crate::model::Limits::default(),
        is_demonstration: false,
    }
}

fn every_change() -> Vec<Step> {
    vec![
        step(Change::Renamed { from: "creation_date".into(), to: "created_at".into() }),
        step(Change::Renamed { from: "total".into(), to: "amount".into() }),
        step(Change::Retyped { field: "amount".into(), from: json!({ "type": "string" }), codec: Codec::Decimal(2) }),
        step(Change::Reworded {
            field: "status".into(),
            values: vec![(json!("canceled"), json!("cancelled"))],
            shown: Vec::new(),
        }),
        step(Change::Moved { from: vec!["street".into()], to: vec!["address".into(), "street".into()] }),
        step(Change::Added { field: "note".into(), value: Some(json!("by an old client")) }),
        step(Change::ActionRenamed { from: "void".into(), to: "cancel".into() }),
    ]
}

fn first(changes: Vec<Step>) -> Face {
    faces(&api(changes)).unwrap().into_iter().find(|face| face.version.number == 1).unwrap()
}

fn map(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn stored() -> Map<String, Value> {
    map(json!({
        "created_at": "2026-01-01T00:00:00Z", "amount": 1234, "status": "cancelled",
        "address": { "street": "Elm 1", "city": "Bern" }, "note": "keep",
    }))
}

fn seen() -> Map<String, Value> {
    map(json!({
        "creation_date": "2026-01-01T00:00:00Z", "total": "12.34", "status": "canceled",
        "address": { "city": "Bern" }, "street": "Elm 1",
    }))
}

#[test]
fn the_newest_version_is_what_is_stored() {
    let newest = faces(&api(every_change())).unwrap().remove(0);

    assert!(newest.lenses[0].1.is_clear());
    assert_eq!(newest.api.resources[0].fields, orders().fields);
}

#[test]
fn an_older_version_has_its_own_names_types_words_and_places() {
    let face = first(every_change());
    let orders = &face.api.resources[0];
    let names: Vec<&str> = orders.fields.iter().map(|field| field.name.as_str()).collect();

    assert_eq!(names, ["creation_date", "total", "status", "address", "street"]);
    assert_eq!(orders.field("total").unwrap().schema, json!({ "type": "string" }));
    assert_eq!(orders.field("status").unwrap().schema["enum"], json!(["pending", "canceled"]));
    assert_eq!(orders.field("address").unwrap().schema["properties"], json!({ "city": { "type": "string" } }));
    assert_eq!(orders.actions[0].name, "void");
    assert_eq!(orders.actions[0].to.as_deref(), Some("canceled"));
    assert_eq!(face.actions[0], ["cancel"]);
}

#[test]
fn a_document_goes_down_and_comes_up_again() {
    let face = first(every_change());
    let lens = &face.lenses[0].1;

    assert_eq!(lens.down(stored()), seen());
    assert_eq!(lens.up(&orders(), &seen(), Some((&stored(), &seen()))), (stored(), Untold::default()));
    let mut fresh = stored();
    fresh.insert("note".into(), json!("by an old client"));
    assert_eq!(lens.up(&orders(), &seen(), None), (fresh, Untold::default()));
}

#[test]
fn what_an_old_client_changes_changes_and_nothing_else() {
    let face = first(every_change());
    let lens = &face.lenses[0].1;
    let mut wanted = seen();
    wanted.insert("street".into(), json!("Oak 2"));
    wanted.insert("total".into(), json!("0.05"));

    let (after, _) = lens.up(&orders(), &wanted, Some((&stored(), &seen())));

    let mut expected = stored();
    expected.insert("amount".into(), json!(5));
    expected["address"]["street"] = json!("Oak 2");
    assert_eq!(after, expected);
}

#[test]
fn a_value_that_cannot_be_stored_is_named_as_its_version_calls_it() {
    let face = first(every_change());
    let mut wanted = seen();
    wanted.insert("total".into(), json!("a lot"));

    assert_eq!(
        face.lenses[0].1.up(&orders(), &wanted, None).1,
        Untold { unwritable: vec!["total".into()], taken: Vec::new() }
    );
}

#[test]
fn columns_and_places_are_found_under_their_old_names() {
    let face = first(every_change());
    let lens = &face.lenses[0].1;
    let total = lens.column("total").unwrap();

    assert_eq!(total.field, "amount");
    assert_eq!(lens.values_up(total, json!("12.34")), Some(vec![json!(1234)]));
    assert_eq!(lens.values_up(total, json!("x")), None);
    assert!(lens.column("creation_date").unwrap().is_plain());
    assert_eq!(lens.column("street"), None, "it is a part of a column");
    assert_eq!(lens.place("/address/street"), "/street");
    assert_eq!(lens.place("/address/city"), "/address/city");
    assert_eq!(lens.place("/amount"), "/total");
}

#[test]
fn a_field_that_is_gone_is_shown_as_a_constant_and_kept_where_it_is_still_declared() {
    let shown = Field { default: Some(json!(0)), ..field("discount", json!({ "type": "integer" })) };
    let gone = Change::Removed { field: "discount".into(), from: Some(Box::new(shown)) };
    let hidden = Change::Removed { field: "note".into(), from: None };
    let all = faces(&api(vec![step(gone), step(hidden)])).unwrap();
    let (newest, oldest) = (&all[0], &all[1]);

    assert!(newest.api.resources[0].field("note").is_none());
    assert!(!newest.lenses[0].1.down(stored()).contains_key("note"));
    let down = oldest.lenses[0].1.down(stored());
    assert_eq!((&down["discount"], &down["note"]), (&json!(0), &json!("keep")));
    let before = newest.lenses[0].1.down(stored());
    assert_eq!(newest.lenses[0].1.up(&orders(), &before, Some((&stored(), &before))).0, stored());
}

#[test]
fn changes_compose_over_several_versions() {
    let mut api = api(vec![step(Change::Renamed { from: "sum".into(), to: "total".into() })]);
    let changes = vec![
        step(Change::Renamed { from: "total".into(), to: "amount".into() }),
        step(Change::Retyped { field: "amount".into(), from: json!({ "type": "string" }), codec: Codec::Decimal(2) }),
    ];
    api.versions.push(Version { changes, ..Version::new(3, date(2026, 6, 1)) });
    let all = faces(&api).unwrap();

    let down = |place: usize| all[place].lenses[0].1.down(stored());
    assert_eq!(down(0)["amount"], json!(1234));
    assert_eq!(down(1)["total"], json!("12.34"));
    assert_eq!(down(2)["sum"], json!("12.34"));
}

#[test]
fn a_change_of_what_is_not_there_is_told_with_what_was_meant() {
    for (change, told, meant) in [
        (
            Change::Renamed { from: "a".into(), to: "amuont".into() },
            "`orders` have no field `amuont` in this version.",
            Some("amount"),
        ),
        (
            Change::Renamed { from: "note".into(), to: "amount".into() },
            "The version before has a field `note` already in `orders`.",
            None,
        ),
        (
            Change::Added { field: "amount".into(), value: Some(json!("a lot")) },
            "Rows of older clients cannot get \"a lot\" as `amount`: it does not fit the field.",
            None,
        ),
        (Change::ActionAdded("cancle".into()), "`orders` have no action `cancle` in this version.", Some("cancel")),
    ] {
        let missteps = faces(&api(vec![step(change)])).unwrap_err();

        assert_eq!((missteps[0].version, missteps[0].step), (2, Some(0)));
        assert_eq!(missteps[0].told, told);
        assert_eq!(missteps[0].suggestion.as_deref(), meant);
    }
}

#[test]
fn changes_that_keep_everything_break_no_law() {
    let mut changes = every_change();
    changes[2] = step(Change::Retyped {
        field: "amount".into(),
        from: json!({ "type": "string", "pattern": "^[0-9]{1,13}[.][0-9]{2}$" }),
        codec: Codec::Decimal(2),
    });

    assert_eq!(breaches(&api(changes)), []);
}

#[test]
fn a_change_that_loses_something_must_say_so() {
    let from = Field { default: Some(json!(0)), ..field("discount", json!({ "type": "integer" })) };
    let gone = Change::Removed { field: "discount".into(), from: Some(Box::new(from)) };
    let seconds =
        Change::Retyped { field: "created_at".into(), from: json!({ "type": "integer" }), codec: Codec::Text };
    let merged = Change::Reworded {
        field: "status".into(),
        values: vec![(json!("void"), json!("cancelled")), (json!("cancelled"), json!("cancelled"))],
        shown: Vec::new(),
    };
    for change in [gone, seconds, merged] {
        let lossy = Step { is_lossy: true, ..step(change.clone()) };

        let found = breaches(&api(vec![step(change)]));

        assert_eq!(
            found.iter().map(|breach| (breach.version, breach.step, breach.broken)).collect::<Vec<_>>(),
            [(2, 0, Broken::Lossy)],
            "{found:?}"
        );
        let said = breaches(&api(vec![lossy]));
        assert!(said.iter().all(|breach| breach.broken == Broken::Reordered), "{said:?}");
    }
}

#[test]
fn what_an_older_version_accepts_and_the_newer_cannot_store_is_told() {
    let change =
        Change::Retyped { field: "amount".into(), from: json!({ "type": "string" }), codec: Codec::Decimal(2) };

    let found: Vec<Breach> = breaches(&api(vec![step(change)]));

    assert_eq!(found[0].broken, Broken::Unstorable, "{found:?}");
}

#[test]
fn what_stands_in_an_object_that_a_version_does_not_know_stays() {
    let new = step(Change::Added { field: "address".into(), value: None });
    let moved = step(Change::Moved { from: vec!["street".into()], to: vec!["address".into(), "street".into()] });
    let face = first(vec![new, moved]);
    let lens = &face.lenses[0].1;
    let before = lens.down(stored());
    let mut wanted = before.clone();
    wanted.insert("street".into(), json!("Oak 2"));

    let (after, _) = lens.up(&orders(), &wanted, Some((&stored(), &before)));

    assert_eq!(after["address"], json!({ "street": "Oak 2", "city": "Bern" }));
}

#[test]
fn a_field_that_was_removed_before_its_resource_was_renamed_is_found() {
    let gone = Step { resource: "purchases".into(), ..step(Change::Removed { field: "note".into(), from: None }) };
    let mut api = api(vec![gone]);
    let renamed = Change::ResourceRenamed { from: "purchases".into(), singular: "purchase".into() };
    api.versions.push(Version { changes: vec![step(renamed)], ..Version::new(3, date(2026, 6, 1)) });

    let all = faces(&api).unwrap();

    let has_note = |face: &Face| face.api.resources[0].field("note").is_some();
    assert_eq!(all.iter().map(has_note).collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn several_words_that_are_shown_as_one_are_found_by_it() {
    let mut change = step(Change::Reworded {
        field: "status".into(),
        values: Vec::new(),
        shown: vec![(json!("cancelled"), json!("pending"))],
    });
    change.is_lossy = true;
    let face = first(vec![change]);
    let lens = &face.lenses[0].1;

    let found = lens.values_up(lens.column("status").unwrap(), json!("pending"));

    assert_eq!(found, Some(vec![json!("cancelled"), json!("pending")]));
}

#[test]
fn a_member_that_no_schema_names_is_not_taken_for_what_moves_to_its_place() {
    let face = faces(&api(every_change())).unwrap().remove(1);
    let mut sent = seen();
    sent["address"] = json!({ "city": "Bern", "street": "an extra one" });

    let (_, untold) = face.lenses[0].1.up(&orders(), &sent, None);
    let (_, lost) = face.lenses[0].1.raise(&orders(), sent.clone());

    assert_eq!(untold.taken, ["/address/street"]);
    assert_eq!(lost, ["address.street"], "a row that has it stops the start");
}

#[test]
fn a_value_is_told_as_its_version_writes_it() {
    let face = faces(&api(every_change())).unwrap().remove(1);
    let written = |field, value| face.lenses[0].1.value_down(field, &value);

    assert_eq!(written("amount", json!(1050)), Some(json!("10.50")));
    assert_eq!(written("status", json!("cancelled")), Some(json!("canceled")));
    assert_eq!(written("amount", json!("nothing of the kind")), None);
}

#[test]
fn an_object_that_is_empty_stays_one_and_only_what_lost_its_last_member_is_nothing() {
    let face = faces(&api(every_change())).unwrap().remove(1);
    let shown = |address: Value| {
        let mut row = stored();
        row["address"] = address;
        let shown = face.lenses[0].1.down(row);
        (shown["address"].clone(), shown["street"].clone())
    };

    assert_eq!(shown(json!({})), (json!({}), Value::Null));
    assert_eq!(shown(json!({ "street": "Elm 1" })), (Value::Null, json!("Elm 1")));
    assert_eq!(shown(json!({ "street": "Elm 1", "city": "Bern" })), (json!({ "city": "Bern" }), json!("Elm 1")));
    assert_eq!(shown(Value::Null), (Value::Null, Value::Null));
}
