//! Lists that look like one that was asked for before: the ways to read them, and the statements, are written once. Values
//! are no part of how a list looks, which is told by its shape. What is kept has bounds. Knows no connection.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use sea_query::Value;
use valetkey_resources::model::Cell;
use valetkey_resources::ports::{By, Direction, Test};

use super::condition::named;
use super::seal::form;
use super::span::Edge;
use super::{Access, List, Path, Span, cell};

/// So many are kept. When there are more, all are forgotten: nobody asks for so many different ones but by chance.
const MOST: usize = 1_024;

/// A list by more values than this is written each time: there are as many of them as there are counts.
const VALUES: usize = 64;

/// What was written for lists, by their shapes.
pub(crate) struct Familiar<T>(RwLock<HashMap<Vec<u8>, T>>);

impl<T> Default for Familiar<T> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<T: Clone> Familiar<T> {
    /// What was written for a list of this shape.
    pub(crate) fn recall(&self, shape: &[u8]) -> Option<T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(shape).cloned()
    }

    /// Keeps it.
    pub(crate) fn keep(&self, shape: Vec<u8>, written: T) {
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(shape, written);
    }
}

/// The ways to read a stretch.
pub(crate) type Ways = Arc<[Path]>;

impl Familiar<Ways> {
    /// The ways to read a stretch of a list.
    pub(crate) fn paths(&self, list: &List<'_>, span: &Span) -> Ways {
        let Some(shape) = list.shape(std::slice::from_ref(span)) else { return list.paths(span).into() };
        if let Some(paths) = self.recall(&shape) {
            return paths;
        }
        let paths: Ways = list.paths(span).into();
        self.keep(shape, paths.clone());
        paths
    }
}

impl List<'_> {
    /// All that decides how the statements for these stretches are written. None if words do, which differ from list to list, or
    /// if it goes by many values.
    pub(crate) fn shape(&self, spans: &[Span]) -> Option<Vec<u8>> {
        let values = self.plan.conditions.iter().map(|condition| match &condition.test {
            Test::AnyOf(cells) | Test::NoneOf(cells) => cells.len(),
            Test::Above(_) | Test::AtLeast(_) | Test::Below(_) | Test::AtMost(_) => 1,
        });
        if !self.plan.search.is_empty() || self.plan.in_sight.is_some() || values.sum::<usize>() > VALUES {
            return None;
        }
        let mut shape = Vec::with_capacity(160);
        shape.extend_from_slice(&form(self.of).to_le_bytes());
        shape.extend_from_slice(self.of.name.as_bytes());
        shape.extend_from_slice(&[0, u8::from(self.sight.owner.is_some())]);
        let place = self.sight.under.map_or(usize::MAX, |(place, _)| place);
        shape.extend_from_slice(&place.to_le_bytes());
        for condition in &self.plan.conditions {
            let (kind, cells) = match &condition.test {
                Test::AnyOf(cells) => (1, &cells[..]),
                Test::NoneOf(cells) => (2, &cells[..]),
                Test::Above(_) => (3, &[][..]),
                Test::AtLeast(_) => (4, &[][..]),
                Test::Below(_) => (5, &[][..]),
                Test::AtMost(_) => (6, &[][..]),
            };
            shape.push(kind);
            by(condition.by, &mut shape);
            let somethings = cells.iter().filter(|cell| **cell != Cell::Null).count();
            shape.extend_from_slice(&cells.len().to_le_bytes());
            shape.extend_from_slice(&somethings.to_le_bytes());
        }
        for key in &self.keys {
            shape.push(if key.direction == Direction::Up { 7 } else { 8 });
            by(key.by, &mut shape);
        }
        for span in spans {
            shape.extend(span.equal.iter().map(|cell| if *cell == Cell::Null { 9 } else { 10 }));
            shape.push(match &span.beyond {
                None => 11,
                Some(Edge::Something) => 12,
                Some(Edge::Nothing) => 13,
                Some(Edge::After(_)) => 14,
            });
        }
        Some(shape)
    }

    /// The values of the statement that [`List::rows`] writes, in its order. None where something does not fit: whoever
    /// writes the statement tells what.
    pub(crate) fn values(&self, span: &Span, access: Access, limit: u64) -> Option<Vec<Value>> {
        let mut values = Vec::with_capacity(8);
        values.extend(self.sight.owner.clone().map(|owner| Value::String(Some(owner))));
        values.extend(self.sight.under.map(|(_, above)| Value::Uuid(Some(above))));
        for condition in &self.plan.conditions {
            let (_, kind) = named(self.of, condition.by).ok()?;
            let mut bind = |cell: &Cell| {
                values.push(cell::fits(cell, kind).then(|| cell::value(cell, kind))?);
                Some(())
            };
            match &condition.test {
                // Whether it is nothing is asked in words.
                Test::AnyOf(cells) | Test::NoneOf(cells) => {
                    cells.iter().filter(|cell| **cell != Cell::Null).try_for_each(bind)?;
                }
                Test::Above(cell) | Test::AtLeast(cell) | Test::Below(cell) | Test::AtMost(cell) => bind(cell)?,
            }
        }
        for (key, cell) in self.keys.iter().zip(&span.equal).filter(|(_, cell)| **cell != Cell::Null) {
            values.push(cell::value(cell, key.kind));
        }
        if let Some(Edge::After(cell)) = &span.beyond {
            values.push(cell::value(cell, self.keys[span.equal.len()].kind));
        }
        values.push(Value::BigUnsigned(Some(limit)));
        if access == Access::Sort {
            values.push(Value::BigUnsigned(Some(0)));
        }
        Some(values)
    }
}

fn by(by: By, into: &mut Vec<u8>) {
    let number = match by {
        By::Id => 0,
        By::Relevance => 1,
        By::Column(place) => place.saturating_add(2),
    };
    into.extend_from_slice(&number.to_le_bytes());
}

/// Three lists of orders that look alike.
#[cfg(test)]
pub(crate) fn alike(orders: &valetkey_resources::model::Resource) -> [valetkey_resources::ports::ListPlan; 3] {
    use valetkey_resources::ports::{Condition, ListPlan, Order, Place, Window};

    let [currency, amount] = ["currency", "amount"].map(|name| By::Column(orders.column(name).unwrap()));
    [("EUR", Cell::Integer(7)), ("USD", Cell::Integer(900)), ("ISK", Cell::Null)].map(|(value, least)| ListPlan {
        conditions: vec![
            Condition { by: currency, test: Test::AnyOf(vec![Cell::Text(value.to_owned()), Cell::Null]) },
            Condition { by: amount, test: Test::AtLeast(least) },
        ],
        order: [amount, By::Id].map(|by| Order { by, direction: Direction::Down }).to_vec(),
        in_sight: None,
        search: Vec::new(),
        window: Window::Beside { position: None, place: Place::After, limit: 20 },
    })
}
