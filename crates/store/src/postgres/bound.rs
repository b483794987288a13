//! Values on their way into PostgreSQL, and rows on their way out.

use std::borrow::Cow;
use std::error::Error;

use sea_query::{Value, Values};
use tokio_postgres::Row;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Cell, ColumnKind};
use valetkey_resources::ports::{Shown, Stored, TaskId};

use crate::row::Columns;

/// A cell as a parameter.
#[derive(Debug, PartialEq)]
pub(super) struct Bound(Cell);

impl Bound {
    /// The cells of a draft.
    pub(super) fn all(cells: Vec<Cell>) -> Vec<Self> {
        cells.into_iter().map(Self).collect()
    }
}

impl ToSql for Bound {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match &self.0 {
            Cell::Null => Ok(IsNull::Yes),
            Cell::Integer(number) | Cell::Moment(number) => number.to_sql_checked(kind, out),
            Cell::Number(number) => number.to_sql_checked(kind, out),
            Cell::Text(text) => without_zero(text).to_sql_checked(kind, out),
            Cell::Boolean(yes) => yes.to_sql_checked(kind, out),
            Cell::Id(id) => id.to_sql_checked(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// PostgreSQL's texts hold no zero byte. What stands for it keeps equality and order: `00` becomes `01 01`, and `01`
/// becomes `01 02`.
pub(super) fn without_zero(text: &str) -> Cow<'_, str> {
    if text.contains(['\0', '\u{1}']) {
        Cow::Owned(text.replace('\u{1}', "\u{1}\u{2}").replace('\0', "\u{1}\u{1}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The text again.
pub(super) fn with_zero(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1}' if letters.next() == Some('\u{1}') => whole.push('\0'),
            other => whole.push(other),
        }
    }
    whole
}

/// What stands in the first column of a row.
pub(super) fn cell(row: &Row, kind: ColumnKind) -> Cell {
    cell_at(row, 0, kind)
}

/// What stands in a column of a row.
pub(super) fn cell_at(row: &Row, place: usize, kind: ColumnKind) -> Cell {
    let cell = match kind {
        ColumnKind::Integer => row.get::<_, Option<i64>>(place).map(Cell::Integer),
        ColumnKind::Number => row.get::<_, Option<f64>>(place).map(Cell::Number),
        ColumnKind::Text => row.get::<_, Option<&str>>(place).map(|text| Cell::Text(with_zero(text))),
        ColumnKind::Boolean => row.get::<_, Option<bool>>(place).map(Cell::Boolean),
        ColumnKind::Moment => row.get::<_, Option<i64>>(place).map(Cell::Moment),
        ColumnKind::Id => row.get::<_, Option<Uuid>>(place).map(Cell::Id),
    };
    cell.unwrap_or(Cell::Null)
}

/// The values of a statement as parameters with their types.
pub(super) fn parameters(values: Values) -> Result<Vec<(Bound, Type)>, StoreError> {
    values.0.into_iter().map(parameter).collect()
}

fn parameter(value: Value) -> Result<(Bound, Type), StoreError> {
    let (cell, kind) = match value {
        Value::Bool(yes) => (yes.map(Cell::Boolean), Type::BOOL),
        Value::BigInt(number) => (number.map(Cell::Integer), Type::INT8),
        Value::BigUnsigned(number) => {
            (number.map(|number| Cell::Integer(i64::try_from(number).unwrap_or(i64::MAX))), Type::INT8)
        }
        Value::Double(number) => (number.map(Cell::Number), Type::FLOAT8),
        Value::String(text) => (text.map(Cell::Text), Type::TEXT),
        Value::Uuid(id) => (id.map(Cell::Id), Type::UUID),
        other => return Err(StoreError::Failed(format!("no parameter for {other:?}"))),
    };
    Ok((Bound(cell.unwrap_or(Cell::Null)), kind))
}

/// The statement with its limits written out: of a plan that is made for all values, PostgreSQL would otherwise take it that a
/// tenth of all rows is wanted.
pub(super) fn with_limits((sql, values): (String, Values)) -> (String, Values) {
    let mut text = String::with_capacity(sql.len());
    let mut kept = Vec::with_capacity(values.0.len());
    let mut parts = sql.split('$');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let rest = part.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let place = part[..part.len() - rest.len()].parse().unwrap_or(0_usize);
        match place.checked_sub(1).and_then(|place| values.0.get(place)) {
            Some(Value::BigUnsigned(Some(limit))) => {
                text.push_str(&i64::try_from(*limit).unwrap_or(i64::MAX).to_string())
            }
            Some(value) => {
                kept.push(value.clone());
                text.push_str(&format!("${}", kept.len()));
            }
            None => {
                text.push('$');
                text.push_str(&part[..part.len() - rest.len()]);
            }
        }
        text.push_str(rest);
    }
    (text, Values(kept))
}

/// A row of a resource.
pub(super) fn stored(row: &Row) -> Result<Stored, StoreError> {
    columns(row).stored()
}

/// What a list shows of a row.
pub(super) fn shown(row: &Row) -> Shown {
    Shown { id: row.get(0), task: row.get::<_, Option<Uuid>>(1).map(TaskId), document: row.get(2) }
}

fn columns(row: &Row) -> Columns {
    Columns {
        id: row.get(0),
        revision: row.get(1),
        owner: row.get(2),
        created_at: row.get(3),
        updated_at: row.get(4),
        task: row.get(5),
        document: row.get(6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_written_out_and_the_other_values_keep_their_order() {
        let sql = "SELECT a FROM t WHERE b = $1 AND c < $2 LIMIT $3 OFFSET $4 -- $5 $";
        let (text, whole) =
            (|text: &str| Value::String(Some(text.to_owned())), |number| Value::BigUnsigned(Some(number)));
        let values = Values(vec![text("x"), Value::BigInt(Some(7)), whole(21), whole(0), text("y")]);

        let (sql, values) = with_limits((sql.to_owned(), values));

        assert_eq!(sql, "SELECT a FROM t WHERE b = $1 AND c < $2 LIMIT 21 OFFSET 0 -- $3 $");
        assert_eq!(values, Values(vec![text("x"), Value::BigInt(Some(7)), text("y")]));
    }
}
