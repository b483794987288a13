//! A part of a list from the rows that an engine found.

use valetkey_oauth::ports::StoreError;
use valetkey_resources::ports::{By, ListPlan, Listing, Place, Stored, Window};

use crate::statement::List;

/// The part of the list that was asked for. `rows` are in the order they were read, one more than `limit` if there are more.
pub(crate) fn listing(
    list: &List<'_>,
    plan: &ListPlan,
    mut rows: Vec<Stored>,
    limit: u32,
) -> Result<Listing, StoreError> {
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    if matches!(plan.window, Window::Beside { place: Place::Before, .. }) {
        rows.reverse();
    }
    let by_relevance = plan.order.first().is_some_and(|order| order.by == By::Relevance);
    let ends = match (rows.first(), rows.last()) {
        (Some(first), Some(last)) if !by_relevance => Some((list.position(first)?, list.position(last)?)),
        _ => None,
    };
    Ok(Listing::Rows { rows, more, ends })
}
