//! Declared resources become routes. Knows neither tokens nor tables: who calls comes in from outside, and rows are kept
//! behind ports.
//!
//! | module | what it owns |
//! |---|---|
//! | [`model`] | an API as it was declared: resources, fields, scopes, actions, and the columns that follow from them |
//! | [`ports`] | what is asked of a store, as transitions with outcomes |

pub mod model;
pub mod ports;
mod scope;
pub mod shop;

pub use scope::DeclaredScope;
