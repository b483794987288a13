//! What lists of an older version go by, where it is inside of an object on one side.

use serde_json::json;

use super::{api, field, first, orders, step};
use crate::lens::{Face, breaches, faces};
use crate::model::{Api, Change, Codec, Field};

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
