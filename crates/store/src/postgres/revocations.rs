//! Revocations in PostgreSQL. Many nodes write at once, so the feed asks which transactions it has not seen yet.
//!
//! A number that counts up would not do: a transaction may take a lower number and commit later. Each read of the feed
//! remembers its snapshot instead, which knows exactly the transactions it saw; the next read takes the others.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use jiff::Timestamp;
use tokio_postgres::Row;
use valetkey_oauth::model::{AccessToken, Revocation};
use valetkey_oauth::ports::{RevocationCursor, RevocationFeed, Revocations, StoreError};

use super::Postgres;
use super::connection::{Bounds, Connections, Gathering, can_be_stored};
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
        let suspect = Suspect { targets: record::revocation_targets(token), issued_at: to_column(token.issued_at) };
        self.suspects.ask(suspect).await
    }
}

/// A token that may be revoked.
pub(super) struct Suspect {
    /// Its id, its session, its subject and its client.
    targets: [String; 4],
    issued_at: i64,
}

/// The questions of those who hold tokens.
pub(super) type Suspects = Gathering<Suspect, bool>;

/// How many questions at once.
const BOUNDS: Bounds = Bounds { ways: 2, most: 128, commits: false };

/// Where they are asked.
pub(super) fn suspects(connections: &Connections) -> Suspects {
    let connections = connections.clone();
    Gathering::new(BOUNDS, move |suspects: Vec<Suspect>| {
        let connections = connections.clone();
        async move { find_revoked(&connections, &suspects).await }
    })
}

/// Which of these are revoked. Hardly any is, so all that is known about any of them is fetched.
async fn find_revoked(connections: &Connections, suspects: &[Suspect]) -> Result<Vec<bool>, StoreError> {
    // The array hides in a subquery: PostgreSQL would plan anew for each length that it sees.
    let select = "SELECT kind, target, max(moment) FROM revocations WHERE target = ANY ((SELECT $1::text[])::text[]) \
                  GROUP BY kind, target";
    let all = suspects.iter().flat_map(|suspect| &suspect.targets).map(String::as_str);
    let mut targets: Vec<&str> = all.filter(|target| !target.is_empty() && can_be_stored(target)).collect();
    targets.sort_unstable();
    targets.dedup();
    let rows = connections.read(select, &[&targets]).await?;
    let known: HashMap<(&str, &str), Option<i64>> =
        rows.iter().map(|row| ((row.get(0), row.get(1)), row.get(2))).collect();
    let is_revoked = |suspect: &Suspect| {
        let [id, session, subject, client] = &suspect.targets;
        let is_known = |kind, target: &String| known.contains_key(&(kind, target.as_str()));
        let until = |kind, target: &String| known.get(&(kind, target.as_str())).copied().flatten();
        let is_older = |moment: Option<i64>| moment.is_some_and(|moment| moment >= suspect.issued_at);
        is_known("token", id)
            || is_known("session", session)
            || is_older(until("subject", subject))
            || is_older(until("client", client))
    };
    Ok(suspects.iter().map(|suspect| !known.is_empty() && is_revoked(suspect)).collect())
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
