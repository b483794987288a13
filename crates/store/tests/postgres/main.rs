//! PostgreSQL passes the suite, and what only PostgreSQL can get wrong.

#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

mod feed;
mod indexes;
mod migrations;
mod outages;
mod schema;
mod together;
mod turns;
mod wire;

use std::sync::Arc;

use schema::Schema;
use valetkey_oauth::ports::Ports;
use valetkey_resources::model::Api;
use valetkey_store::postgres::{self, Postgres};
use valetkey_store::{ShapeError, ShapePlan, Share};
use valetkey_testkit::api::shop;

async fn fresh() -> Option<(Ports, Schema)> {
    let schema = Schema::make().await?;
    postgres::migrate(&schema.settings(), |_| {}).await.unwrap();
    Some((Postgres::open(&schema.settings()).await.unwrap().ports(), schema))
}

valetkey_testkit::conformance!(fresh().await);

async fn fresh_shop() -> Option<(valetkey_resources::ports::Ports, Schema)> {
    let schema = Schema::make().await?;
    postgres::migrate(&schema.settings(), |_| {}).await.unwrap();
    postgres::api_shape::apply(&schema.settings(), &shop(), &[], &mut |_, _, _| {}).await.unwrap();
    Some((Postgres::open(&schema.settings()).await.unwrap().resource_ports(), schema))
}

valetkey_testkit::resource_conformance!(fresh_shop().await);

#[path = "../shapes/mod.rs"]
mod shapes;

type Filled = Result<(), valetkey_oauth::ports::StoreError>;

/// A schema without tables of an API.
struct Fresh(Schema);

impl Fresh {
    async fn make() -> Option<Self> {
        let schema = Schema::make().await?;
        postgres::migrate(&schema.settings(), |_| {}).await.unwrap();
        Some(Self(schema))
    }
}

impl shapes::Engine for Fresh {
    async fn plan(&self, api: &Api) -> Result<ShapePlan, ShapeError> {
        postgres::api_shape::plan(&self.0.settings(), api).await
    }

    async fn apply(&self, api: &Api, accept: &[String], told: &mut shapes::Told) -> Result<ShapePlan, ShapeError> {
        let mut tell = |done, total, what: &str| told.push((done, total, what.to_owned()));
        postgres::api_shape::apply(&self.0.settings(), api, accept, &mut tell).await
    }

    async fn begin(&self, api: &Api) -> Result<ShapePlan, ShapeError> {
        postgres::api_shape::begin(&self.0.settings(), api, &[], &mut |_, _, _| {}).await
    }

    type Server = Arc<Postgres>;

    async fn serve(&self, api: &Api) -> Arc<Postgres> {
        let server = Postgres::open(&self.0.settings()).await.unwrap();
        server.prepare(api).await.unwrap();
        server
    }

    fn ports_of(&self, server: &Arc<Postgres>) -> valetkey_resources::ports::Ports {
        server.clone().resource_ports()
    }

    async fn fill(&self, server: &Arc<Postgres>, api: &Api, share: Share, told: shapes::Tell<'_>) -> Filled {
        server.fill(&self.0.settings(), api, share, told).await
    }

    async fn reindex(&self, api: &Api) -> Result<(), ShapeError> {
        postgres::api_shape::reindex(&self.0.settings(), api, &mut |_, _, _| {}).await
    }

    async fn ports(&self) -> valetkey_resources::ports::Ports {
        Postgres::open(&self.0.settings()).await.unwrap().resource_ports()
    }

    async fn damage(&self, sql: &str) {
        self.0.client().await.batch_execute(sql).await.unwrap();
    }
}

shapes!(Fresh::make().await);
