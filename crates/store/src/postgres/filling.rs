//! What is left to do in PostgreSQL once tables have their new columns, step by step, by one of the nodes. How far it came
//! stands in the catalogue: when that node is killed, the next one goes on.
//!
//! A node that still runs with the older declaration would write rows without the new columns. It cannot: see the seals
//! that tables have.

mod batch;
mod words;

use std::time::Duration;

use tokio_postgres::Client;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Api, Resource};

use super::api_shape::{catalogue, entries, execute, rows};
use super::connection::{Fault, direct};
use super::migrations::{FILLING, try_lock, unlock};
use super::{Postgres, Settings};
use crate::shape::{Catalogue, Preparations, Shape, Share, Work};
use crate::statement::{self, Dialect, Index, table};

/// How long a node waits before it looks again how far another one is.
const AGAIN: Duration = Duration::from_millis(300);

/// Tells how far the work is: done, in all, and with what.
pub type Progress<'a> = &'a mut (dyn FnMut(u64, u64, &str) + Send);

impl Postgres {
    /// Learns what is still to be done for a declaration, so that requests which go by it are told to wait. Answers
    /// whether there is anything.
    pub async fn prepare(&self, api: &Api) -> Result<bool, StoreError> {
        Ok(!self.preparations.learn(api, &self.applied().await?))
    }

    async fn applied(&self) -> Result<Catalogue, StoreError> {
        entries(&self.connections.read("SELECT resource, shape FROM api_tables", &[]).await?)
    }

    /// Does what is left, or waits until another node has done it, and lets requests go by it then.
    pub async fn fill(
        &self,
        settings: &Settings,
        api: &Api,
        share: Share,
        progress: Progress<'_>,
    ) -> Result<(), StoreError> {
        let applied = self.applied().await?;
        if left(api, share, &applied).is_none() {
            // As at most starts: no connection is opened for nothing.
            self.preparations.learn(api, &applied);
            return Ok(());
        }
        complete(&direct(settings).await?, api, share, &self.preparations, progress).await
    }
}

/// Does what is left over a connection of its own.
pub(super) async fn complete(
    client: &Client,
    api: &Api,
    share: Share,
    preparations: &Preparations,
    progress: Progress<'_>,
) -> Result<(), StoreError> {
    loop {
        let catalogue = catalogue(client).await?;
        preparations.learn(api, &catalogue);
        let Some((of, work)) = left(api, share, &catalogue) else { return Ok(()) };
        if try_lock(client, FILLING).await? {
            break;
        }
        progress(work.seen, work.rows, &format!("rows of {}", of.name));
        tokio::time::sleep(AGAIN).await;
    }
    // What a crash of the server undoes of this is done again: nobody was answered.
    execute(client, "SET synchronous_commit = off").await?;
    let mut outcome = Ok(());
    for of in &api.resources {
        if outcome.is_ok() {
            outcome = finish(client, of, share, preparations, progress).await;
        }
    }
    let unlocked = unlock(client, FILLING).await;
    outcome.and(unlocked)
}

/// The first resource in which something is left to do.
fn left<'a>(api: &'a Api, share: Share, catalogue: &'a Catalogue) -> Option<(&'a Resource, &'a Work)> {
    api.resources.iter().find_map(|of| {
        let work = catalogue.get(&of.name)?.work.as_ref().filter(|work| share.has(work))?;
        Some((&**of, work))
    })
}

/// Does all that is left in a resource.
async fn finish(
    client: &Client,
    of: &Resource,
    share: Share,
    preparations: &Preparations,
    progress: Progress<'_>,
) -> Result<(), StoreError> {
    loop {
        let found = rows(client, "SELECT shape FROM api_tables WHERE resource = $1", &[&of.name]).await?;
        let Some(before) = found.first().map(|row| row.get::<_, String>(0)) else { return Ok(()) };
        let mut shape = Shape::read(&before)?;
        let is_mine = shape.is_of(of);
        let left = shape.work.take();
        if left.is_none() {
            // Another node has done it since this one looked, and let go of the lock.
            preparations.note(&of.name, None);
        }
        let Some(mut work) = left.filter(|work| is_mine && share.has(work)) else { return Ok(()) };
        let mut step = None;
        if !work.is_seen {
            batch::next(client, of, &mut work).await?;
            step = Some((work.seen, work.rows, "rows"));
        } else if let Some((made, all)) = indexes(client, of, &mut work).await? {
            step = Some((made, all, "indexes"));
        } else {
            execute(client, &format!("ANALYZE \"{}\"", table(&of.name))).await?;
        }
        shape.work = step.is_some().then_some(work);
        // Another node may have declared it anew meanwhile: then this is void, and the next look tells.
        let update = "UPDATE api_tables SET shape = $2 WHERE resource = $1 AND shape = $3 RETURNING 1";
        let kept = rows(client, update, &[&of.name, &shape.write()?, &before]).await?;
        if !kept.is_empty() {
            preparations.note(&of.name, shape.work.as_ref());
            if let Some((done, all, what)) = step {
                progress(done, all, &format!("{what} of {}", of.name));
            }
        }
    }
}

/// The next index: how many are made, of how many. None if there are all of them.
async fn indexes(client: &Client, of: &Resource, work: &mut Work) -> Result<Option<(u64, u64)>, StoreError> {
    let wanted = statement::indexes(Dialect::Postgres, of);
    let all = wanted.len() as u64;
    let known = "SELECT c.relname::text, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid \
                 WHERE i.indrelid = to_regclass(quote_ident($1))";
    let mut sound = Vec::new();
    for row in rows(client, known, &[&table(&of.name)]).await? {
        let (name, is_valid): (String, bool) = (row.get(0), row.get(1));
        // What a node that was killed has left half made, or half made again.
        let is_ours = wanted.iter().any(|index| name == index.name || name.starts_with(&format!("{}_cc", index.name)));
        if is_valid {
            sound.push(name);
        } else if is_ours {
            execute(client, &format!("DROP INDEX CONCURRENTLY \"{name}\"")).await?;
        }
    }
    let missing: Vec<&Index> = wanted.iter().filter(|index| !sound.contains(&index.name)).collect();
    if let Some(index) = missing.first() {
        make(client, of, index).await?;
        return Ok(Some((all - missing.len() as u64 + 1, all)));
    }
    let Some(name) = work.again.pop() else { return Ok(None) };
    execute(client, &format!("REINDEX INDEX CONCURRENTLY \"{name}\"")).await?;
    Ok(Some((all.saturating_sub(work.again.len() as u64), all)))
}

/// Makes an index beside those who write.
async fn make(client: &Client, of: &Resource, index: &Index) -> Result<(), StoreError> {
    let made = client.batch_execute(&index.create(&of.name, true)).await.map_err(Fault::from);
    match (made, &index.unique) {
        (Err(fault), Some(field)) if fault.violated.is_some() => Err(StoreError::Failed(format!(
            "{}.{field} is unique from now on, and two rows have the same value ({fault}). Change one of them with the \
             declaration as it was before, then start again",
            of.name
        ))),
        (made, _) => Ok(made?),
    }
}
