//! Where users are kept: in memory, behind one lock, in the order of their ids. A change is decided while nobody else looks.

use std::{
    collections::BTreeMap,
    ops::Bound::{Excluded, Unbounded},
    sync::{Mutex, MutexGuard, PoisonError},
};

use uuid::Uuid;
use valetkey_rest::{FieldCode, FieldError, Problem, problem::catalogue};

use crate::user::User;

/// A user as it is kept.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) id: Uuid,
    /// Counts changes, from 1.
    pub(crate) revision: u64,
    pub(crate) user: User,
}

/// All users.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    rows: Mutex<BTreeMap<Uuid, Row>>,
}

/// Which rows of the list.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    /// The first ones after a row; from the beginning without one.
    After(Option<Uuid>),
    /// The last ones before a row.
    Before(Uuid),
    /// Those that come after so many.
    Skip(u64),
}

/// A part of the list, in its order.
pub(crate) struct Listing {
    pub(crate) rows: Vec<Row>,
    /// Rows before and after it.
    pub(crate) earlier: bool,
    pub(crate) later: bool,
    pub(crate) total: u64,
}

impl Shelf {
    pub(crate) fn create(&self, id: Uuid, user: User) -> Result<Row, Problem> {
        let mut rows = self.lock();
        unique(&rows, id, &user)?;
        let row = Row { id, revision: 1, user };
        rows.insert(id, row.clone());
        Ok(row)
    }

    pub(crate) fn find(&self, id: Uuid) -> Option<Row> {
        self.lock().get(&id).cloned()
    }

    /// Makes of a row what `edit` says, unless it refuses.
    pub(crate) fn change(&self, id: Uuid, edit: impl FnOnce(&Row) -> Result<User, Problem>) -> Result<Row, Problem> {
        let mut rows = self.lock();
        let row = rows.get(&id).ok_or_else(|| Problem::new(&catalogue::NOT_FOUND))?;
        let (user, revision) = (edit(row)?, row.revision + 1);
        // What changes nothing keeps its tag.
        if user == row.user {
            return Ok(row.clone());
        }
        unique(&rows, id, &user)?;
        let row = Row { id, revision, user };
        rows.insert(id, row.clone());
        Ok(row)
    }

    /// Takes a row away, unless `check` refuses.
    pub(crate) fn remove(&self, id: Uuid, check: impl FnOnce(&Row) -> Result<(), Problem>) -> Result<(), Problem> {
        let mut rows = self.lock();
        check(rows.get(&id).ok_or_else(|| Problem::new(&catalogue::NOT_FOUND))?)?;
        rows.remove(&id);
        Ok(())
    }

    pub(crate) fn list(&self, part: Part, limit: usize) -> Listing {
        let rows = self.lock();
        let found: Vec<Row> = match part {
            Part::After(from) => {
                rows.range((from.map_or(Unbounded, Excluded), Unbounded)).take(limit).map(row).collect()
            }
            Part::Before(to) => {
                let mut found: Vec<Row> = rows.range(..to).rev().take(limit).map(row).collect();
                found.reverse();
                found
            }
            Part::Skip(count) => {
                rows.iter().skip(usize::try_from(count).unwrap_or(usize::MAX)).take(limit).map(row).collect()
            }
        };
        let earlier = found.first().is_some_and(|first| rows.range(..first.id).next().is_some());
        let later = found.last().is_some_and(|last| rows.range((Excluded(last.id), Unbounded)).next().is_some());
        Listing { rows: found, earlier, later, total: rows.len() as u64 }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Uuid, Row>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn row((_, row): (&Uuid, &Row)) -> Row {
    row.clone()
}

fn unique(rows: &BTreeMap<Uuid, Row>, id: Uuid, user: &User) -> Result<(), Problem> {
    if rows.values().any(|other| other.id != id && other.user.email() == user.email()) {
        return Err(Problem::new(&catalogue::CONFLICT)
            .detail("Another user has this e-mail address.")
            .field(FieldError::new("email", FieldCode::NotUnique).pointer("/email")));
    }
    Ok(())
}
