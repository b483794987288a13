//! `sort=`: declared keys, and the id last so that no two rows are equal.

use valetkey_rest::FieldCode;
use valetkey_rest::page::Paging;
use valetkey_rest::query::ListQuery;

use super::Refused;
use super::refused::one_of;
use crate::ports::{By, Direction, Order};
use crate::service::Served;

/// The order that a query means.
pub(super) fn order(served: &Served, query: &ListQuery, refused: &mut Refused) -> Vec<Order> {
    let of = &served.face;
    let mut order: Vec<Order> = Vec::with_capacity(query.sort.len() + 1);
    for (place, key) in query.sort.iter().enumerate() {
        let direction = if key.descending { Direction::Down } else { Direction::Up };
        match key.field.as_str() {
            "id" => order.push(Order { by: By::Id, direction }),
            "relevance" if of.field("relevance").is_none() => match relevance(query, place, refused.has_no_page()) {
                Ok(()) => order.push(Order { by: By::Relevance, direction }),
                Err(told) => refused.add("sort", FieldCode::InvalidValue, told),
            },
            name => match of.key(name).filter(|field| field.sort).and_then(|_| served.column(name)) {
                Some(column) => order.push(Order { by: By::Column(column), direction }),
                None => {
                    let known = of.keys().filter(|field| field.sort).map(|field| field.name.as_str());
                    let known = one_of(name, ["id"].into_iter().chain(known));
                    refused.add("sort", FieldCode::InvalidValue, format!("`{name}` is no key to sort by. {known}"));
                }
            },
        }
    }
    // What comes after the id decides nothing.
    if let Some(id) = order.iter().position(|key| key.by == By::Id) {
        order.truncate(id + 1);
    } else {
        // The same direction as the key before it: then one index serves both.
        let direction =
            order.last().filter(|last| last.by != By::Relevance).map_or(Direction::Up, |last| last.direction);
        order.push(Order { by: By::Id, direction });
    }
    order
}

fn relevance(query: &ListQuery, place: usize, has_no_page: bool) -> Result<(), &'static str> {
    if query.q.as_deref().is_none_or(|q| q.trim().is_empty()) {
        return Err("Only what was searched with `q` can be sorted by relevance.");
    }
    if matches!(query.paging, Paging::Cursor { .. }) && !has_no_page {
        return Err("`relevance` needs `page` or `offset`: it has no position that a cursor could hold.");
    }
    if place > 0 { Err("`relevance` can only be the first key.") } else { Ok(()) }
}
