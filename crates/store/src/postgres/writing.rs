//! New and changed rows, in PostgreSQL. A row that changes is locked while its change is decided.

use std::sync::Arc;

use tokio_postgres::types::ToSql;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::{Change, Changing, Creating, Creation, Draft, Kept, Pointer, Stored, TaskStep};

use super::bound::{Bound, stored};
use super::connection::{ATTEMPTS, Fault, Lease};
use super::{Postgres, kept_answers, operations};
use crate::edit::{LARGE, Seat};
use crate::moment::to_micros;
use crate::row::{Decision, Next, decide, elsewhere, holds};
use crate::statement::{self, Statements, is_declarable, table, unique_index};

/// What another row has already, or lacks.
pub(super) enum Objection {
    /// The id.
    IdTaken,
    /// The value of this unique field.
    NotUnique(String),
    /// What this field points at is not there.
    Dangling(String),
}

impl Postgres {
    /// Makes a row.
    pub(super) async fn create_row(&self, creation: &Arc<Creation>) -> Result<Creating, StoreError> {
        if self.create_together(creation).await? {
            return Ok(Creating::Created);
        }
        // Whoever has the key has committed by now, if it is taken.
        if let Some(kept) = self.kept_under(creation).await? {
            return Ok(Creating::Kept(kept));
        }
        for _ in 0..ATTEMPTS {
            let made = self.connections.attempt(|fault| fault.undone, || self.create_once(creation)).await?;
            if let Some(outcome) = made {
                return Ok(outcome);
            }
            if let Some(kept) = self.kept_under(creation).await? {
                return Ok(Creating::Kept(kept));
            }
        }
        Err(StoreError::Unavailable("a key is taken and freed again and again".to_owned()))
    }

    async fn kept_under(&self, creation: &Creation) -> Result<Option<Kept>, StoreError> {
        match &creation.keyed {
            Some((keyed, _)) => self.find_kept(keyed).await,
            None => Ok(None),
        }
    }

    /// Changes a row.
    pub(super) async fn change_row(&self, change: &Arc<Change>) -> Result<Changing, StoreError> {
        if let Some(outcome) = self.change_together(change).await? {
            return Ok(outcome);
        }
        // Those who change one row wait for each other here, and not each with a connection that waits for its lock.
        let _turn = self.turns.of(change.id).await;
        let mut seat = None;
        for _ in 0..ATTEMPTS {
            let change_once = || self.change_once(change, seat.as_ref());
            match self.connections.attempt(|fault| fault.undone, change_once).await? {
                Attempt::Done(outcome) => return Ok(outcome),
                // Nobody waits for a seat with a connection in hand, or with a row that is locked.
                Attempt::NeedsSeat => {
                    seat = Some(self.apart.seat().await?);
                    continue;
                }
                Attempt::KeyTaken => {}
            }
            if let Some(keyed) = &change.keyed
                && let Some(kept) = self.find_kept(keyed).await?
            {
                return Ok(Changing::Kept(kept));
            }
        }
        Err(StoreError::Unavailable("a key is taken and freed again and again".to_owned()))
    }

    /// None: the key is taken.
    async fn create_once(&self, creation: &Creation) -> Result<Option<Creating>, Fault> {
        let Creation { resource, id, owner, draft, .. } = creation;
        let statements = self.statements.of(resource);
        let cells = Bound::all(statement::stored(&draft.cells));
        let words = statement::vector(&draft.words());
        let (revision, now) = (creation.revision.cast_signed(), to_micros(creation.now));
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![id, &revision, owner, &now, &now, &draft.document];
        values.extend(cells.iter().map(|cell| cell as &(dyn ToSql + Sync)));
        if statements.is_searchable {
            values.push(&words);
        }

        let mut lease = self.connections.lease().await?;
        let pointers: Vec<_> = elsewhere(resource, *id, draft).collect();
        if creation.keyed.is_none() && pointers.is_empty() {
            let made = lease.rows(&statements.insert, &values).await;
            return Ok(Some(match objection(resource, made)? {
                Ok(_) => Creating::Created,
                Err(objection) => objection.of_creation(),
            }));
        }
        let part = match &creation.keyed {
            Some((keyed, answer)) => {
                if !kept_answers::begin(&mut lease, keyed, Some(answer)).await? {
                    lease.rollback().await?;
                    return Ok(None);
                }
                Part::Last
            }
            None => Part::Whole,
        };
        match write(&mut lease, part, resource, &statements.insert, values, &pointers).await? {
            None => Ok(Some(Creating::Created)),
            Some(objection) => {
                lease.rollback().await?;
                Ok(Some(objection.of_creation()))
            }
        }
    }

    /// Changes a row, in a seat for large ones if there is one.
    async fn change_once(&self, change: &Arc<Change>, seat: Option<&Seat>) -> Result<Attempt, Fault> {
        let statements = self.statements.of(&change.resource);
        let lock = format!("{} FOR NO KEY UPDATE", statements.find);
        let mut lease = self.connections.lease().await?;
        let found = match &change.keyed {
            Some(keyed) => {
                if !kept_answers::begin(&mut lease, keyed, None).await? {
                    lease.rollback().await?;
                    return Ok(Attempt::KeyTaken);
                }
                lease.rows(&lock, &[&change.id]).await?
            }
            None => lease.begin(&lock, &[&change.id]).await?,
        };
        let found = found.first().map(stored).transpose()?;
        let found = found.map(|row| self.preparations.complete(&change.resource, row)).transpose()?;
        let is_large = |row: &Stored| row.document.len() > LARGE && holds(&change.condition, row);
        let decided = match (found.as_ref().is_some_and(is_large), seat) {
            (true, None) => {
                lease.rollback().await?;
                return Ok(Attempt::NeedsSeat);
            }
            (true, Some(seat)) => {
                let change = change.clone();
                seat.done(move || decide(&change, found)).await?
            }
            (false, _) => decide(change, found),
        };
        let next = match decided? {
            Decision::Answer(answer) => {
                lease.rollback().await?;
                return Ok(Attempt::Done(answer));
            }
            Decision::Write(next) => next,
        };
        let Next { row, changes, edited } = *next;
        if changes {
            let (resource, draft) = (&change.resource, edited.draft.as_ref());
            let is_all = change.keyed.is_none() && matches!(edited.task, TaskStep::None);
            let part = if is_all { Part::Last } else { Part::Middle };
            if let Some(objection) = rewrite(&mut lease, part, &statements, resource, &row, draft).await? {
                lease.rollback().await?;
                return Ok(Attempt::Done(objection.of_change()));
            }
            if is_all {
                return Ok(Attempt::Done(Changing::Changed(row)));
            }
        }
        match &edited.task {
            TaskStep::None => {}
            TaskStep::Begin(task) => operations::begin(&mut lease, task).await?,
            TaskStep::Finish(id) => {
                operations::finish(&mut lease, *id, edited.answer.as_ref(), change.now).await?;
            }
        }
        if let (Some(keyed), Some(answer)) = (&change.keyed, &edited.answer) {
            kept_answers::end(&mut lease, &keyed.key, Some(answer)).await?;
        }
        lease.commit().await?;
        Ok(Attempt::Done(Changing::Changed(row)))
    }
}

/// What came of trying a change.
enum Attempt {
    Done(Changing),
    /// Another request has the key.
    KeyTaken,
    /// The row is a large one.
    NeedsSeat,
}

/// Where a statement stands in its transaction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// It is all there is.
    Whole,
    /// The transaction is begun, and goes on.
    Middle,
    /// The transaction is begun, and is committed if nothing stands in the way.
    Last,
}

/// Writes a row that is locked, with its draft if the document changed.
pub(super) async fn rewrite(
    lease: &mut Lease,
    part: Part,
    statements: &Statements,
    of: &Resource,
    row: &Stored,
    draft: Option<&Draft>,
) -> Result<Option<Objection>, Fault> {
    let (revision, task) = (row.revision.cast_signed(), row.task.map(|task| task.0));
    let at = to_micros(row.updated_at);
    let Some(draft) = draft else {
        let values: [&(dyn ToSql + Sync); 4] = [&revision, &at, &task, &row.id];
        return write(lease, part, of, &statements.touch, values.to_vec(), &[]).await;
    };
    let cells = Bound::all(statement::stored(&draft.cells));
    let words = statement::vector(&draft.words());
    let mut values: Vec<&(dyn ToSql + Sync)> = vec![&revision, &at, &task, &draft.document];
    values.extend(cells.iter().map(|cell| cell as &(dyn ToSql + Sync)));
    if statements.is_searchable {
        values.push(&words);
    }
    values.push(&row.id);
    let pointers: Vec<_> = elsewhere(of, row.id, draft).collect();
    write(lease, part, of, &statements.update, values, &pointers).await
}

/// Writes a row and locks those that it points at, so that none of them goes before this is committed.
async fn write<'a>(
    lease: &mut Lease,
    part: Part,
    of: &Resource,
    sql: &str,
    mut values: Vec<&'a (dyn ToSql + Sync)>,
    pointers: &'a [&'a Pointer],
) -> Result<Option<Objection>, Fault> {
    let sql = if pointers.is_empty() { sql.to_owned() } else { with_locks(sql, values.len(), pointers)? };
    for pointer in pointers {
        values.extend([&pointer.id as &(dyn ToSql + Sync), &pointer.owner]);
    }
    // What it points at is only known afterwards: then it is not committed in the same breath.
    let at_once = part == Part::Last && pointers.is_empty();
    let written = match part {
        Part::Whole => lease.begin(&sql, &values).await,
        Part::Last if at_once => lease.finish(&sql, &values).await,
        Part::Middle | Part::Last => lease.rows(&sql, &values).await,
    };
    let rows = match objection(of, written)? {
        Ok(rows) => rows,
        Err(objection) => return Ok(Some(objection)),
    };
    let is_missing = |place: usize| rows.first().is_some_and(|row| !row.get::<_, bool>(place));
    let missing = pointers.iter().zip(0..).find(|(_, place)| is_missing(*place));
    if missing.is_none() && part != Part::Middle && !at_once {
        lease.commit().await?;
    }
    Ok(missing.map(|(pointer, _)| Objection::Dangling(pointer.field.clone())))
}

/// `FOR KEY SHARE` waits for a removal that is under way, and lets one that comes later wait.
fn with_locks(sql: &str, values: usize, pointers: &[&Pointer]) -> Result<String, StoreError> {
    let mut whole = format!("WITH written AS ({sql})");
    let mut answers = Vec::new();
    for (place, pointer) in pointers.iter().enumerate() {
        if !is_declarable(&pointer.resource) {
            return Err(StoreError::Failed(format!("{:?} is no resource", pointer.resource)));
        }
        let (id, owner) = (values + 2 * place + 1, values + 2 * place + 2);
        whole += &format!(
            ", target{place} AS (SELECT 1 FROM \"{}\" WHERE id = ${id} AND (${owner}::text IS NULL OR owner = ${owner}) \
             FOR KEY SHARE)",
            table(&pointer.resource)
        );
        answers.push(format!("EXISTS (SELECT FROM target{place})"));
    }
    Ok(format!("{whole} SELECT {}", answers.join(", ")))
}

/// Which value was taken, if that is why a statement failed.
fn objection<T>(of: &Resource, written: Result<T, Fault>) -> Result<Result<T, Objection>, Fault> {
    let fault = match written {
        Ok(done) => return Ok(Ok(done)),
        Err(fault) => fault,
    };
    let Some(index) = &fault.violated else { return Err(fault) };
    if *index == format!("{}_pkey", table(&of.name)) {
        return Ok(Err(Objection::IdTaken));
    }
    let unique = of.columns().iter().find(|column| unique_index(&of.name, &column.field) == *index);
    unique.map(|column| Ok(Err(Objection::NotUnique(column.field.clone())))).unwrap_or(Err(fault))
}

impl Objection {
    fn of_creation(self) -> Creating {
        match self {
            Self::IdTaken => Creating::IdTaken,
            Self::NotUnique(field) => Creating::NotUnique(field),
            Self::Dangling(field) => Creating::Dangling(field),
        }
    }

    fn of_change(self) -> Changing {
        match self {
            // An update does not touch the id.
            Self::IdTaken => Changing::NotUnique("id".to_owned()),
            Self::NotUnique(field) => Changing::NotUnique(field),
            Self::Dangling(field) => Changing::Dangling(field),
        }
    }
}
