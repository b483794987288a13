//! Removing expired rows from PostgreSQL, a few at a time. Nodes that sweep at once take different rows.

use async_trait::async_trait;
use jiff::Timestamp;
use valetkey_oauth::ports::{StoreError, Sweeping, Swept};

use super::Postgres;
use crate::moment::to_column;

#[async_trait]
impl Sweeping for Postgres {
    async fn sweep(&self, now: Timestamp, most: u32) -> Result<Swept, StoreError> {
        // SKIP LOCKED: a row that somebody works with is left for the next sweep, so a sweep waits for nobody. The rows
        // are gathered into an array first: as a plain subquery, the LIMIT could be taken anew for each row.
        let delete = "WITH sessions_gone AS (\
                          DELETE FROM sessions WHERE ctid = ANY (ARRAY(\
                              SELECT ctid FROM sessions WHERE expires_at <= $1 \
                              ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING 1), \
                      revocations_gone AS (\
                          DELETE FROM revocations WHERE ctid = ANY (ARRAY(\
                              SELECT ctid FROM revocations WHERE expires_at <= $1 \
                              ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING 1), \
                      secrets_gone AS (\
                          DELETE FROM client_secrets WHERE ctid = ANY (ARRAY(\
                              SELECT ctid FROM client_secrets WHERE expires_at <= $1 \
                              LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING 1), \
                      sign_ins_gone AS (\
                          DELETE FROM sign_ins WHERE ctid = ANY (ARRAY(\
                              SELECT ctid FROM sign_ins WHERE expires_at <= $1 \
                              ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING 1), \
                      answers_gone AS (\
                          DELETE FROM answers WHERE ctid = ANY (ARRAY(\
                              SELECT ctid FROM answers WHERE expires_at <= $1 \
                              ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING 1), \
                      alerts_gone AS (\
                          DELETE FROM alerts WHERE ctid = ANY (ARRAY(\
                              SELECT ctid FROM alerts WHERE expires_at <= $1 \
                              ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING 1), \
                      deliveries_gone AS (\
                          DELETE FROM deliveries WHERE ctid = ANY (ARRAY(\
                              SELECT ctid FROM deliveries WHERE expires_at <= $1 \
                              ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING 1), \
                      devices_gone AS (\
                          DELETE FROM devices WHERE ctid = ANY (ARRAY(\
                              SELECT ctid FROM devices WHERE expires_at <= $1 \
                              ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING 1) \
                      SELECT (SELECT count(*) FROM sessions_gone), (SELECT count(*) FROM revocations_gone), \
                             (SELECT count(*) FROM secrets_gone), (SELECT count(*) FROM sign_ins_gone), \
                             (SELECT count(*) FROM answers_gone), (SELECT count(*) FROM deliveries_gone), \
                             (SELECT count(*) FROM devices_gone), (SELECT count(*) FROM alerts_gone)";
        let rows = self.connections.write(delete, &[&to_column(now), &i64::from(most)]).await?;
        let counted = |column| rows.first().map_or(0, |row| row.get::<_, i64>(column).unsigned_abs());
        Ok(Swept {
            sessions: counted(0),
            revocations: counted(1),
            secrets: counted(2),
            sign_ins: counted(3),
            answers: counted(4),
            deliveries: counted(5),
            devices: counted(6),
            alerts: counted(7),
        })
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.connections.read("SELECT 1", &[]).await?;
        Ok(())
    }
}
