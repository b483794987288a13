//! Messages on their way out, in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Row, params};
use valetkey_oauth::model::{Delivery, DeliveryId};
use valetkey_oauth::ports::{Deliveries, StoreError};

use super::{Sqlite, store_error};
use crate::moment::{from_column, to_column};
use crate::record;

const COLUMNS: &str = "id, kind, url, content_type, body, created_at, due_at, attempts, expires_at";

#[async_trait]
impl Deliveries for Sqlite {
    async fn post(&self, messages: &[Delivery]) -> Result<(), StoreError> {
        let messages = messages.to_vec();
        self.writer.run_beside_rows(move |connection| put(connection, &messages)).await
    }

    async fn claim_due(&self, now: Timestamp, lease_until: Timestamp, most: u32) -> Result<Vec<Delivery>, StoreError> {
        let (now, lease_until) = (to_column(now), to_column(lease_until));
        // Mostly nothing is due: a look beside the writer keeps its queue free.
        if !self.readers.read(|connection| any_due(connection, now))? {
            return Ok(Vec::new());
        }
        let update = format!(
            "UPDATE deliveries SET due_at = ?2, attempts = attempts + 1 WHERE id IN \
             (SELECT id FROM deliveries WHERE due_at <= ?1 AND expires_at > ?1 ORDER BY due_at LIMIT ?3) \
             RETURNING {COLUMNS}"
        );
        self.writer
            .run_beside_rows(move |connection| {
                let mut statement = connection.prepare_cached(&update).map_err(store_error)?;
                let key = params![now, lease_until, most];
                let rows = statement.query_map(key, |row| Ok(delivery(row))).map_err(store_error)?;
                rows.map(|row| row.map_err(store_error)?).collect()
            })
            .await
    }

    async fn close(&self, id: DeliveryId) -> Result<(), StoreError> {
        self.writer
            .run_beside_rows(move |connection| {
                connection
                    .prepare_cached("DELETE FROM deliveries WHERE id = ?1")
                    .and_then(|mut statement| statement.execute([id.0]))
                    .map_err(store_error)?;
                Ok(())
            })
            .await
    }

    async fn postpone(&self, id: DeliveryId, due_at: Timestamp) -> Result<(), StoreError> {
        self.writer
            .run_beside_rows(move |connection| {
                connection
                    .prepare_cached("UPDATE deliveries SET due_at = ?2 WHERE id = ?1")
                    .and_then(|mut statement| statement.execute(params![id.0, to_column(due_at)]))
                    .map_err(store_error)?;
                Ok(())
            })
            .await
    }
}

/// Puts messages in, as a part of the transition that they belong to.
pub(super) fn put(connection: &Connection, messages: &[Delivery]) -> Result<(), StoreError> {
    let insert = format!(
        "INSERT INTO deliveries ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (id) DO NOTHING"
    );
    for message in messages {
        let row = params![
            message.id.0,
            message.kind.as_str(),
            message.url,
            message.content_type,
            message.body,
            to_column(message.created_at),
            to_column(message.due_at),
            message.attempts,
            to_column(message.expires_at)
        ];
        connection.prepare_cached(&insert).and_then(|mut s| s.execute(row)).map_err(store_error)?;
    }
    Ok(())
}

fn any_due(connection: &Connection, now: i64) -> Result<bool, StoreError> {
    connection
        .prepare_cached("SELECT 1 FROM deliveries WHERE due_at <= ?1 AND expires_at > ?1 LIMIT 1")
        .and_then(|mut statement| statement.exists([now]))
        .map_err(store_error)
}

fn delivery(row: &Row<'_>) -> Result<Delivery, StoreError> {
    let moment = |at: usize| from_column(row.get(at).map_err(store_error)?);
    Ok(Delivery {
        id: DeliveryId(row.get(0).map_err(store_error)?),
        kind: record::delivery_kind(&row.get::<_, String>(1).map_err(store_error)?)?,
        url: row.get(2).map_err(store_error)?,
        content_type: row.get(3).map_err(store_error)?,
        body: row.get(4).map_err(store_error)?,
        created_at: moment(5)?,
        due_at: moment(6)?,
        attempts: row.get(7).map_err(store_error)?,
        expires_at: moment(8)?,
    })
}
