//! New and changed rows, in SQLite: decided and written in one turn of the writer.

use std::borrow::Cow;

use rusqlite::types::ToSql;
use rusqlite::{Connection, ErrorCode, OptionalExtension};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::{Change, Changing, Creating, Creation, Draft, Pointer, Stored, TaskStep};

use super::bound::{Bound, Filled, execute, find};
use super::connection::Verdict;
use super::{kept_answers, operations, store_error, words};
use crate::backlog::Turn;
use crate::moment::to_micros;
use crate::row::{Decision, Next, decide, elsewhere};
use crate::shape::Preparations;
use crate::statement::{self, Book, Statements, is_declarable, table};

/// What another row has already.
pub(super) enum Taken {
    /// The id.
    Id,
    /// The value of this unique field.
    Field(String),
}

/// Makes a row.
pub(super) fn create(
    connection: &Connection,
    statements: &Statements,
    creation: &Creation,
    turn: &Turn,
) -> Result<Verdict<Creating>, StoreError> {
    let Creation { resource, keyed, .. } = creation;
    // Hardly any key stands there already: to look first would be to look twice.
    if let Some((keyed, answer)) = keyed
        && !kept_answers::claim(connection, keyed, answer)?
    {
        if let Some(kept) = kept_answers::find(connection, keyed)? {
            return Ok(Verdict::Keep(Creating::Kept(kept)));
        }
        kept_answers::keep(connection, keyed, Some(answer))?;
    }
    if let Some(taken) = taken(resource, insert(connection, &statements.insert, [creation]))? {
        release(connection, creation)?;
        return Ok(Verdict::Keep(match taken {
            Taken::Id => Creating::IdTaken,
            Taken::Field(field) => Creating::NotUnique(field),
        }));
    }
    if let Some(field) = dangling(connection, pointers(creation))? {
        return Ok(Verdict::Undo(Creating::Dangling(field)));
    }
    words::of_new(connection, statements, &[(creation, turn)])?;
    Ok(Verdict::Keep(Creating::Created))
}

/// What a new row points at.
pub(super) fn pointers(creation: &Creation) -> impl Iterator<Item = &Pointer> {
    elsewhere(&creation.resource, creation.id, &creation.draft)
}

/// Leaves the key free of a row that was not made.
pub(super) fn release(connection: &Connection, creation: &Creation) -> Result<(), StoreError> {
    creation.keyed.iter().try_for_each(|(keyed, _)| kept_answers::release(connection, &keyed.key))
}

/// Changes a row. Where a row is given, it must still be as that: else nothing is done, and nothing answered.
pub(super) fn change(
    connection: &Connection,
    book: &Book,
    preparations: &Preparations,
    change: &Change,
    as_it_was: Option<&Stored>,
    turn: &Turn,
) -> Result<Verdict<Option<Changing>>, StoreError> {
    if let Some(keyed) = &change.keyed
        && let Some(kept) = kept_answers::find(connection, keyed)?
    {
        return Ok(Verdict::Keep(Some(Changing::Kept(kept))));
    }
    let statements = book.of(&change.resource);
    let found = find(connection, &statements.find, change.id)?;
    let found = found.map(|row| preparations.complete(&change.resource, row)).transpose()?;
    if as_it_was.is_some() && found.is_some() && found.as_ref() != as_it_was {
        return Ok(Verdict::Keep(None));
    }
    let next = match decide(change, found)? {
        Decision::Answer(answer) => return Ok(Verdict::Keep(Some(answer))),
        Decision::Write(next) => next,
    };
    let Next { row, changes, edited } = *next;
    if changes {
        let written = match &edited.draft {
            Some(draft) => {
                // Where columns are still being filled, some do not have what the document says they have.
                let is_known = preparations.is_done(&change.resource);
                update(connection, &statements, &change.resource, &row, draft, is_known)?
            }
            None => touch(connection, &statements, &row).map(|()| None)?,
        };
        if let Some(Taken::Field(field)) = written {
            return Ok(Verdict::Undo(Some(Changing::NotUnique(field))));
        }
        let pointers = edited.draft.iter().flat_map(|draft| elsewhere(&change.resource, row.id, draft));
        if let Some(field) = dangling(connection, pointers)? {
            return Ok(Verdict::Undo(Some(Changing::Dangling(field))));
        }
        if let Some(draft) = &edited.draft {
            words::of_changed(connection, &statements, &change.resource, row.id, draft, turn)?;
        }
    }
    match &edited.task {
        TaskStep::None => {}
        TaskStep::Begin(task) => operations::begin(connection, task)?,
        TaskStep::Finish(id) => operations::finish(connection, *id, edited.answer.as_ref(), change.now)?,
    }
    if let Some(keyed) = &change.keyed {
        kept_answers::keep(connection, keyed, edited.answer.as_ref())?;
    }
    Ok(Verdict::Keep(Some(Changing::Changed(row))))
}

/// Writes new rows with the statement for so many.
pub(super) fn insert<'a>(
    connection: &Connection,
    sql: &str,
    rows: impl IntoIterator<Item = &'a Creation>,
) -> rusqlite::Result<usize> {
    let mut insert = Filled::new(connection, sql)?;
    rows.into_iter().try_for_each(|row| bind(&mut insert, row))?;
    insert.execute()
}

/// The values of a new row, in the order of its statement.
fn bind(row: &mut Filled<'_>, creation: &Creation) -> rusqlite::Result<()> {
    let (draft, now) = (&creation.draft, to_micros(creation.now));
    row.bind(creation.id)?;
    row.bind(creation.revision.cast_signed())?;
    row.bind(&creation.owner)?;
    row.bind(now)?;
    row.bind(now)?;
    row.bind(&draft.document)?;
    draft.cells.iter().try_for_each(|cell| row.bind(Bound(&statement::folded(cell))))
}

/// Writes a row whose document changed. `is_known`: the columns are what the document said before. SQLite writes the index
/// of each column that is set, whatever its value was; so only those are set that change.
pub(super) fn update(
    connection: &Connection,
    statements: &Statements,
    of: &Resource,
    row: &Stored,
    draft: &Draft,
    is_known: bool,
) -> Result<Option<Taken>, StoreError> {
    let same = if is_known && draft.same_cells.len() == draft.cells.len() { &draft.same_cells[..] } else { &[] };
    let sql = if same.is_empty() { Cow::Borrowed(&*statements.update) } else { statements.update_but(same).into() };
    let cells = statement::stored(&draft.cells);
    let is_same = |place: usize| same.get(place).copied().unwrap_or(false);
    let cells: Vec<_> =
        cells.iter().enumerate().filter(|(place, _)| !is_same(*place)).map(|(_, cell)| Bound(cell)).collect();
    let (revision, task) = (row.revision.cast_signed(), row.task.map(|task| task.0));
    let at = to_micros(row.updated_at);
    let mut values: Vec<&dyn ToSql> = vec![&revision, &at, &task, &draft.document];
    values.extend(cells.iter().map(|cell| cell as &dyn ToSql));
    values.push(&row.id);
    taken(of, execute(connection, &sql, &values))
}

/// Writes a row of which only the task changed.
fn touch(connection: &Connection, statements: &Statements, row: &Stored) -> Result<(), StoreError> {
    let (revision, task) = (row.revision.cast_signed(), row.task.map(|task| task.0));
    let values: [&dyn ToSql; 4] = [&revision, &to_micros(row.updated_at), &task, &row.id];
    execute(connection, &statements.touch, &values).map_err(store_error)?;
    Ok(())
}

/// Which value was taken, if that is why a statement failed.
fn taken(of: &Resource, written: rusqlite::Result<usize>) -> Result<Option<Taken>, StoreError> {
    let error = match written {
        Ok(_) => return Ok(None),
        Err(error) => error,
    };
    if error.sqlite_error_code() != Some(ErrorCode::ConstraintViolation) {
        return Err(store_error(error));
    }
    // "UNIQUE constraint failed: r_users.f_email"
    let text = error.to_string();
    let column = text.rsplit('.').next().unwrap_or_default();
    if column == "id" {
        return Ok(Some(Taken::Id));
    }
    let unique = of.columns().iter().find(|unique| unique.unique && statement::column(&unique.field) == column);
    unique.map(|unique| Some(Taken::Field(unique.field.clone()))).ok_or_else(|| store_error(error))
}

/// The first field that points at a row that is not there, or not in sight.
pub(super) fn dangling<'a>(
    connection: &Connection,
    pointers: impl Iterator<Item = &'a Pointer>,
) -> Result<Option<String>, StoreError> {
    for pointer in pointers {
        if !is_declarable(&pointer.resource) {
            return Err(StoreError::Failed(format!("{:?} is no resource", pointer.resource)));
        }
        let select = format!("SELECT owner FROM \"{}\" WHERE id = ?1", table(&pointer.resource));
        let owner: Option<Option<String>> = connection
            .prepare_cached(&select)
            .and_then(|mut statement| statement.query_row([pointer.id], |row| row.get(0)).optional())
            .map_err(store_error)?;
        let is_there = owner.is_some_and(|owner| pointer.owner.is_none() || owner == pointer.owner);
        if !is_there {
            return Ok(Some(pointer.field.clone()));
        }
    }
    Ok(None)
}
