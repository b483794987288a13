//! What lists of an older version go by, where it is inside of an object on one side.

use serde_json::json;

use super::{api, field, first, orders, step};
use crate::lens::{Broken, Face, breaches, faces};
use crate::model::{Api, Change, Codec, Field, Step};

fn path(path: &str) -> Vec<String> {
    path.split('.').map(str::to_owned).collect()
}

fn moved(from: &str, to: &str) -> Change {
    Change::Moved { from: path(from), to: path(to) }
}

/// Orders whose city lists go by.
fn listed(changes: Vec<Change>) -> Api {
    let mut api = api(changes.into_iter().map(step).collect());
    let mut fields = orders().fields;
    let key = Field { filter: true, sort: true, ..field("address.city", json!({ "type": "string" })) };
    fields[3].inner.push(key);
    api.resources = vec![orders().with_fields(fields).into()];
    api
}

fn oldest(changes: Vec<Change>) -> Face {
    faces(&listed(changes)).unwrap().remove(1)
}

/// What lists go by, and what is behind it.
fn keys(face: &Face) -> Vec<(String, Option<String>)> {
    let of = &face.api.resources[0];
    let listed = of.keys().filter(|key| key.filter && key.sort).map(|key| key.name.clone());
    listed.map(|name| (name.clone(), face.lenses[0].1.key(&name).map(|column| column.field.clone()))).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, Option<String>)> {
    pairs.iter().map(|(seen, stored)| ((*seen).to_owned(), Some((*stored).to_owned()))).collect()
}

#[test]
fn what_was_moved_into_an_object_is_gone_by_where_it_was() {
    let face = oldest(vec![moved("city", "address.city")]);

    assert_eq!(keys(&face), pairs(&[("created_at", "created_at"), ("city", "address.city")]));
    assert_eq!(face.lenses[0].1.column("city"), None, "it is no field of its own in the document");
}

#[test]
fn what_was_moved_out_of_an_object_is_gone_by_where_it_was() {
    let face = oldest(vec![moved("address.made", "created_at")]);

    assert_eq!(keys(&face), pairs(&[("address.city", "address.city"), ("address.made", "created_at")]));
}

#[test]
fn a_way_of_several_steps_is_followed_to_its_end() {
    let face = oldest(vec![
        moved("town", "place.town"),
        Change::Renamed { from: "place".into(), to: "address".into() },
        moved("address.town", "address.city"),
        Change::Renamed { from: "since".into(), to: "created_at".into() },
        Change::Retyped { field: "created_at".into(), from: json!({ "type": "integer" }), codec: Codec::Epoch },
        moved("meta", "note"),
    ]);
    let lens = &face.lenses[0].1;

    assert_eq!(keys(&face), pairs(&[("since", "created_at"), ("town", "address.city")]));
    let since = lens.key("since").unwrap();
    assert_eq!(lens.values_up(since, json!(0)), Some(vec![json!("1970-01-01T00:00:00Z")]));
}

#[test]
fn nothing_is_lost_by_a_field_without_a_value_that_was_inside_of_an_object() {
    let change = step(moved("address.remark", "note"));

    assert_eq!(breaches(&api(vec![change.clone()])), []);
    assert!(first(vec![change]).api.resources[0].field("note").is_none());
}

#[test]
fn an_object_inside_of_another_comes_and_goes_with_what_it_holds() {
    let mut api = listed(vec![moved("city", "address.place.name")]);
    let mut fields = orders().fields;
    let place = json!({ "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } } });
    fields[3] = field("address", json!({ "type": "object", "required": ["place"], "properties": { "place": place } }));
    fields[3].inner.push(Field {
        filter: true,
        sort: true,
        ..field("address.place.name", json!({ "type": "string" }))
    });
    api.resources = vec![orders().with_fields(fields).into()];

    let face = faces(&api).unwrap().remove(1);

    assert_eq!(breaches(&api), []);
    assert_eq!(keys(&face), pairs(&[("created_at", "created_at"), ("city", "address.place.name")]));
    let address = &face.api.resources[0].field("address").unwrap().schema;
    assert_eq!(*address, json!({ "type": "object", "required": [], "properties": {} }));
    let stored = json!({ "address": { "place": { "name": "Bern" }, "floor": 1 } });
    let seen = face.lenses[0].1.down(stored.as_object().unwrap().clone());
    assert_eq!(seen["address"], json!({ "floor": 1 }));
}

#[test]
fn words_that_come_in_another_order_are_told_where_lists_are_sorted_by_them() {
    let reword = |newer: &str| {
        let values = vec![(json!("canceled"), json!("cancelled")), (json!("pending"), json!(newer))];
        let change = Change::Reworded { field: "status".into(), values, shown: Vec::new() };
        let mut api = api(vec![step(change)]);
        let mut fields = orders().fields;
        fields[2] = Field { sort: true, ..field("status", json!({ "type": "string", "enum": [newer, "cancelled"] })) };
        api.resources = vec![orders().with_fields(fields).into()];
        breaches(&api)
    };

    let told: Vec<_> = reword("a new one").into_iter().map(|breach| (breach.broken, breach.told)).collect();

    let sentence = "The older version sorts \"canceled\" before \"pending\" by `status`, and the newer sorts \
                    \"cancelled\" after \"a new one\".";
    assert_eq!(told, [(Broken::Reordered, sentence.to_owned())]);
    assert_eq!(reword("waiting"), []);
}

#[test]
fn numbers_that_become_text_are_told_where_lists_go_by_them() {
    let told = |older: &str, newer: &str, change: fn(Field) -> Field| {
        let retyped = Change::Retyped { field: "status".into(), from: json!({ "type": older }), codec: Codec::Text };
        let mut api = api(vec![Step { is_lossy: true, ..step(retyped) }]);
        let mut fields = orders().fields;
        fields[2] = change(field("status", json!({ "type": newer })));
        api.resources = vec![orders().with_fields(fields).into()];
        breaches(&api).into_iter().map(|breach| (breach.broken, breach.told)).collect::<Vec<_>>()
    };
    let filtered = |field| Field { filter: true, ..field };

    let sentence = "The older version has 2 before 10 by `status`, and the newer has \"2\" after \"10\".";
    assert_eq!(told("integer", "string", filtered), [(Broken::Reordered, sentence.to_owned())]);
    let sentence = "The older version has \"10\" before \"2\" by `status`, and the newer has 10 after 2.";
    assert_eq!(told("string", "integer", filtered), [(Broken::Reordered, sentence.to_owned())]);
    assert_eq!(told("boolean", "string", filtered), []);
    assert_eq!(told("integer", "string", |field| field), []);
}
