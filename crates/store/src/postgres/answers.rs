//! Answers kept for a retry, in PostgreSQL. Written only by the statement that they belong to.

use jiff::Timestamp;
use valetkey_oauth::ports::{KeptAnswer, StoreError};

use super::Postgres;
use crate::moment::to_column;

impl Postgres {
    /// The answer that is kept under the id of this one, unless its time is over.
    pub(super) async fn find_answer(
        &self,
        answer: Option<&KeptAnswer>,
        now: Timestamp,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(answer) = answer else { return Ok(None) };
        let select = "SELECT sealed FROM answers WHERE id = $1 AND expires_at > $2";
        let rows = self.connections.read(select, &[&&answer.id[..], &to_column(now)]).await?;
        Ok(rows.first().map(|row| row.get(0)))
    }
}
