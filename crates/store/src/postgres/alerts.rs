//! Alerts in PostgreSQL.

use async_trait::async_trait;
use jiff::Timestamp;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;
use valetkey_oauth::model::{Alert, AlertId, ClientId, Delivery, SessionId};
use valetkey_oauth::ports::{AlertQuery, Alerts, Raising, StoreError};

use super::Postgres;
use super::connection::can_be_stored;
use super::deliveries;
use crate::moment::{from_column, to_column};
use crate::record;

const COLUMNS: &str = "id, at, kind, client_id, session_id, subject, address, generation, current_generation, failures, \
                       key_purpose";

#[async_trait]
impl Alerts for Postgres {
    async fn raise(&self, alert: &Alert, keep_until: Timestamp, messages: &[Delivery]) -> Result<Raising, StoreError> {
        let messages = deliveries::Columns::of(messages);
        let statement = format!(
            "WITH filed AS (\
                 INSERT INTO alerts ({COLUMNS}, once, expires_at) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING RETURNING 1), \
             posted AS ({} FROM {} WHERE EXISTS (SELECT 1 FROM filed) ON CONFLICT (id) DO NOTHING) \
             SELECT 1 FROM filed",
            deliveries::into(),
            deliveries::Columns::table(14)
        );
        let (client, session) = (alert.client.as_ref().map(ClientId::as_str), alert.session.map(|session| session.0));
        let [generation, current, failures] =
            [alert.generation, alert.current_generation, alert.failures].map(|number| number.map(i64::from));
        let (at, kind, key) = (to_column(alert.at), alert.kind.as_str(), alert.key.map(|key| key.as_str()));
        let (once, keep_until) = (alert.once(), to_column(keep_until));
        let row: [&(dyn ToSql + Sync); 13] = [
            &alert.id.0,
            &at,
            &kind,
            &client,
            &session,
            &alert.subject,
            &alert.address,
            &generation,
            &current,
            &failures,
            &key,
            &once,
            &keep_until,
        ];
        let filed = self.connections.write(&statement, &[&row[..], &messages.values()[..]].concat()).await?;
        Ok(if filed.is_empty() { Raising::Known } else { Raising::Filed })
    }

    async fn list_alerts(&self, query: &AlertQuery) -> Result<Vec<Alert>, StoreError> {
        if !query.subject.as_deref().is_none_or(can_be_stored) {
            return Ok(Vec::new());
        }
        let before = query.before.map_or(Uuid::max(), |alert| alert.0);
        let since = query.since.map_or(Uuid::nil(), |since| AlertId::floor(since).0);
        let limit = i64::from(query.limit);
        let kind = query.kind.map(|kind| kind.as_str());
        let mut condition = "id < $1 AND id >= $2".to_owned();
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&before, &since, &limit];
        if let Some(subject) = &query.subject {
            values.push(subject);
            condition += &format!(" AND subject = ${}", values.len());
        }
        if let Some(kind) = &kind {
            values.push(kind);
            condition += &format!(" AND kind = ${}", values.len());
        }
        let sql = format!("SELECT {COLUMNS} FROM alerts WHERE {condition} ORDER BY id DESC LIMIT $3");
        self.connections.read(&sql, &values).await?.iter().map(alert).collect()
    }
}

fn alert(row: &Row) -> Result<Alert, StoreError> {
    let number = |at: usize| {
        let number: Option<i64> = row.get(at);
        number.map(u32::try_from).transpose().map_err(|_| StoreError::Failed("an alert has an odd number".to_owned()))
    };
    Ok(Alert {
        id: AlertId(row.get(0)),
        at: from_column(row.get(1))?,
        kind: record::alert_kind(row.get(2))?,
        client: row.get::<_, Option<&str>>(3).map(ClientId::new),
        session: row.get::<_, Option<Uuid>>(4).map(SessionId),
        subject: row.get(5),
        address: row.get(6),
        generation: number(7)?,
        current_generation: number(8)?,
        failures: number(9)?,
        key: record::key_purpose(row.get(10))?,
    })
}
