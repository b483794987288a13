//! Who has taken over which table, in PostgreSQL.

use std::collections::HashMap;

use tokio_postgres::{Client, Row};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Api, Resource};
use valetkey_resources::ports::StoreError as Told;

use super::Postgres;
use super::api_shape::rows;
use crate::outage::told;
use crate::statement::{Dialect, Seal};

/// The seals of these tables.
const SEALS: &str = "SELECT c.relname::text, a.attname::text FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid \
                     WHERE a.attrelid = ANY (ARRAY(SELECT to_regclass(quote_ident(name)) FROM unnest($1::text[]) name)) \
                     AND a.attnum > 0 AND NOT a.attisdropped AND a.attname ~ '^[vw]_'";

impl Postgres {
    /// Has a newer version taken over rows of this declaration, so that they cannot even be read?
    pub async fn is_superseded(&self, api: &Api) -> Result<bool, StoreError> {
        let seals: Vec<_> = api.resources.iter().map(|resource| Seal::of(resource)).collect();
        let found = self.seals(seals.iter()).await?;
        Ok(!seals.iter().all(|seal| found.get(&seal.table).is_some_and(|present| present.contains(&seal.read))))
    }

    /// What came of work on rows, for whoever asked for it. What failed may have failed because they are not this
    /// declaration's any more.
    pub(super) async fn judged<T>(&self, of: &Resource, outcome: Result<T, StoreError>) -> Result<T, Told> {
        let error = match outcome {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        if matches!(error, StoreError::Failed(_)) {
            let seal = Seal::of(of);
            let found = self.seals([&seal].into_iter()).await.map_err(told)?;
            if !found.get(&seal.table).is_some_and(|present| seal.is_on(present)) {
                return Err(Told::Superseded(of.name.clone()));
            }
        }
        Err(told(error))
    }

    async fn seals(&self, of: impl Iterator<Item = &Seal>) -> Result<HashMap<String, Vec<String>>, StoreError> {
        let tables: Vec<&str> = of.map(|seal| seal.table.as_str()).collect();
        Ok(by_table(&self.connections.read(SEALS, &[&tables]).await?))
    }
}

/// What gives the table of a resource its seal; nothing if it has it.
pub(super) async fn changes(client: &Client, of: &Resource) -> Result<Vec<String>, StoreError> {
    let seal = Seal::of(of);
    let mut found = by_table(&rows(client, SEALS, &[&[seal.table.as_str()].as_slice()]).await?);
    Ok(seal.changes(Dialect::Postgres, &found.remove(&seal.table).unwrap_or_default()))
}

fn by_table(rows: &[Row]) -> HashMap<String, Vec<String>> {
    let mut found = HashMap::<_, Vec<_>>::new();
    for row in rows {
        found.entry(row.get(0)).or_default().push(row.get(1));
    }
    found
}
