//! Changes that come at the same moment share a transaction. What is not as usual is left for
//! [`writing`](crate::postgres::writing) to do, one at a time.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::{Change, Changing, Draft, Stored, TaskStep};

use super::arrays;
use super::known::Known;
use crate::edit::{LARGE, LONG};
use crate::moment::to_micros;
use crate::postgres::Postgres;
use crate::postgres::bound::stored;
use crate::postgres::connection::{Bounds, Connections, Fault, Gathering, Lease};
use crate::row::{Decision, Next, decide, elsewhere};
use crate::shape::Preparations;
use crate::statement::{self, Statements};

/// How many changes at once.
const BOUNDS: Bounds = Bounds { ways: 2, most: 64, commits: true };

/// Changes rows of one resource. None: it was not changed in this way, and nothing happened.
pub(in crate::postgres) type Changer = Gathering<Arc<Change>, Option<Changing>>;

/// Those for each resource.
pub(in crate::postgres) type Changers = Known<Changer>;

impl Postgres {
    /// Changes a row together with others, if it is one of those that cannot stand in each other's way. None: it is not
    /// changed.
    pub(in crate::postgres) async fn change_together(
        &self,
        change: &Arc<Change>,
    ) -> Result<Option<Changing>, StoreError> {
        if change.keyed.is_some() || !arrays::can_be_together(&change.resource) {
            return Ok(None);
        }
        let statements = self.statements.of(&change.resource);
        let changer = self.changers.of(&statements.update, || self.changer(&change.resource, &statements));
        changer.ask(change.clone()).await
    }

    fn changer(&self, of: &Resource, statements: &Statements) -> Changer {
        let desk = Arc::new(Desk {
            connections: self.connections.clone(),
            preparations: self.preparations.clone(),
            has_words: statements.is_searchable,
            lock: lock(&statements.find),
            update: update(&statements.update, of, statements),
        });
        Gathering::new(BOUNDS, move |changes: Vec<Arc<Change>>| {
            let desk = desk.clone();
            async move { desk.connections.attempt(|fault| fault.undone, || desk.change(&changes)).await }
        })
    }
}

/// Locks many rows and reads them. Of a large one nothing is read: it is decided where nobody else waits.
fn lock(find: &str) -> String {
    let small = format!("CASE WHEN octet_length(\"document\") <= {LARGE} THEN \"document\" END AS \"document\"");
    let many = find.replacen("= $1", "= ANY ((SELECT $1::uuid[])::uuid[])", 1).replacen("\"document\"", &small, 1);
    format!("{many} FOR NO KEY UPDATE SKIP LOCKED")
}

/// Writes many rows that are locked.
fn update(one: &str, of: &Resource, statements: &Statements) -> String {
    let kinds: Vec<_> =
        ["bigint", "bigint", "uuid", "text"].into_iter().chain(arrays::kinds(of, statements)).chain(["uuid"]).collect();
    let (set, condition) = one.split_once(" WHERE ").unwrap_or((one, ""));
    format!("{} FROM {} WHERE {}", arrays::each(set), arrays::asked(&kinds), arrays::each(condition))
}

/// What changes of one resource need.
struct Desk {
    connections: Connections,
    preparations: Arc<Preparations>,
    has_words: bool,
    lock: String,
    update: String,
}

/// A row as it will be.
struct Rewritten {
    row: Stored,
    draft: Draft,
}

impl Desk {
    /// Locks the rows, decides each change on its row as it is, and writes what they come to. A row that another transaction
    /// holds is passed over.
    async fn change(&self, changes: &[Arc<Change>]) -> Result<Vec<Option<Changing>>, Fault> {
        let ids: Vec<Uuid> = changes.iter().map(|change| change.id).collect();
        let for_each = || changes.iter().map(|_| None).collect();
        let mut lease = self.connections.lease().await?;
        let rows = match lease.begin(&self.lock, &[&ids]).await {
            Ok(rows) => rows,
            Err(fault) if fault.is_for_each() => return Ok(for_each()),
            Err(fault) => return Err(fault),
        };
        // Each row is changed once; a second change of it needs what the first one leaves.
        let mut rows: HashMap<Uuid, &Row> = rows.iter().filter_map(|row| Some((row.try_get(0).ok()?, row))).collect();
        let mut outcomes = Vec::with_capacity(changes.len());
        let mut rewritten = Vec::with_capacity(changes.len());
        let begun = Instant::now();
        for change in changes {
            // What is left after one that takes long is done for each alone: the rows of this group are locked.
            let row = rows.remove(&change.id).filter(|_| begun.elapsed() < 5 * LONG);
            // What panics does so again where it harms nobody else.
            let decided = catch_unwind(AssertUnwindSafe(|| row.and_then(|row| self.decide(change, row))));
            let outcome = decided.ok().flatten();
            outcomes.push(outcome.map(|outcome| match outcome {
                Ok(written) => {
                    let row = written.row.clone();
                    rewritten.push(written);
                    Changing::Changed(row)
                }
                Err(answer) => answer,
            }));
        }
        if rewritten.is_empty() {
            lease.rollback().await?;
            return Ok(outcomes);
        }
        match self.write(&mut lease, &rewritten).await {
            Ok(()) => Ok(outcomes),
            Err(fault) if fault.is_for_each() => Ok(for_each()),
            Err(fault) => Err(fault),
        }
    }

    /// What becomes of a row, or what is answered without touching it. None for whatever takes more than that: also for what
    /// fails, which fails again where it harms nobody else.
    fn decide(&self, change: &Change, row: &Row) -> Option<Result<Rewritten, Changing>> {
        row.try_get::<_, Option<&str>>("document").ok()??;
        let found = self.preparations.complete(&change.resource, stored(row).ok()?).ok()?;
        let Next { row, edited, .. } = match decide(change, Some(found)).ok()? {
            Decision::Answer(answer) => return Some(Err(answer)),
            Decision::Write(next) => *next,
        };
        let draft = edited.draft.filter(|_| matches!(edited.task, TaskStep::None))?;
        let points_elsewhere = elsewhere(&change.resource, row.id, &draft).next().is_some();
        (!points_elsewhere).then_some(Ok(Rewritten { row, draft }))
    }

    async fn write(&self, lease: &mut Lease, rewritten: &[Rewritten]) -> Result<(), Fault> {
        let ids: Vec<_> = rewritten.iter().map(|one| one.row.id).collect();
        let revisions: Vec<_> = rewritten.iter().map(|one| one.row.revision.cast_signed()).collect();
        let moments: Vec<_> = rewritten.iter().map(|one| to_micros(one.row.updated_at)).collect();
        let tasks: Vec<_> = rewritten.iter().map(|one| one.row.task.map(|task| task.0)).collect();
        let documents: Vec<_> = rewritten.iter().map(|one| one.draft.document.as_str()).collect();
        let cells = arrays::columns(rewritten.iter().map(|one| &one.draft));
        let words: Vec<_> = rewritten.iter().map(|one| statement::vector(&one.draft.words())).collect();
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&revisions, &moments, &tasks, &documents];
        values.extend(cells.iter().map(|column| column as &(dyn ToSql + Sync)));
        if self.has_words {
            values.push(&words);
        }
        values.push(&ids);
        lease.finish(&self.update, &values).await.map(drop)
    }
}
