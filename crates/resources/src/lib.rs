//! Declared resources become routes. Knows neither tokens nor tables: who calls comes in from outside, and rows are kept
//! behind ports.
//!
//! | module | what it owns |
//! |---|---|
//! | [`declaration`] | the YAML file that declares an API, with all that can be wrong in it |
//! | [`model`] | an API as it was declared: resources, fields, scopes, actions, and the columns that follow from them |
//! | [`ports`] | what is asked of a store, as transitions with outcomes |
//! | [`shop`] | the demonstration API |

pub mod declaration;
pub mod model;
pub mod ports;
pub mod shop;
