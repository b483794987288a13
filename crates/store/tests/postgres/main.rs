//! PostgreSQL passes the suite, and what only PostgreSQL can get wrong.

#![allow(clippy::unwrap_used, reason = "a panic is a failing test")]

mod database;
mod feed;
mod migrations;
mod outages;

use database::Database;
use valetkey_oauth::ports::Ports;
use valetkey_store::postgres::{self, Postgres};

async fn fresh() -> Option<(Ports, Database)> {
    let database = Database::make().await?;
    postgres::migrate(&database.settings(), |_, _, _| {}).await.unwrap();
    Some((Postgres::open(&database.settings()).await.unwrap().ports(), database))
}

valetkey_testkit::conformance!(fresh().await);
