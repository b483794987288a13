//! Two surfaces of a declared API: what a client of the older one would notice, with the lens that would spare it the
//! change.
//!
//! | module | what it owns |
//! |---|---|
//! | `resources` | which resources came, went, or have a new name |
//! | `operations` | operations and actions |
//! | `fields` | which fields came, went, moved, or have a new name |
//! | `field` | one field that is on both sides |
//! | `lens` | the items for `changes:`, as YAML |

mod field;
mod fields;
pub(super) mod lens;
mod operations;
mod resources;
#[cfg(test)]
pub(super) mod tests;

use super::finding::{Finding, in_order};
use super::rule;
use super::surface::Surface;

/// Everything that a client of the older surface would notice, the worst first.
pub fn compare(old: &Surface, new: &Surface) -> Vec<Finding> {
    let mut found = Vec::new();
    if old.name != new.name {
        let told = format!(
            "The API is called `{}`, not `{}`: `application/vnd.{}+json` is unknown.",
            new.name, old.name, old.name
        );
        found.push(Finding::new(&rule::MEDIA_TYPE_REMOVED, "api", told));
    }
    if old.authentication != new.authentication {
        let told = format!("Clients authenticate by `{}`, not by `{}`.", new.authentication, old.authentication);
        found.push(Finding::new(&rule::AUTHENTICATION_CHANGED, "api", told));
    }
    for scope in old.scopes.difference(&new.scopes) {
        found.push(Finding::new(
            &rule::SCOPE_REMOVED,
            format!("scopes.{scope}"),
            format!("The scope `{scope}` is gone."),
        ));
    }
    for scope in new.scopes.difference(&old.scopes) {
        found.push(Finding::new(&rule::SCOPE_ADDED, format!("scopes.{scope}"), format!("There is a scope `{scope}`.")));
    }
    resources::compare(old, new, &mut found);
    in_order(found)
}
