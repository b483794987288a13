//! An API as it was declared, after every check. Immutable: it is read once, at start.

mod action;
mod api;
mod column;
mod field;
mod operation;
mod resource;
mod version;

pub use action::{Action, Handler};
pub use api::{Api, Limits, Scope};
pub use column::{Cell, Column, ColumnKind, LAST, MOST_WORDS, moment, words};
pub use field::{Field, OnDelete, Reference, Stamp};
pub use operation::{Operation, Scopes};
pub use resource::{Ownership, Parent, Resource};
pub use version::{Change, Codec, Gone, Step, Version};
