//! PostgreSQL passes the suite, and what only PostgreSQL can get wrong.

#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

mod feed;
mod migrations;
mod outages;
mod schema;

use schema::Schema;
use valetkey_oauth::ports::Ports;
use valetkey_store::postgres::{self, Postgres};
use valetkey_testkit::api::shop;

async fn fresh() -> Option<(Ports, Schema)> {
    let schema = Schema::make().await?;
    postgres::migrate(&schema.settings(), |_, _, _| {}).await.unwrap();
    Some((Postgres::open(&schema.settings()).await.unwrap().ports(), schema))
}

valetkey_testkit::conformance!(fresh().await);

async fn fresh_shop() -> Option<(valetkey_resources::ports::Ports, Schema)> {
    let schema = Schema::make().await?;
    postgres::migrate(&schema.settings(), |_, _, _| {}).await.unwrap();
    postgres::api_shape::apply(&schema.settings(), &shop(), &[], &mut |_, _, _| {}).await.unwrap();
    Some((Postgres::open(&schema.settings()).await.unwrap().resource_ports(), schema))
}

valetkey_testkit::resource_conformance!(fresh_shop().await);
