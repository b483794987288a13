//! A declared API for tests: a shop whose resources have every kind of column and every way to point.

use std::sync::Arc;

use serde_json::{Value, json};
use valetkey_resources::model::{Api, Field, OnDelete, Ownership, Reference, Resource, Version};

/// People with a unique address.
pub const USERS: &str = "users";
/// Owned, with every kind of column; they keep their user.
pub const ORDERS: &str = "orders";
/// They go with their order.
pub const PAYMENTS: &str = "payments";
/// They stay when their order goes, and point at nothing.
pub const REVIEWS: &str = "reviews";

/// The API.
pub fn shop() -> Arc<Api> {
    let resources = [users(), orders(), payments(), reviews()].map(Arc::new).to_vec();
    Arc::new(of(resources))
}

/// An API of these resources.
pub fn of(resources: Vec<Arc<Resource>>) -> Api {
    Api {
        name: "shop".into(),
        title: "Shop".into(),
        description: String::new(),
        scopes: Vec::new(),
        resources,
        versions: vec![Version::only()],
        default_version: None,
        limits: valetkey_resources::model::Limits::default(),
        is_demonstration: false,
    }
}

/// People.
pub fn users() -> Resource {
    let mut email = Field::new("email", json!({"type": "string"}));
    email.unique = true;
    let mut visits = Field::new("visits", json!({"type": "integer"}));
    visits.default = Some(json!(0));
    Resource::new(USERS, "user", vec![Field::new("name", json!({"type": "string"})), email, visits])
}

/// Orders.
pub fn orders() -> Resource {
    let mut note = Field::new("note", json!({"type": "string"}));
    note.search = true;
    let fields = vec![
        pointing("user_id", USERS, OnDelete::Refuse),
        listed("amount", json!({"type": "integer"})),
        listed("currency", json!({"type": "string"})),
        listed("weight", json!({"type": "number"})),
        listed("gift", json!({"type": "boolean"})),
        listed("sent_at", json!({"type": "string", "format": "date-time"})),
        note,
    ];
    let mut orders = Resource::new(ORDERS, "order", fields);
    orders.ownership = Ownership::Own;
    orders
}

fn payments() -> Resource {
    let fields = vec![pointing("order_id", ORDERS, OnDelete::Delete), listed("amount", json!({"type": "integer"}))];
    Resource::new(PAYMENTS, "payment", fields)
}

fn reviews() -> Resource {
    let mut text = Field::new("text", json!({"type": "string"}));
    text.search = true;
    let fields = vec![
        pointing("order_id", ORDERS, OnDelete::Clear),
        pointing("payment_id", PAYMENTS, OnDelete::Delete),
        pointing("answers_id", REVIEWS, OnDelete::Delete),
        text,
    ];
    Resource::new(REVIEWS, "review", fields)
}

/// A field that lists are filtered and sorted by.
pub fn listed(name: &str, schema: Value) -> Field {
    Field { filter: true, sort: true, ..Field::new(name, schema) }
}

/// A field that points at a row.
pub fn pointing(name: &str, resource: &str, on_delete: OnDelete) -> Field {
    let reference = Reference { resource: resource.into(), name: name.trim_end_matches("_id").into(), on_delete };
    Field { filter: true, references: Some(reference), ..Field::new(name, json!({"type": "string"})) }
}
