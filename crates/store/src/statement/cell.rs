//! Cells on their way into statements, alike on both engines.

use std::fmt::Write;

use aws_lc_rs::digest::{SHA256, digest};
use sea_query::Value;
use valetkey_resources::model::{Cell, ColumnKind};

/// An index of PostgreSQL takes no value longer than a third of a page. The rest of a longer text is a digest: equal
/// texts stay equal, different ones stay different, and the order holds as far as this prefix tells them apart.
const LONGEST: usize = 1800;
/// The digest, in hexadecimal.
const DIGEST: usize = 64;

/// The cells of a draft as they stand in the table.
pub(crate) fn stored(cells: &[Cell]) -> Vec<Cell> {
    cells.iter().map(folded).collect()
}

/// One cell as it stands in the table.
pub(crate) fn folded(cell: &Cell) -> Cell {
    match cell {
        // What was folded is not folded again: the position of a row holds its cells as they stand in the table.
        Cell::Text(text) if text.len() > LONGEST + DIGEST => Cell::Text(fold(text)),
        other => other.clone(),
    }
}

fn fold(text: &str) -> String {
    let mut folded = text[..text.floor_char_boundary(LONGEST)].to_owned();
    for byte in digest(&SHA256, text.as_bytes()).as_ref() {
        let _ = write!(folded, "{byte:02x}");
    }
    folded
}

/// A cell as a bound value.
pub(crate) fn value(cell: &Cell, kind: ColumnKind) -> Value {
    match folded(cell) {
        Cell::Null => nothing(kind),
        Cell::Integer(number) | Cell::Moment(number) => Value::BigInt(Some(number)),
        Cell::Number(number) => Value::Double(Some(number)),
        Cell::Text(text) => Value::String(Some(text)),
        Cell::Boolean(yes) => Value::Bool(Some(yes)),
        Cell::Id(id) => Value::Uuid(Some(id)),
    }
}

/// Nothing, of the type of a column.
fn nothing(kind: ColumnKind) -> Value {
    match kind {
        ColumnKind::Integer | ColumnKind::Moment => Value::BigInt(None),
        ColumnKind::Number => Value::Double(None),
        ColumnKind::Text => Value::String(None),
        ColumnKind::Boolean => Value::Bool(None),
        ColumnKind::Id => Value::Uuid(None),
    }
}

/// Does a cell have the type of its column, or none? Anything else is a mistake of whoever planned the list.
pub(crate) fn fits(cell: &Cell, kind: ColumnKind) -> bool {
    matches!(
        (cell, kind),
        (Cell::Null, _)
            | (Cell::Integer(_), ColumnKind::Integer)
            | (Cell::Number(_), ColumnKind::Number)
            | (Cell::Text(_), ColumnKind::Text)
            | (Cell::Boolean(_), ColumnKind::Boolean)
            | (Cell::Moment(_), ColumnKind::Moment)
            | (Cell::Id(_), ColumnKind::Id)
    )
}

#[cfg(test)]
mod tests;
