//! Comparisons by what a version shows, where newer versions have other words for it: their order is not its own.

use std::cmp::Ordering;

use serde_json::Value;
use valetkey_rest::query::FilterOp;

use crate::model::{Cell, Codec, ColumnKind, Field};
use crate::ports::Test;
use crate::service::Served;

/// Each value that a version shows, and what stands in the column for it.
pub(super) struct Words(Vec<(Cell, Vec<Cell>)>);

impl Words {
    /// The words of a field; none where its values are no words, or those that are stored. `kind` is that of the column.
    pub(super) fn of(served: &Served, field: &Field, kind: ColumnKind) -> Option<Self> {
        let column = served.lens.key(&field.name).filter(|column| !column.is_plain())?;
        let listed = field.schema.get("enum").and_then(Value::as_array);
        let shown: Vec<&Value> = match (listed, &field.rewritten) {
            (Some(values), _) => values.iter().collect(),
            (None, Some((Codec::Map(pairs), _))) => pairs.iter().map(|(older, _)| older).collect(),
            (None, _) => return None,
        };
        let seen = ColumnKind::of(field)?;
        let each = shown.into_iter().map(|value| {
            let stored = served.lens.values_up(column, value.clone()).unwrap_or_default();
            (seen.cell(value), stored.iter().map(|stored| kind.cell(stored)).collect())
        });
        Some(Self(each.collect()))
    }

    /// What must stand in the column for a comparison to hold.
    pub(super) fn test(&self, op: FilterOp, limit: &Cell) -> Test {
        let holds = |shown: &Cell| match (op, order(shown, limit)) {
            (_, None) => false,
            (FilterOp::Gt, Some(order)) => order.is_gt(),
            (FilterOp::Gte, Some(order)) => order.is_ge(),
            (FilterOp::Lt, Some(order)) => order.is_lt(),
            (FilterOp::Lte, Some(order)) => order.is_le(),
            (FilterOp::Eq | FilterOp::In | FilterOp::Ne, Some(order)) => order.is_eq(),
        };
        Test::AnyOf(self.0.iter().filter(|(shown, _)| holds(shown)).flat_map(|(_, stored)| stored.clone()).collect())
    }
}

fn order(one: &Cell, other: &Cell) -> Option<Ordering> {
    match (one, other) {
        (Cell::Text(one), Cell::Text(other)) => Some(one.cmp(other)),
        (Cell::Integer(one), Cell::Integer(other)) | (Cell::Moment(one), Cell::Moment(other)) => Some(one.cmp(other)),
        (Cell::Number(one), Cell::Number(other)) => one.partial_cmp(other),
        _ => None,
    }
}
