//! How rows, lists and tasks look from outside: JSON text, written in the order of the declaration.

mod fields;
mod list;
mod members;
mod phrases;
mod rights;
mod row;
mod task;

pub(crate) use fields::Fields;
pub use list::{ListView, Meta};
pub use phrases::Phrases;
pub use row::{Included, Row, Seen};
pub use task::task;
