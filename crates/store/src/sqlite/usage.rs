//! Who called which version, in SQLite.

use async_trait::async_trait;
use jiff::civil::Date;
use rusqlite::params;
use valetkey_resources::ports::{StoreError, Usage, Used};

use super::{Sqlite, store_error};
use crate::moment::{day_of, from_micros, to_micros};
use crate::outage::told;

#[async_trait]
impl Usage for Sqlite {
    async fn add_usage(&self, counted: Vec<Used>) -> Result<(), StoreError> {
        let insert = "INSERT INTO api_usage (day, version, client, requests, last_at) VALUES (?1, ?2, ?3, ?4, ?5) \
                      ON CONFLICT (day, version, client) DO UPDATE SET \
                      requests = requests + excluded.requests, last_at = max(last_at, excluded.last_at)";
        let added = self.writer.run_beside_rows(move |connection| {
            let mut statement = connection.prepare_cached(insert).map_err(store_error)?;
            for Used { client, version, requests, last_at } in &counted {
                let (day, requests) = (day_of(*last_at), requests.cast_signed());
                statement.execute(params![day, version, client, requests, to_micros(*last_at)]).map_err(store_error)?;
            }
            Ok(())
        });
        added.await.map_err(told)
    }

    async fn usage_since(&self, day: Date) -> Result<Vec<Used>, StoreError> {
        let select = "SELECT client, version, sum(requests), max(last_at) FROM api_usage WHERE day >= ?1 \
                      GROUP BY version, client ORDER BY version, sum(requests) DESC, client";
        let found = self.readers.read(|connection| {
            let mut statement = connection.prepare_cached(select).map_err(store_error)?;
            let mut rows = statement.query([day.to_string()]).map_err(store_error)?;
            let mut found = Vec::new();
            while let Some(row) = rows.next().map_err(store_error)? {
                let (client, version) = (row.get(0).map_err(store_error)?, row.get(1).map_err(store_error)?);
                let (requests, last_at): (i64, i64) =
                    (row.get(2).map_err(store_error)?, row.get(3).map_err(store_error)?);
                found.push(Used {
                    client,
                    version,
                    requests: requests.cast_unsigned(),
                    last_at: from_micros(last_at)?,
                });
            }
            Ok(found)
        });
        found.map_err(told)
    }

    async fn sweep_usage(&self, before: Date, most: u32) -> Result<u64, StoreError> {
        let delete = "DELETE FROM api_usage WHERE (day, version, client) IN \
                      (SELECT day, version, client FROM api_usage WHERE day < ?1 LIMIT ?2)";
        let swept = self.writer.run_beside_rows(move |connection| {
            let mut statement = connection.prepare_cached(delete).map_err(store_error)?;
            statement.execute(params![before.to_string(), most]).map(|rows| rows as u64).map_err(store_error)
        });
        swept.await.map_err(told)
    }
}
