//! PostgreSQL passes the suite, and what only PostgreSQL can get wrong.

#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

mod feed;
mod migrations;
mod outages;
mod schema;

use schema::Schema;
use valetkey_oauth::ports::Ports;
use valetkey_store::postgres::{self, Postgres};

async fn fresh() -> Option<(Ports, Schema)> {
    let schema = Schema::make().await?;
    postgres::migrate(&schema.settings(), |_, _, _| {}).await.unwrap();
    Some((Postgres::open(&schema.settings()).await.unwrap().ports(), schema))
}

valetkey_testkit::conformance!(fresh().await);
