//! The ways in which SQLite can find the rows of a list. It is told the index, because its planner does not know that a list
//! ends after a few rows.

use valetkey_resources::model::{Cell, Ownership};
use valetkey_resources::ports::{By, ListPlan, Test};

use super::{Access, List, Span, index, owner_index, table};

/// No more conditions than this are tried for the index they have.
const MOST_PATHS: usize = 5;

/// One way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Path {
    /// What is done.
    pub(crate) access: Access,
    /// The index to go along; none leaves the choice to the planner.
    pub(crate) index: Option<String>,
}

impl List<'_> {
    /// The ways in which SQLite can read a stretch, the likeliest first.
    pub(crate) fn paths(&self, span: &Span) -> Vec<Path> {
        let mut paths = vec![Path { access: Access::Walk, index: self.walked(span) }];
        if !self.is_whole() {
            paths.insert(0, Path { access: Access::Free, index: None });
        }
        let equals = self.keys.iter().take(span.equal.len()).map(|key| key.by);
        let mut sorted: Vec<_> = equals.filter_map(|by| self.index_of(by)).chain(self.conditions()).collect();
        sorted.sort();
        sorted.dedup();
        paths.extend(sorted.into_iter().map(|index| Path { access: Access::Sort, index: Some(index) }));
        if !self.plan.search.is_empty() {
            paths.push(Path { access: Access::Sort, index: None });
        }
        paths
    }

    /// The indexes that find rows by what the list asks of them.
    pub(crate) fn conditions(&self) -> Vec<String> {
        let mut found: Vec<_> = selective(self.plan).filter_map(|by| self.index_of(by)).collect();
        found.extend(self.sight.under.and_then(|(place, _)| self.index_of(By::Column(place))));
        if self.sight.owner.is_some() && self.of.ownership == Ownership::Own {
            found.push(owner_index(&self.of.name));
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
        Test::AnyOf(cells) => !cells.is_empty() && !cells.contains(&Cell::Null),
        Test::NoneOf(_) => false,
        Test::Above(_) | Test::AtLeast(_) | Test::Below(_) | Test::AtMost(_) => true,
    };
    plan.conditions.iter().filter(move |condition| by_index(&condition.test)).map(|condition| condition.by)
}
