//! Who called which version, in PostgreSQL. Nodes add to the same rows.

use async_trait::async_trait;
use jiff::civil::Date;
use valetkey_resources::ports::{StoreError, Usage, Used};

use super::Postgres;
use crate::moment::{day_of, from_micros, to_micros};
use crate::outage::told;

#[async_trait]
impl Usage for Postgres {
    async fn add_usage(&self, mut counted: Vec<Used>) -> Result<(), StoreError> {
        // In one order on every node, so that two of them never wait for each other.
        let place = |used: &Used| (day_of(used.last_at), used.version, used.client.clone());
        counted.sort_by_cached_key(place);
        let insert = "INSERT INTO api_usage AS u (day, version, client, requests, last_at) \
                      SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[]) \
                      ON CONFLICT (day, version, client) DO UPDATE SET \
                      requests = u.requests + excluded.requests, last_at = greatest(u.last_at, excluded.last_at)";
        let days: Vec<String> = counted.iter().map(|used| day_of(used.last_at)).collect();
        let versions: Vec<i64> = counted.iter().map(|used| i64::from(used.version)).collect();
        let requests: Vec<i64> = counted.iter().map(|used| used.requests.cast_signed()).collect();
        let last: Vec<i64> = counted.iter().map(|used| to_micros(used.last_at)).collect();
        let clients: Vec<String> = counted.into_iter().map(|used| used.client).collect();
        let added = self.connections.write(insert, &[&days, &versions, &clients, &requests, &last]).await;
        added.map(|_| ()).map_err(told)
    }

    async fn usage_since(&self, day: Date) -> Result<Vec<Used>, StoreError> {
        let select = "SELECT client, version, sum(requests)::bigint, max(last_at) FROM api_usage WHERE day >= $1 \
                      GROUP BY version, client ORDER BY version, sum(requests) DESC, client";
        let rows = self.connections.read(select, &[&day.to_string()]).await.map_err(told)?;
        let each = rows.iter().map(|row| {
            let (version, requests): (i64, i64) = (row.get(1), row.get(2));
            let version = u32::try_from(version).unwrap_or(u32::MAX);
            let last_at = from_micros(row.get(3)).map_err(told)?;
            Ok(Used { client: row.get(0), version, requests: requests.cast_unsigned(), last_at })
        });
        each.collect()
    }

    async fn sweep_usage(&self, before: Date, most: u32) -> Result<u64, StoreError> {
        let delete = "DELETE FROM api_usage WHERE ctid = ANY (ARRAY(\
                      SELECT ctid FROM api_usage WHERE day < $1 LIMIT $2)) RETURNING 1";
        let rows = self.connections.write(delete, &[&before.to_string(), &i64::from(most)]).await;
        rows.map(|rows| rows.len() as u64).map_err(told)
    }
}
