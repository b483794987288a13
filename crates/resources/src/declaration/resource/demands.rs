//! Which operations a resource offers, and what they demand of a request.

use super::read_operations;
use crate::declaration::report::Report;
use crate::declaration::spot::Spot;
use crate::declaration::yaml::Tree;
use crate::model::{Operation, Resource};

/// Operations on a row that is there already: they can be tied to a revision of it.
const ON_A_ROW: [Operation; 4] = [Operation::Replace, Operation::Update, Operation::Delete, Operation::Act];
/// Operations that are `POST`.
const POSTS: [Operation; 2] = [Operation::Create, Operation::Act];

/// Reads `operations` and `require`.
pub(super) fn read(spot: &Spot<'_>, resource: &mut Resource, report: &mut Report) {
    if let Some(offered) = spot.get("operations") {
        resource.operations = read_operations(&offered, &Operation::ALL, report);
        if resource.operations.is_empty() && matches!(&offered.node.tree, Tree::List(items) if items.is_empty()) {
            offered.wrong("No operation is left. Name at least one, or remove `operations` for all of them.", report);
        }
    }
    // Whoever declares an action wants it; without one there is nothing to offer.
    resource.operations.retain(|operation| *operation != Operation::Act);
    if !resource.actions.is_empty() {
        resource.operations.push(Operation::Act);
    }
    if resource.put_creates && !resource.offers(Operation::Replace) {
        let message = "`PUT` is not offered, so it creates nothing. Add `replace` to `operations`.";
        spot.find(&["put_creates"]).doubtful(message, None, report);
    }
    let Some(require) = spot.get("require") else { return };
    require.keys("`require`", &["if_match", "idempotency_key"], report);
    let mut demand = |key: &str, possible: &[Operation]| {
        let demanded = require.get(key).map(|list| (read_operations(&list, possible, report), list));
        let (operations, list) = demanded?;
        for missing in operations.iter().filter(|operation| !resource.offers(**operation)) {
            list.doubtful(
                format!("`{}` is not offered, so nothing is required of it.", missing.as_str()),
                None,
                report,
            );
        }
        Some(operations)
    };
    let if_match = demand("if_match", &ON_A_ROW).unwrap_or_default();
    let idempotency_key = demand("idempotency_key", &POSTS).unwrap_or_default();
    resource.needs_if_match = if_match;
    resource.needs_idempotency_key = idempotency_key;
}
