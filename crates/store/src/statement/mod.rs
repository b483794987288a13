//! The one place where SQL about declared resources is written, for both engines. Every value is bound; names come from
//! the declaration. Knows no connection.

mod cell;
mod condition;
mod detour;
mod familiar;
mod habit;
mod list;
mod names;
mod path;
mod point;
mod schema;
mod seal;
mod several;
mod span;
mod spelling;
mod tour;
mod words;

pub(crate) use cell::{folded, stored, value};
pub(crate) use condition::Access;
pub(crate) use detour::{Detour, Way, detours};
#[cfg(test)]
pub(crate) use familiar::alike;
pub(crate) use familiar::{Familiar, Ways};
pub(crate) use habit::{Habit, Habits};
pub(crate) use list::List;
pub(crate) use names::{
    column, index, is_declarable, owner_index, search_draft, search_index, search_log, search_table, table,
    unique_index,
};
pub(crate) use path::{Path, SORTABLE};
pub(crate) use point::{Book, Statements};
pub(crate) use schema::{
    Index, Layout, add_column, create_laid_out, create_search, create_table, drop_column, indexes, indexes_laid_out,
};
pub(crate) use seal::Seal;
pub(crate) use several::Several;
pub(crate) use span::Span;
pub(crate) use tour::{Step, Tour};
pub(crate) use words::{HAS_WORDS, has_all, match_all, query_all, text, vector};

use names::digest;
use sea_query::{PostgresQueryBuilder, QueryStatementWriter, SqliteQueryBuilder, Values};

/// For which engine a statement is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// SQLite.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

impl Dialect {
    /// The text of a statement and the values of its placeholders.
    pub(crate) fn render(self, statement: &impl QueryStatementWriter) -> (String, Values) {
        match self {
            Self::Sqlite => statement.build(SqliteQueryBuilder),
            Self::Postgres => statement.build(PostgresQueryBuilder),
        }
    }
}
