//! The ways in which SQLite can find the rows of a list. It is told the index, because its planner does not know that a list
//! ends after a few rows.

use std::sync::{Arc, OnceLock};

use sea_query::{Condition as Where, Expr, ExprTrait, Query, SelectStatement, Value};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Cell, Ownership};
use valetkey_resources::ports::{By, ListPlan, Test};

use super::condition::{named, on};
use super::list::counted;
use super::{Access, List, Span, index, owner_index, table};

/// No more conditions than this are tried for the index they have.
const MOST_PATHS: usize = 5;

/// So many rows can be looked up and sorted in the time that a list has.
pub(crate) const SORTABLE: u64 = 12_000;

/// One way.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    /// What is done.
    pub(crate) access: Access,
    /// The index to go along; none leaves the choice to the planner.
    pub(crate) index: Option<String>,
    /// By what it finds the rows that it sorts; none if it goes along the order.
    pub(crate) found: Option<Found>,
    /// Is everything that decides in the index? Then sorting what it finds takes a tenth of the time.
    pub(crate) is_covered: bool,
    /// The statement that reads it, once it was written; none inside if it has to be written anew each time.
    pub(crate) text: OnceLock<Option<Arc<str>>>,
}

/// What an index finds rows by. Holds no values: it is the same for all lists that look alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// What they are equal in: the key at this depth.
    Key(usize),
    /// All conditions on this column.
    Tested(By),
    /// The row above them.
    Under(usize),
    /// Their owner.
    Owner,
}

impl Path {
    /// The index to name; an empty name stands for none at all, so that rows are looked up by what is found elsewhere.
    pub(crate) fn along(&self) -> Option<&str> {
        if self.access == Access::Words { Some("") } else { self.index.as_deref() }
    }

    fn new(access: Access, index: Option<String>) -> Self {
        Self { access, index, found: None, is_covered: false, text: OnceLock::new() }
    }
}

impl List<'_> {
    /// The ways in which SQLite can read a stretch, the likeliest first. What the planner likes comes first unless there are
    /// words: those it takes for rare.
    pub(crate) fn paths(&self, span: &Span) -> Vec<Path> {
        let mut paths = vec![Path::new(Access::Walk, self.walked(span))];
        if !self.is_whole() && self.plan.search.is_empty() {
            paths.insert(0, Path::new(Access::Free, None));
        }
        let mut sorted: Vec<(String, Found)> = Vec::new();
        for (depth, key) in self.keys.iter().enumerate().take(span.equal.len()) {
            if let Some(index) = self.index_of(key.by) {
                sorted.push((index, Found::Key(depth)));
            }
        }
        sorted.extend(self.conditions());
        sorted.sort_by(|one, other| one.0.cmp(&other.0));
        sorted.dedup_by(|one, other| one.0 == other.0);
        let is_covered = selective(self.plan).any(|by| self.is_within(by));
        paths.extend(sorted.into_iter().map(|(index, found)| Path {
            found: Some(found),
            is_covered,
            ..Path::new(Access::Sort, Some(index))
        }));
        paths
    }

    /// What asks how many rows a path finds and sorts, counted no further than [`SORTABLE`].
    pub(crate) fn size(&self, span: &Span, found: Found) -> Result<SelectStatement, StoreError> {
        let whole = match found {
            Found::Key(depth) => Where::all().add(Self::is_equal(&self.keys[depth], &span.equal[depth])),
            Found::Tested(by) => on(self.of, by, self.plan)?,
            Found::Under(place) => {
                let (name, _) = named(self.of, By::Column(place))?;
                let above = self.sight.under.map(|(_, above)| above);
                Where::all().add(Expr::col(name).eq(Expr::val(Value::Uuid(above))))
            }
            Found::Owner => Where::all().add(Expr::col("owner").eq(Expr::val(Value::String(self.sight.owner.clone())))),
        };
        let mut select = Query::select();
        select.expr(Expr::cust("1")).from(table(&self.of.name)).cond_where(whole).limit(SORTABLE + 1);
        Ok(counted(select))
    }

    /// The way that sorts what the words of a search find. Good only if one of them is rare.
    pub(crate) fn by_words() -> Path {
        Path::new(Access::Words, None)
    }

    /// The indexes that find rows by what the list asks of them, each with what it finds them by.
    pub(crate) fn conditions(&self) -> Vec<(String, Found)> {
        let mut found = Vec::new();
        for by in selective(self.plan) {
            found.extend(self.index_of(by).map(|index| (index, Found::Tested(by))));
        }
        if let Some((place, _)) = self.sight.under {
            found.extend(self.index_of(By::Column(place)).map(|index| (index, Found::Under(place))));
        }
        if self.sight.owner.is_some() && self.of.ownership == Ownership::Own {
            found.push((owner_index(&self.of.name), Found::Owner));
        }
        found.truncate(MOST_PATHS);
        found
    }

    /// The index in whose order the rows of a stretch come, as far as one has it.
    pub(super) fn walked(&self, span: &Span) -> Option<String> {
        let depth = span.equal.len();
        // Among equals in a column, its own index goes by id.
        let by = if self.keys[depth].by == By::Id && depth > 0 { self.keys[depth - 1].by } else { self.keys[depth].by };
        self.index_of(by)
    }

    /// The index of the last key that is equal in a group.
    pub(super) fn grouped(&self, equal: &[Cell]) -> Option<String> {
        self.index_of(self.keys[equal.len().checked_sub(1)?].by)
    }

    /// The index of a key.
    pub(super) fn keyed(&self, depth: usize) -> Option<String> {
        self.index_of(self.keys[depth].by)
    }

    fn index_of(&self, by: By) -> Option<String> {
        match by {
            By::Column(place) => {
                let column = self.of.columns().get(place).filter(|column| column.indexed)?;
                Some(index(&self.of.name, &column.field))
            }
            By::Id => Some(format!("sqlite_autoindex_{}_1", table(&self.of.name))),
            By::Relevance => None,
        }
    }
}

/// The columns of conditions that an index can find the rows of.
fn selective(plan: &ListPlan) -> impl Iterator<Item = By> + '_ {
    let by_index = |test: &Test| match test {
        Test::AnyOf(cells) => !cells.is_empty() && (!cells.contains(&Cell::Null) || cells.len() == 1),
        Test::NoneOf(_) => false,
        Test::Above(_) | Test::AtLeast(_) | Test::Below(_) | Test::AtMost(_) => true,
    };
    plan.conditions.iter().filter(move |condition| by_index(&condition.test)).map(|condition| condition.by)
}
