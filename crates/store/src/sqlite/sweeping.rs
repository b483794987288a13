//! Removing expired rows from SQLite, a few at a time, so that no other transition waits long.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::params;
use valetkey_oauth::ports::{StoreError, Sweeping, Swept};

use super::{Sqlite, store_error};
use crate::moment::to_column;

#[async_trait]
impl Sweeping for Sqlite {
    async fn sweep(&self, now: Timestamp, most: u32) -> Result<Swept, StoreError> {
        let now = to_column(now);
        self.writer
            .run_beside_rows(move |connection| {
                let delete = |sql: &str| {
                    connection
                        .prepare_cached(sql)
                        .and_then(|mut statement| statement.execute(params![now, most]))
                        .map(|rows| rows as u64)
                        .map_err(store_error)
                };
                Ok(Swept {
                    sessions: delete(
                        "DELETE FROM sessions WHERE id IN \
                         (SELECT id FROM sessions WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)",
                    )?,
                    revocations: delete(
                        "DELETE FROM revocations WHERE seq IN \
                         (SELECT seq FROM revocations WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)",
                    )?,
                    secrets: delete(
                        "DELETE FROM client_secrets WHERE (client_id, digest) IN \
                         (SELECT client_id, digest FROM client_secrets WHERE expires_at <= ?1 LIMIT ?2)",
                    )?,
                    sign_ins: delete(
                        "DELETE FROM sign_ins WHERE id IN \
                         (SELECT id FROM sign_ins WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)",
                    )?,
                    answers: delete(
                        "DELETE FROM answers WHERE id IN \
                         (SELECT id FROM answers WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)",
                    )?,
                    alerts: delete(
                        "DELETE FROM alerts WHERE id IN \
                         (SELECT id FROM alerts WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)",
                    )?,
                    deliveries: delete(
                        "DELETE FROM deliveries WHERE id IN \
                         (SELECT id FROM deliveries WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)",
                    )?,
                    devices: delete(
                        "DELETE FROM devices WHERE id IN \
                         (SELECT id FROM devices WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)",
                    )?,
                })
            })
            .await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.writer
            .run_beside_rows(|connection| {
                connection
                    .prepare_cached("SELECT 1")
                    .and_then(|mut statement| statement.query_row([], |_| Ok(())))
                    .map_err(store_error)
            })
            .await
    }
}
