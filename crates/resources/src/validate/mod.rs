//! Is this a body that may become a row? Knows the declaration, not the store: what must be unique or must exist is
//! decided there.

mod code;
mod compose;
mod faults;
mod rules;
mod spread;
#[cfg(test)]
mod tests;

pub use compose::{Ground, Stamps};
pub use faults::Faults;
pub use rules::{RuleError, Rules};
