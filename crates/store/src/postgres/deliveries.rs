//! Messages on their way out, in PostgreSQL. Nodes that look at once take different ones.

use async_trait::async_trait;
use jiff::Timestamp;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;
use valetkey_oauth::model::{Delivery, DeliveryId};
use valetkey_oauth::ports::{Deliveries, StoreError};

use super::Postgres;
use crate::moment::{from_column, to_column};
use crate::record;

const COLUMNS: &str = "id, kind, url, content_type, body, created_at, due_at, attempts, expires_at";

#[async_trait]
impl Deliveries for Postgres {
    async fn post(&self, messages: &[Delivery]) -> Result<(), StoreError> {
        let columns = Columns::of(messages);
        let insert = format!("{} FROM {} ON CONFLICT (id) DO NOTHING", into(), Columns::table(1));
        self.connections.write(&insert, &columns.values()).await?;
        Ok(())
    }

    async fn claim_due(&self, now: Timestamp, lease_until: Timestamp, most: u32) -> Result<Vec<Delivery>, StoreError> {
        // Whoever waits for nobody takes what nobody holds; a row that changed in between is looked at again.
        let update = format!(
            "UPDATE deliveries SET due_at = $2, attempts = attempts + 1 WHERE id = ANY (ARRAY(\
                 SELECT id FROM deliveries WHERE due_at <= $1 AND expires_at > $1 \
                 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)) \
             RETURNING {COLUMNS}"
        );
        let (now, lease_until) = (to_column(now), to_column(lease_until));
        let rows = self.connections.write(&update, &[&now, &lease_until, &i64::from(most)]).await?;
        rows.iter().map(delivery).collect()
    }

    async fn close(&self, id: DeliveryId) -> Result<(), StoreError> {
        self.connections.write("DELETE FROM deliveries WHERE id = $1", &[&id.0]).await?;
        Ok(())
    }

    async fn postpone(&self, id: DeliveryId, due_at: Timestamp) -> Result<(), StoreError> {
        let update = "UPDATE deliveries SET due_at = $2 WHERE id = $1";
        self.connections.write(update, &[&id.0, &to_column(due_at)]).await?;
        Ok(())
    }
}

/// The beginning of an insertion whose rows come from [`Columns::table`].
pub(super) fn into() -> String {
    format!("INSERT INTO deliveries ({COLUMNS}) SELECT {COLUMNS}")
}

/// Messages, column by column, so that any number of them is one statement.
pub(super) struct Columns<'a> {
    id: Vec<Uuid>,
    kind: Vec<&'static str>,
    url: Vec<&'a str>,
    content_type: Vec<&'a str>,
    body: Vec<&'a [u8]>,
    created_at: Vec<i64>,
    due_at: Vec<i64>,
    attempts: Vec<i64>,
    expires_at: Vec<i64>,
}

impl<'a> Columns<'a> {
    /// Takes them apart.
    pub(super) fn of(messages: &'a [Delivery]) -> Self {
        Self {
            id: messages.iter().map(|message| message.id.0).collect(),
            kind: messages.iter().map(|message| message.kind.as_str()).collect(),
            url: messages.iter().map(|message| message.url.as_str()).collect(),
            content_type: messages.iter().map(|message| message.content_type.as_str()).collect(),
            body: messages.iter().map(|message| message.body.as_slice()).collect(),
            created_at: messages.iter().map(|message| to_column(message.created_at)).collect(),
            due_at: messages.iter().map(|message| to_column(message.due_at)).collect(),
            attempts: messages.iter().map(|message| i64::from(message.attempts)).collect(),
            expires_at: messages.iter().map(|message| to_column(message.expires_at)).collect(),
        }
    }

    /// The rows again, from values that begin at this number.
    pub(super) fn table(first: usize) -> String {
        let types = ["uuid", "text", "text", "text", "bytea", "bigint", "bigint", "bigint", "bigint"];
        let arrays: Vec<_> = types.iter().zip(first..).map(|(kind, number)| format!("${number}::{kind}[]")).collect();
        format!("unnest({}) AS message ({COLUMNS})", arrays.join(", "))
    }

    /// The values.
    pub(super) fn values(&self) -> [&(dyn ToSql + Sync); 9] {
        [
            &self.id,
            &self.kind,
            &self.url,
            &self.content_type,
            &self.body,
            &self.created_at,
            &self.due_at,
            &self.attempts,
            &self.expires_at,
        ]
    }
}

fn delivery(row: &Row) -> Result<Delivery, StoreError> {
    let attempts: i64 = row.get(7);
    Ok(Delivery {
        id: DeliveryId(row.get(0)),
        kind: record::delivery_kind(row.get(1))?,
        url: row.get(2),
        content_type: row.get(3),
        body: row.get(4),
        created_at: from_column(row.get(5))?,
        due_at: from_column(row.get(6))?,
        attempts: u32::try_from(attempts).unwrap_or(u32::MAX),
        expires_at: from_column(row.get(8))?,
    })
}
