//! Answers kept for a retry, in PostgreSQL. Written only by the statement that they belong to.

use jiff::Timestamp;
use valetkey_oauth::ports::{KeptAnswer, StoreError};

use super::Postgres;
use crate::moment::to_column;

/// The answer under `$1` at the moment `$2`.
pub(super) const FIND: &str = "SELECT sealed FROM answers WHERE id = $1 AND expires_at > $2";

/// Keeps `$1`, an answer `$2` until `$3`, in the place of one whose time is over.
pub(super) const KEEP: &str = "INSERT INTO answers (id, sealed, expires_at) VALUES ($1, $2, $3) \
                               ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed, expires_at = excluded.expires_at";

impl Postgres {
    /// The answer that is kept under this id, unless its time is over.
    pub(super) async fn answer(&self, id: &[u8; 32], now: Timestamp) -> Result<Option<Vec<u8>>, StoreError> {
        let rows = self.connections.read(FIND, &[&&id[..], &to_column(now)]).await?;
        Ok(rows.first().map(|row| row.get(0)))
    }

    /// The one under the id of this one.
    pub(super) async fn find_answer(
        &self,
        answer: Option<&KeptAnswer>,
        now: Timestamp,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(answer) = answer else { return Ok(None) };
        self.answer(&answer.id, now).await
    }
}
