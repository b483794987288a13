//! Under which declaration a table is read and written, told by the names of two columns that hold nothing.
//!
//! Statements name them. Once a newer declaration has taken a table over, they have other names, and a statement of a
//! node that has the earlier one fails where it would have misread a row or spoilt one. No check could come too early or
//! too late: the engine's own lock on a table that changes is what keeps the two apart.

use sea_query::{Alias, Expr, ExprTrait};
use valetkey_resources::model::{Ownership, Resource};

use super::{Dialect, digest, table};

/// The two names for a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seal {
    /// Of the table.
    pub(crate) table: String,
    /// For whoever reads: the version of the API that rows are stored as.
    pub(crate) read: String,
    /// For whoever writes: that version, and all that is kept beside the document.
    pub(crate) write: String,
}

impl Seal {
    /// That of a resource.
    pub(crate) fn of(resource: &Resource) -> Self {
        Self { table: table(&resource.name), read: read_seal(resource), write: format!("w_{:016x}", form(resource)) }
    }

    /// What makes a table have this seal, given the seals that it has. Nothing where it has it already.
    pub(crate) fn changes(&self, dialect: Dialect, present: &[String]) -> Vec<String> {
        let kind = if dialect == Dialect::Postgres { "smallint" } else { "INTEGER" };
        let mut changes = Vec::new();
        for wanted in [&self.read, &self.write] {
            let mut alike = present.iter().filter(|name| name[..2] == wanted[..2]);
            if present.contains(wanted) {
                continue;
            }
            changes.push(match alike.next() {
                Some(other) => format!("ALTER TABLE \"{}\" RENAME COLUMN \"{other}\" TO \"{wanted}\"", self.table),
                None => format!("ALTER TABLE \"{}\" ADD COLUMN \"{wanted}\" {kind}", self.table),
            });
        }
        changes
    }

    /// Do these columns have it?
    pub(crate) fn is_on(&self, present: &[String]) -> bool {
        present.contains(&self.read) && present.contains(&self.write)
    }
}

/// The name for whoever reads.
pub(super) fn read_seal(of: &Resource) -> String {
    format!("v_{}", of.stored_as)
}

/// An expression without a value that names the seal: for statements that read no row, or only its columns.
pub(super) fn unbroken(of: &Resource) -> Expr {
    Expr::cust(format!("(SELECT \"{0}\".\"{1}\" FROM \"{0}\" LIMIT 0)", table(&of.name), read_seal(of)))
}

/// A condition that always holds and names a column of the table. Not for lists: a planner would take it for a filter.
pub(super) fn holds(of: &Resource, seal: &str) -> Expr {
    Expr::col((Alias::new(table(&of.name)), Alias::new(seal))).is_null()
}

/// One number for all of a declaration that decides how a row is written.
pub(super) fn form(of: &Resource) -> u64 {
    let owned = [u8::from(of.ownership == Ownership::Own)];
    let version = of.stored_as.to_le_bytes();
    digest(version.into_iter().chain(owned).chain(of.layout().iter().copied()))
}

#[cfg(test)]
mod tests;
