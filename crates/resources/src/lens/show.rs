//! How each field of a version is made from what is stored, worked out once: most are only called otherwise, and need not be
//! read to be shown.

use serde_json::Value;

use super::table::{ColumnOf, Lens};
use super::turn::Turn;

/// Where a field of a version comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Show {
    /// A stored field, as it is.
    As(String),
    /// A stored field with other words, each as JSON text: stored, and shown. What is not listed is shown as it is.
    Words(String, Vec<(String, String)>),
    /// A stored field whose values are written otherwise.
    Turned(ColumnOf),
    /// A part of a field, or several together.
    Mixed,
}

impl Show {
    pub(super) fn of(lens: &Lens, name: &str) -> Self {
        let Some(column) = lens.column(name) else { return Self::Mixed };
        if column.is_plain() {
            return Self::As(column.field.clone());
        }
        let mut words = Vec::new();
        for turn in lens.turns_of(column) {
            let Turn::Reword { down, .. } = turn else { return Self::Turned(column.clone()) };
            words.extend(down.iter().map(|(from, _)| from.clone()));
        }
        // A word of a later step may be none of the first; what it becomes on the whole way is what counts.
        let shown = words.into_iter().map(|from: Value| (from.to_string(), lens.shown(column, from).to_string()));
        Self::Words(column.field.clone(), shown.collect())
    }
}
