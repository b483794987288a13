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
    /// A member of a stored object.
    Member(String, String),
    /// A stored object without these members. Whether it is nothing once it has lost the last one.
    Without(String, Vec<String>, bool),
    /// Something else: the document must be turned.
    Mixed,
}

impl Show {
    pub(super) fn of(lens: &Lens, name: &str) -> Self {
        let Some(column) = lens.column(name) else { return Self::part(lens, name).unwrap_or(Self::Mixed) };
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

    /// A member that was moved into an object, or an object that members were moved into; none if more was done to it.
    fn part(lens: &Lens, name: &str) -> Option<Self> {
        let mut path = vec![name.to_owned()];
        let (mut holes, mut is_nullable) = (Vec::new(), false);
        for turn in lens.all_turns().iter().rev() {
            match turn {
                Turn::Rename { older, newer } if path[0] == *older => path[0].clone_from(newer),
                Turn::Retype { field, .. } | Turn::Reword { field, .. } | Turn::Constant { field, .. }
                    if path[0] == *field =>
                {
                    return None;
                }
                Turn::Move { older, newer, .. } if *older == path => path.clone_from(newer),
                Turn::Move { newer, is_nullable: may_be, .. } if path.len() == 1 && newer[0] == path[0] => {
                    let [_, hole] = newer.as_slice() else { return None };
                    holes.push(hole.clone());
                    is_nullable |= may_be;
                }
                Turn::Move { older, newer, .. } if older[0] == path[0] || newer[0] == path[0] => return None,
                _ => {}
            }
        }
        match (path.as_slice(), holes.is_empty()) {
            ([field], false) => Some(Self::Without(field.clone(), holes, is_nullable)),
            ([field, member], true) => Some(Self::Member(field.clone(), member.clone())),
            _ => None,
        }
    }
}
