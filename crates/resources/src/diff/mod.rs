//! What a client notices between two states of an API: changes, judged by rules that have names. Knows neither files nor
//! terminals.
//!
//! | module | what it owns |
//! |---|---|
//! | [`rule`] | the rules, as a table |
//! | [`Finding`] | one change, the rule it falls under, the lens that absorbs it |
//! | [`surface`] | what clients see of one version |
//! | [`declared`] | two surfaces |
//! | `schema` | two JSON Schemas |
//! | [`openapi`] | two OpenAPI documents |
//! | [`Edition`] | a version with what its clients see; two sets of them |
//! | [`Input`] | declaration or document? |
//! | [`lock`] | what was promised |
//! | [`report`] | findings as JSON, SARIF, Markdown |

pub mod declared;
mod edition;
mod finding;
mod input;
pub mod lock;
pub mod openapi;
pub mod report;
pub mod rule;
mod schema;
pub mod surface;
#[cfg(test)]
mod tests;

pub use edition::{Edition, compare as compare_editions, editions};
pub use finding::{Counts, Finding};
pub use input::{Input, InputError, compare};
pub use rule::{RULES, Rule, Severity};
