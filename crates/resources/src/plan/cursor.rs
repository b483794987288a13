//! Cursors: a position in a list, sealed, and bound to the query, the version and the caller it was made for.

use serde_json::{Value, json};
use valetkey_rest::page::cursor::CursorKey;
use valetkey_rest::{FieldCode, Problem};

use super::{Binding, Refused};
use crate::model::Cell;
use crate::ports::{Place, Position};

/// A place in a list to go on from.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Where.
    pub position: Position,
    /// On which side of it.
    pub place: Place,
}

impl Mark {
    /// The text for a client.
    pub fn seal(&self, key: &CursorKey, binding: &Binding) -> String {
        let cells: Vec<Value> = self.position.0.iter().map(write).collect();
        let content = json!([matches!(self.place, Place::After), cells]).to_string();
        key.seal(&binding.0, content.as_bytes())
    }

    /// Reads one back. One that was made for another list or caller, or by nobody, is refused.
    pub(super) fn open(key: &CursorKey, binding: &Binding, text: &str, keys: usize) -> Result<Self, Problem> {
        let content = key.open(&binding.0, text);
        let mark = content.and_then(|content| read(&serde_json::from_slice(&content).ok()?));
        mark.filter(|mark| mark.position.0.len() == keys).ok_or_else(|| {
            let mut refused = Refused::default();
            let told = "This cursor is not of this list. Use `links.next` as it is, or begin without a cursor.";
            refused.add("cursor", FieldCode::InvalidValue, told);
            refused.into_result().err().unwrap_or_else(|| (&valetkey_rest::problem::catalogue::BAD_REQUEST).into())
        })
    }
}

fn read(content: &Value) -> Option<Mark> {
    let place = if content.get(0)?.as_bool()? { Place::After } else { Place::Before };
    let cells = content.get(1)?.as_array()?.iter().map(cell).collect::<Option<_>>()?;
    Some(Mark { position: Position(cells), place })
}

/// A number goes as its bits: its decimal form may come back as its neighbour.
fn write(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Integer(number) => json!(["i", number]),
        Cell::Number(number) => json!(["n", number.to_bits()]),
        Cell::Text(text) => json!(["t", text]),
        Cell::Boolean(is) => json!(["b", is]),
        Cell::Moment(moment) => json!(["m", moment]),
        Cell::Id(id) => json!(["u", id]),
    }
}

fn cell(value: &Value) -> Option<Cell> {
    if value.is_null() {
        return Some(Cell::Null);
    }
    let content = value.get(1)?;
    Some(match value.get(0)?.as_str()? {
        "i" => Cell::Integer(content.as_i64()?),
        "n" => Cell::Number(f64::from_bits(content.as_u64()?)),
        "t" => Cell::Text(content.as_str()?.to_owned()),
        "b" => Cell::Boolean(content.as_bool()?),
        "m" => Cell::Moment(content.as_i64()?),
        "u" => Cell::Id(content.as_str()?.parse().ok()?),
        _ => return None,
    })
}
