//! Revocations in SQLite. One writer: what has a higher number was committed later.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, params};
use valetkey_oauth::model::{AccessToken, Revocation};
use valetkey_oauth::ports::{RevocationCursor, RevocationFeed, Revocations, StoreError};

use super::{Sqlite, store_error};
use crate::moment::to_column;
use crate::record;

#[async_trait]
impl Revocations for Sqlite {
    async fn record(&self, revocation: &Revocation) -> Result<(), StoreError> {
        let revocation = revocation.clone();
        self.writer.run_beside_rows(move |connection| insert(connection, &revocation)).await
    }

    async fn feed(&self, after: RevocationCursor, now: Timestamp) -> Result<RevocationFeed, StoreError> {
        let select = "SELECT seq, kind, target, moment, expires_at FROM revocations WHERE seq > ?1 ORDER BY seq";
        self.readers.read(|connection| {
            let mut statement = connection.prepare_cached(select).map_err(store_error)?;
            let mut rows = statement.query([after.0]).map_err(store_error)?;
            let mut feed = RevocationFeed { entries: Vec::new(), cursor: after };
            while let Some(row) = rows.next().map_err(store_error)? {
                let expires_at: i64 = row.get(4).map_err(store_error)?;
                feed.cursor = RevocationCursor(row.get(0).map_err(store_error)?);
                if to_column(now) < expires_at {
                    let kind: String = row.get(1).map_err(store_error)?;
                    let (target, moment) = (row.get(2).map_err(store_error)?, row.get(3).map_err(store_error)?);
                    feed.entries.push(record::revocation(&kind, target, moment, expires_at)?);
                }
            }
            Ok(feed)
        })
    }

    async fn is_revoked(&self, token: &AccessToken) -> Result<bool, StoreError> {
        let [id, session, subject, client] = record::revocation_targets(token);
        let select = "SELECT 1 FROM revocations WHERE (target = ?1 AND kind = 'token') \
                      OR (target = ?2 AND kind = 'session') \
                      OR (target = ?3 AND kind = 'subject' AND moment >= ?5) \
                      OR (target = ?4 AND kind = 'client' AND moment >= ?5) LIMIT 1";
        self.readers.read(|connection| {
            connection
                .prepare_cached(select)
                .and_then(|mut s| s.exists(params![id, session, subject, client, to_column(token.issued_at)]))
                .map_err(store_error)
        })
    }
}

/// Files a revocation as a part of the caller's transition.
pub(super) fn insert(connection: &Connection, revocation: &Revocation) -> Result<(), StoreError> {
    let (kind, target, moment) = record::revocation_columns(&revocation.target);
    connection
        .prepare_cached("INSERT INTO revocations (kind, target, moment, expires_at) VALUES (?1, ?2, ?3, ?4)")
        .and_then(|mut statement| statement.execute(params![kind, target, moment, to_column(revocation.expires_at)]))
        .map_err(store_error)?;
    Ok(())
}
