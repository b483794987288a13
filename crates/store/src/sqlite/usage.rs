//! Who called which version, in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rusqlite::params;
use valetkey_resources::ports::{StoreError, Usage, Used, UsedLately};

use super::{Sqlite, store_error};
use crate::moment::{from_micros, to_micros};
use crate::outage::told;

#[async_trait]
impl Usage for Sqlite {
    async fn add_usage(&self, now: Timestamp, counted: Vec<Used>) -> Result<(), StoreError> {
        let insert = "INSERT INTO api_usage (day, version, client, requests, last_at) VALUES (?1, ?2, ?3, ?4, ?5) \
                      ON CONFLICT (day, version, client) DO UPDATE SET \
                      requests = requests + excluded.requests, last_at = max(last_at, excluded.last_at)";
        let day = now.to_zoned(TimeZone::UTC).date().to_string();
        let added = self.writer.run(move |connection| {
            let mut statement = connection.prepare_cached(insert).map_err(store_error)?;
            for Used { client, version, requests } in &counted {
                let requests = requests.cast_signed();
                statement.execute(params![day, version, client, requests, to_micros(now)]).map_err(store_error)?;
            }
            Ok(())
        });
        added.await.map_err(told)
    }

    async fn usage_since(&self, day: Date) -> Result<Vec<UsedLately>, StoreError> {
        let select = "SELECT client, version, sum(requests), max(last_at) FROM api_usage WHERE day >= ?1 \
                      GROUP BY version, client ORDER BY version, sum(requests) DESC, client";
        let found = self.readers.read(|connection| {
            let mut statement = connection.prepare_cached(select).map_err(store_error)?;
            let rows = statement.query_map([day.to_string()], |row| {
                let requests: i64 = row.get(2)?;
                Ok((
                    Used { client: row.get(0)?, version: row.get(1)?, requests: requests.cast_unsigned() },
                    row.get(3)?,
                ))
            });
            let rows: Vec<(Used, i64)> = rows.and_then(Iterator::collect).map_err(store_error)?;
            rows.into_iter().map(|(used, last_at)| Ok(UsedLately { used, last_at: from_micros(last_at)? })).collect()
        });
        found.map_err(told)
    }

    async fn sweep_usage(&self, before: Date, most: u32) -> Result<u64, StoreError> {
        let delete = "DELETE FROM api_usage WHERE (day, version, client) IN \
                      (SELECT day, version, client FROM api_usage WHERE day < ?1 LIMIT ?2)";
        let swept = self.writer.run(move |connection| {
            let mut statement = connection.prepare_cached(delete).map_err(store_error)?;
            statement.execute(params![before.to_string(), most]).map(|rows| rows as u64).map_err(store_error)
        });
        swept.await.map_err(told)
    }
}
