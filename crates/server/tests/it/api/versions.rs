//! One stored model, every live version: chosen in four ways, seen through lenses, ended by dates.

mod choice;
mod handling;
mod life;
mod listing;
mod moments;
mod shipping;
mod sight;
mod takeover;
mod usage;

use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::Caller;
use crate::house::{Engine, House};

/// A day this many days from now, at the place where the server counts.
#[expect(clippy::disallowed_methods, reason = "the server under test has the real clock")]
fn day(from_now: i64) -> Date {
    let today = jiff::Timestamp::now().to_zoned(TimeZone::UTC).date();
    today.checked_add(from_now.days()).unwrap()
}

/// Three versions of a bakery. Everything that can change did.
fn bakery(first: &str, handler: &str) -> String {
    let (second, third) = (day(-200), day(-10));
    format!(
        r#"
api: {{ name: bakery }}
scopes: {{ "all:bread": Everything }}
versions:
  1: {{ {first} }}
  2:
    released: {second}
    changes:
      - {{ rename: purchases, to: orders }}
      - {{ rename: orders.total, to: amount }}
      - {{ rename: orders.actions.void, to: cancel }}
      - {{ status: orders.create, from: 200 }}
      - {{ status: orders.delete, from: 200 }}
  3:
    released: {third}
    changes:
      - {{ retype: orders.amount, from: {{ type: string, pattern: '^[0-9]{{1,9}}[.][0-9]{{2}}$', examples: ['1.00'] }}, codec: {{ decimal: 2 }} }}
      - {{ enum: orders.status, values: {{ canceled: cancelled }} }}
      - {{ move: orders.street, to: address.street }}
      - {{ add: orders.gift, value: false }}
      - {{ remove: orders.fax }}
      - {{ add: orders.motto }}
      - {{ add: orders.actions.pack }}
      - {{ rename: orders.client_id, to: customer_id }}
      - {{ rename: clients, to: customers }}
resources:
  customers:
    scopes: {{ read: "all:bread", write: "all:bread" }}
    fields:
      name: {{ type: string, required: true, unique: true }}
  orders:
    parent: customers
    scopes: {{ read: "all:bread", write: "all:bread" }}
    fields:
      customer_id: {{ references: customers, filter: true }}
      amount: {{ type: integer, minimum: 0, maximum: 9999999999, required: true, filter: true, sort: true }}
      status: {{ enum: [open, packed, cancelled], default: open, readOnly: true, filter: true }}
      address: {{ type: object, properties: {{ street: {{ type: string }}, city: {{ type: string }} }} }}
      gift: {{ type: boolean, required: true }}
      fax: {{ type: string, search: true }}
      motto: {{ type: string, search: true }}
    state: status
    actions:
      cancel: {{ from: open, to: cancelled }}
      pack: {{ from: open, to: packed{handler} }}
"#
    )
}

/// Runs on both engines, with every version alive.
async fn in_a_bakery(check: impl AsyncFn(&House, Caller)) {
    in_a_bakery_of(&format!("released: {}", day(-400)), check).await;
}

/// The same, with these days for version 1.
async fn in_a_bakery_of(first: &str, check: impl AsyncFn(&House, Caller)) {
    in_a_bakery_with(&[], first, check).await;
}

/// The same, with settings.
async fn in_a_bakery_with(settings: &[(&str, &str)], first: &str, check: impl AsyncFn(&House, Caller)) {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let settings = [settings, &[("VALETKEY_API", "api.yaml")]].concat();
        let Some(mut house) = House::unstarted(engine, &settings).await else { continue };
        std::fs::write(house.folder().join("api.yaml"), bakery(first, "")).unwrap();
        house.start().await;
        let caller = Caller::client_with(&house, "till", "all:bread").await;
        check(&house, caller).await;
    }
}
