//! The shop holds what it promises, and nothing else.

use serde_json::json;

use super::*;
use crate::model::{ColumnKind, OnDelete, Operation, Ownership, Stamp};

fn names<'a, T>(things: &'a [T], name: impl Fn(&'a T) -> &'a str) -> Vec<&'a str> {
    things.iter().map(name).collect()
}

#[test]
fn the_shop_is_read_without_a_doubt() {
    let declared = declaration::read(DECLARATION).unwrap();

    assert_eq!(declared.warnings, []);
    let api = api();
    assert_eq!((api.name.as_str(), api.title.as_str()), ("shop", "Shop"));
    assert_eq!(
        names(&api.scopes, |scope| &scope.name),
        ["read:users", "write:users", "read:orders", "write:orders", "read:payments", "write:payments"]
    );
    assert_eq!(names(&api.resources, |resource| &resource.name), ["users", "orders", "payments"]);
}

#[test]
fn users_have_a_name_an_address_and_tags() {
    let api = api();
    let users = api.resource("users").unwrap();

    assert_eq!(users.singular, "user");
    assert_eq!(names(&users.fields, |field| &field.name), ["name", "email", "address", "tags"]);
    let required: Vec<_> = users.fields.iter().map(|field| field.required).collect();
    assert_eq!(required, [true, true, false, false]);
    assert!(users.field("email").unwrap().unique);
    assert_eq!(users.field("email").unwrap().schema["format"], "email");
    assert_eq!(users.field("address").unwrap().schema["type"], "object");
    assert_eq!(users.field("tags").unwrap().schema, json!({ "type": "array", "items": { "type": "string" } }));
    assert_eq!(names(users.columns(), |column| &column.field), ["email"]);
    assert_eq!(users.scopes.list.as_deref(), Some("read:users"));
    assert_eq!(users.scopes.delete.as_deref(), Some("write:users"));
    assert_eq!(users.ownership, Ownership::All);
    assert!(!users.offers(Operation::Act) && users.offers(Operation::Replace));
}

#[test]
fn orders_stand_under_users_and_belong_to_whoever_made_them() {
    let api = api();
    let orders = api.resource("orders").unwrap();
    let field = |name: &str| orders.field(name).unwrap();

    let expected = ["user_id", "amount", "currency", "status", "note", "created_at"];
    assert_eq!(names(&orders.fields, |field| &field.name), expected);
    let parent = orders.parent.as_ref().unwrap();
    assert_eq!((parent.resource.as_str(), parent.field.as_str()), ("users", "user_id"));
    assert_eq!(orders.ownership, Ownership::Own);
    let reference = field("user_id").references.as_ref().unwrap();
    assert_eq!((reference.name.as_str(), reference.on_delete), ("user", OnDelete::Refuse));
    assert_eq!(field("user_id").schema, json!({ "type": "string", "format": "uuid" }));
    assert_eq!(field("amount").schema, json!({ "type": "integer", "minimum": 0 }));
    assert_eq!(field("currency").schema, json!({ "type": "string", "enum": ["EUR", "USD", "GBP"] }));
    assert_eq!(field("currency").default, Some(json!("EUR")));
    assert_eq!(field("status").default, Some(json!("pending")));
    assert!(field("status").read_only && field("created_at").read_only && field("note").search);
    assert_eq!(field("created_at").stamp, Some(Stamp::CreatedAt));
    assert_eq!(ColumnKind::of(field("created_at")), Some(ColumnKind::Moment));
    let with = |wanted: fn(&crate::model::Field) -> bool| {
        orders.fields.iter().filter(|field| wanted(field)).map(|field| field.name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(with(|field| field.required), ["amount"]);
    assert_eq!(with(|field| field.filter), ["user_id", "amount", "currency", "status", "created_at"]);
    assert_eq!(with(|field| field.sort), ["amount", "currency", "created_at"]);
}

#[test]
fn orders_are_paid_or_cancelled_and_payments_are_refunded_later() {
    let api = api();
    let (orders, payments) = (api.resource("orders").unwrap(), api.resource("payments").unwrap());

    assert_eq!(orders.state.as_deref(), Some("status"));
    let [pay, cancel] = orders.actions.as_slice() else { panic!("{:?}", orders.actions) };
    assert_eq!((pay.from.as_slice(), pay.to.as_deref()), (&["pending".to_owned()][..], Some("paid")));
    assert_eq!((cancel.from.as_slice(), cancel.to.as_deref()), (&["pending".to_owned()][..], Some("cancelled")));
    assert!(!pay.is_async && !cancel.is_async && orders.offers(Operation::Act));
    assert_eq!(names(&payments.fields, |field| &field.name), ["order_id", "amount", "currency", "status"]);
    assert!(payments.fields.iter().all(|field| !field.required));
    assert_eq!(payments.field("order_id").unwrap().references.as_ref().unwrap().name, "order");
    let refund = payments.action("refund").unwrap();
    assert!(refund.is_async && refund.to.as_deref() == Some("refunded"));
}
