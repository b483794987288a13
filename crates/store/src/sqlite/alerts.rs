//! Alerts in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Row, ToSql, params};
use uuid::Uuid;
use valetkey_oauth::model::{Alert, AlertId, ClientId, Delivery, SessionId};
use valetkey_oauth::ports::{AlertQuery, Alerts, Raising, StoreError};

use super::{Sqlite, deliveries, store_error};
use crate::moment::{from_column, to_column};
use crate::record;

const COLUMNS: &str = "id, at, kind, client_id, session_id, subject, address, generation, current_generation, failures, \
                       key_purpose";

#[async_trait]
impl Alerts for Sqlite {
    async fn raise(&self, alert: &Alert, keep_until: Timestamp, messages: &[Delivery]) -> Result<Raising, StoreError> {
        let (alert, messages) = (alert.clone(), messages.to_vec());
        self.writer
            .run(move |connection| {
                if !file(connection, &alert, keep_until)? {
                    return Ok(Raising::Known);
                }
                deliveries::put(connection, &messages)?;
                Ok(Raising::Filed)
            })
            .await
    }

    async fn list_alerts(&self, query: &AlertQuery) -> Result<Vec<Alert>, StoreError> {
        let before = query.before.map_or(Uuid::max(), |alert| alert.0);
        let since = query.since.map_or(Uuid::nil(), |since| AlertId::floor(since).0);
        let mut condition = "id < ?1 AND id >= ?2".to_owned();
        let kind = query.kind.map(|kind| kind.as_str());
        let mut values: Vec<&dyn ToSql> = vec![&before, &since, &query.limit];
        if let Some(subject) = &query.subject {
            values.push(subject);
            condition += &format!(" AND subject = ?{}", values.len());
        }
        if let Some(kind) = &kind {
            values.push(kind);
            condition += &format!(" AND kind = ?{}", values.len());
        }
        let sql = format!("SELECT {COLUMNS} FROM alerts WHERE {condition} ORDER BY id DESC LIMIT ?3");
        self.readers.read(|connection| {
            let mut statement = connection.prepare_cached(&sql).map_err(store_error)?;
            let rows = statement.query_map(&*values, |row| Ok(alert(row))).map_err(store_error)?;
            rows.map(|row| row.map_err(store_error)?).collect()
        })
    }
}

/// Answers whether it is new.
fn file(connection: &Connection, alert: &Alert, keep_until: Timestamp) -> Result<bool, StoreError> {
    let insert = format!(
        "INSERT INTO alerts ({COLUMNS}, once, expires_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) ON CONFLICT DO NOTHING"
    );
    let row = params![
        alert.id.0,
        to_column(alert.at),
        alert.kind.as_str(),
        alert.client.as_ref().map(ClientId::as_str),
        alert.session.map(|session| session.0),
        alert.subject,
        alert.address,
        alert.generation,
        alert.current_generation,
        alert.failures,
        alert.key.map(|key| key.as_str()),
        alert.once(),
        to_column(keep_until)
    ];
    let added = connection.prepare_cached(&insert).and_then(|mut s| s.execute(row)).map_err(store_error)?;
    Ok(added == 1)
}

fn alert(row: &Row<'_>) -> Result<Alert, StoreError> {
    let text = |at: usize| row.get::<_, Option<String>>(at).map_err(store_error);
    let number = |at: usize| row.get::<_, Option<u32>>(at).map_err(store_error);
    let kind: String = row.get(2).map_err(store_error)?;
    Ok(Alert {
        id: AlertId(row.get(0).map_err(store_error)?),
        at: from_column(row.get(1).map_err(store_error)?)?,
        kind: record::alert_kind(&kind)?,
        client: text(3)?.map(ClientId::new),
        session: row.get::<_, Option<Uuid>>(4).map_err(store_error)?.map(SessionId),
        subject: text(5)?,
        address: text(6)?,
        generation: number(7)?,
        current_generation: number(8)?,
        failures: number(9)?,
        key: record::key_purpose(text(10)?.as_deref())?,
    })
}
