//! New rows of one resource that share a commit share a statement, too. Where something stands in the way of one of them, it is
//! left for [`writing`](crate::sqlite::writing) to do.

use std::slice;
use std::sync::Arc;

use rusqlite::Connection;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::ports::{Creating, Creation};

use crate::backlog::{LARGE, Turn};
use crate::sqlite::bound::written;
use crate::sqlite::connection::{Verdict, Work};
use crate::sqlite::{kept_answers, store_error, words, writing};
use crate::statement::{Book, Statements};

/// Makes a row.
pub(in crate::sqlite) struct Create {
    book: Arc<Book>,
    creation: Creation,
    turn: Turn,
}

impl Work for Create {
    type Outcome = Creating;

    fn alone(&self, connection: &Connection) -> Result<Verdict<Creating>, StoreError> {
        writing::create(connection, &self.statements(), &self.creation, &self.turn)
    }

    fn goes_with(&self, next: &Self) -> bool {
        let (one, other) = (&self.creation, &next.creation);
        let is_alike = Arc::ptr_eq(&one.resource, &other.resource) && one.keyed.is_some() == other.keyed.is_some();
        is_alike && self.has_company() && next.has_company()
    }

    fn at_once(all: &[&Self], connection: &Connection) -> Result<Option<Vec<Creating>>, StoreError> {
        let Some(statements) = all.first().map(|first| first.statements()) else { return Ok(None) };
        let mut outcomes = Vec::with_capacity(all.len());
        while let rest @ [first, ..] = &all[outcomes.len()..] {
            let (some, made) = match statements.insert_all.up_to(rest.len()) {
                Some((count, sql)) => (&rest[..count], make_all(connection, &statements, sql, &rest[..count])?),
                None => (slice::from_ref(first), Some(0)),
            };
            let Some(made) = made else { return Ok(None) };
            outcomes.extend((0..made).map(|_| Creating::Created));
            for Create { creation, turn, .. } in &some[made..] {
                let made = writing::create(connection, &statements, creation, turn)?;
                let Verdict::Keep(outcome) = made else { return Ok(None) };
                outcomes.push(outcome);
            }
        }
        Ok(Some(outcomes))
    }
}

impl Create {
    pub(in crate::sqlite) fn new(book: &Arc<Book>, creation: Creation) -> Self {
        Self { book: book.clone(), creation, turn: Turn::default() }
    }

    /// Looked up where they are used: what waits for its words is counted there.
    fn statements(&self) -> Arc<Statements> {
        self.book.of(&self.creation.resource)
    }

    /// May it be made at once with others? The words of a large row are written with it, which is only right where no other's may
    /// have been before; and a row that points at one of its own resource must not find one that comes after it.
    fn has_company(&self) -> bool {
        let Creation { resource, draft, .. } = &self.creation;
        draft.document.len() <= LARGE && draft.pointers.iter().all(|pointer| pointer.resource != resource.name)
    }
}

/// Makes these rows with one statement: so many of them, from the first on, as nothing stood in the way of. Of the others there
/// is no trace. None if one of those that were made must not be there.
fn make_all(
    connection: &Connection,
    statements: &Statements,
    sql: &str,
    some: &[&Create],
) -> Result<Option<usize>, StoreError> {
    let creations = some.iter().map(|create| &create.creation);
    let keys: Vec<_> = creations.clone().filter_map(|creation| creation.keyed.as_ref()).collect();
    let claimed = kept_answers::claim_all(connection, &keys)?;
    let made = if claimed < keys.len() {
        0
    } else {
        written(connection, writing::insert(connection, sql, creations.clone())).map_err(store_error)?
    };
    creations.clone().take(claimed).skip(made).try_for_each(|creation| writing::release(connection, creation))?;
    if writing::dangling(connection, creations.take(made).flat_map(writing::pointers))?.is_some() {
        return Ok(None);
    }
    let rows: Vec<_> = some[..made].iter().map(|create| (&create.creation, &create.turn)).collect();
    words::of_new(connection, statements, &rows)?;
    Ok(Some(made))
}

#[cfg(test)]
mod tests;
