//! Comparisons by what a version shows, where that is a count of seconds or milliseconds, and what is stored is finer: one
//! number stands for all moments that are shown as it.

use valetkey_rest::query::FilterOp;

use crate::model::{Cell, Codec, ColumnKind, Field};
use crate::ports::Test;

/// What a version counts moments in: so many microseconds.
pub(super) struct Unit(i64);

impl Unit {
    /// The unit of a field; none where its values are no counts. `kind` is that of the column.
    pub(super) fn of(field: &Field, kind: ColumnKind) -> Option<Self> {
        let (codec, _) = field.rewritten.as_ref()?;
        let unit = match codec {
            Codec::Epoch => 1_000_000,
            Codec::EpochMillis => 1_000,
            _ => return None,
        };
        (kind == ColumnKind::Moment && ColumnKind::of(field) == Some(ColumnKind::Integer)).then_some(Self(unit))
    }

    /// What must stand in the column for a number to be shown that compares so. None where another one is wanted than this:
    /// that is compared with the moment at which it begins.
    pub(super) fn tests(&self, op: FilterOp, number: &Cell) -> Option<Vec<Test>> {
        let Cell::Integer(number) = *number else { return None };
        let at = |number: i64| Cell::Moment(number.saturating_mul(self.0));
        // What is finer is cut off, towards 1970: before it, a number stands for the moments up to its own.
        let from = if number > 0 { Test::AtLeast(at(number)) } else { Test::Above(at(number - 1)) };
        let to = if number >= 0 { Test::Below(at(number + 1)) } else { Test::AtMost(at(number)) };
        Some(match op {
            FilterOp::Eq | FilterOp::In => vec![from, to],
            FilterOp::Gte => vec![from],
            FilterOp::Lte => vec![to],
            FilterOp::Gt if number >= 0 => vec![Test::AtLeast(at(number + 1))],
            FilterOp::Gt => vec![Test::Above(at(number))],
            FilterOp::Lt if number > 0 => vec![Test::Below(at(number))],
            FilterOp::Lt => vec![Test::AtMost(at(number - 1))],
            FilterOp::Ne => return None,
        })
    }
}
