//! Revocations in PostgreSQL. Many nodes write at once, so the feed asks which transactions it has not seen yet.
//!
//! A number that counts up would not do: a transaction may take a lower number and commit later. Each read of the feed
//! remembers its snapshot instead, which knows exactly the transactions it saw; the next read takes the others.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use jiff::Timestamp;
use tokio_postgres::Row;
use valetkey_oauth::model::{AccessToken, Revocation};
use valetkey_oauth::ports::{RevocationCursor, RevocationFeed, Revocations, StoreError};

use super::Postgres;
use crate::moment::to_column;
use crate::record;

/// How many readers of the feed one process may have; one too many reads from the beginning.
const READERS: usize = 16;

#[async_trait]
impl Revocations for Postgres {
    async fn record(&self, revocation: &Revocation) -> Result<(), StoreError> {
        let (kind, target, moment) = record::revocation_columns(&revocation.target);
        let insert = "INSERT INTO revocations (kind, target, moment, expires_at) VALUES ($1, $2, $3, $4)";
        self.connections.write(insert, &[&kind, &target, &moment, &to_column(revocation.expires_at)]).await?;
        Ok(())
    }

    async fn feed(&self, after: RevocationCursor, now: Timestamp) -> Result<RevocationFeed, StoreError> {
        let before = self.positions.find(after);
        let (here, entries) = self.unseen(&before, now).await?;
        if here.server == before.server || before == Position::default() {
            return Ok(RevocationFeed { entries, cursor: self.positions.remember(after, here) });
        }
        // Another server, or the same one restored: transactions are numbered anew, and the old snapshot says nothing here.
        let (here, entries) = self.unseen(&Position::default(), now).await?;
        Ok(RevocationFeed { entries, cursor: self.positions.remember(after, here) })
    }

    async fn is_revoked(&self, token: &AccessToken) -> Result<bool, StoreError> {
        let [id, session, subject, client] = record::revocation_targets(token);
        let select = "SELECT EXISTS (SELECT 1 FROM revocations WHERE target = $1 AND kind = 'token') \
                      OR EXISTS (SELECT 1 FROM revocations WHERE target = $2 AND kind = 'session') \
                      OR EXISTS (SELECT 1 FROM revocations WHERE target = $3 AND kind = 'subject' AND moment >= $5) \
                      OR EXISTS (SELECT 1 FROM revocations WHERE target = $4 AND kind = 'client' AND moment >= $5)";
        let issued_at = to_column(token.issued_at);
        let rows = self.connections.read(select, &[&id, &session, &subject, &client, &issued_at]).await?;
        rows.first().map(|row| row.get(0)).ok_or_else(|| StoreError::Failed("no answer to a question".to_owned()))
    }
}

impl Postgres {
    /// What the snapshot of `before` did not see, and the snapshot that sees it now: both from one statement.
    async fn unseen(&self, before: &Position, now: Timestamp) -> Result<(Position, Vec<Revocation>), StoreError> {
        let select = "WITH here AS MATERIALIZED (\
                          SELECT pg_current_snapshot()::text AS snapshot, \
                                 (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint AS server) \
                      SELECT here.snapshot, here.server, r.kind, r.target, r.moment, r.expires_at \
                      FROM here LEFT JOIN revocations r \
                          ON r.txid >= pg_snapshot_xmin($1::text::pg_snapshot) \
                          AND NOT pg_visible_in_snapshot(r.txid, $1::text::pg_snapshot) \
                      ORDER BY r.seq";
        let rows = self.connections.read(select, &[&before.snapshot]).await?;
        let here = rows.first().map(|row| Position { snapshot: row.get(0), server: row.get(1) });
        let here = here.ok_or_else(|| StoreError::Failed("the feed has no position".to_owned()))?;
        // Not in the statement: PostgreSQL would look up the many that have not expired, not the few that are new.
        let mut entries: Vec<_> = rows.iter().filter_map(|row| entry(row).transpose()).collect::<Result<_, _>>()?;
        entries.retain(|entry| now < entry.expires_at);
        Ok((here, entries))
    }
}

/// The revocation in a row, unless the row only carries the position.
fn entry(row: &Row) -> Result<Option<Revocation>, StoreError> {
    let Some(kind) = row.get::<_, Option<&str>>(2) else { return Ok(None) };
    record::revocation(kind, row.get(3), row.get(4), row.get(5)).map(Some)
}

/// Which transactions a reader of the feed has seen, and of which server (by the moment that one started).
#[derive(Debug, Clone, PartialEq, Eq)]
struct Position {
    snapshot: String,
    server: i64,
}

impl Default for Position {
    /// Has seen nothing. Transaction 1 is older than all.
    fn default() -> Self {
        Self { snapshot: "1:1:".to_owned(), server: 0 }
    }
}

/// The positions behind the cursors that were handed out, the latest last. A cursor that was forgotten, or came from
/// another process, reads from the beginning: entries may come twice, and never not at all.
#[derive(Default)]
pub(super) struct Positions(Mutex<VecDeque<(RevocationCursor, Position)>>);

impl Positions {
    fn find(&self, cursor: RevocationCursor) -> Position {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|(at, _)| *at == cursor).map(|(_, position)| position.clone()).unwrap_or_default()
    }

    /// The cursor for a position: `after` itself if nothing happened since.
    fn remember(&self, after: RevocationCursor, position: Position) -> RevocationCursor {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.iter().any(|(at, same)| *at == after && *same == position) {
            return after;
        }
        let cursor = RevocationCursor(known.back().map_or(1, |(last, _)| last.0 + 1));
        known.push_back((cursor, position));
        if known.len() > READERS {
            known.pop_front();
        }
        cursor
    }
}
