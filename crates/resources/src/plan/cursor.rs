//! Cursors: a position in a list, sealed, and bound to the query, the version and the caller it was made for.

use serde::{Serialize, Serializer};
use serde_json::Value;
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
        let cells: Vec<Written<'_>> = self.position.0.iter().map(Written).collect();
        // It cannot fail: these are numbers and texts.
        let content = serde_json::to_vec(&(matches!(self.place, Place::After), cells)).unwrap_or_default();
        key.seal(&binding.0, &content)
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

/// A cell on its way into a cursor. A number goes as its bits: its decimal form may come back as its neighbour.
struct Written<'a>(&'a Cell);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Cell::Null => to.serialize_none(),
            Cell::Integer(number) => ("i", number).serialize(to),
            Cell::Number(number) => ("n", number.to_bits()).serialize(to),
            Cell::Text(text) => ("t", text).serialize(to),
            Cell::Boolean(is) => ("b", is).serialize(to),
            Cell::Moment(moment) => ("m", moment).serialize(to),
            Cell::Id(id) => ("u", id).serialize(to),
        }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;
    use valetkey_rest::query::MAX_SORT_KEYS;

    use super::*;

    fn any_cell() -> impl Strategy<Value = Cell> {
        prop_oneof![
            Just(Cell::Null),
            any::<i64>().prop_map(Cell::Integer),
            prop::num::f64::NORMAL.prop_map(Cell::Number),
            ".*".prop_map(Cell::Text),
            any::<bool>().prop_map(Cell::Boolean),
            any::<i64>().prop_map(Cell::Moment),
            any::<u128>().prop_map(|id| Cell::Id(Uuid::from_u128(id))),
        ]
    }

    #[test]
    fn a_position_of_the_longest_texts_comes_back() {
        let (key, binding) = (CursorKey::new([7; 32]), Binding([1; 32]));
        // As long as a text in a column gets, for each of the fields that a list is sorted by.
        let mark = Mark { position: Position(vec![Cell::Text("é".repeat(932)); MAX_SORT_KEYS]), place: Place::After };

        let text = mark.seal(&key, &binding);

        assert_eq!(Mark::open(&key, &binding, &text, MAX_SORT_KEYS).unwrap(), mark);
    }

    proptest! {
        #[test]
        fn a_position_comes_back_as_it_went(cells in prop::collection::vec(any_cell(), 0..4), is_after: bool) {
            let (key, binding) = (CursorKey::new([7; 32]), Binding([1; 32]));
            let place = if is_after { Place::After } else { Place::Before };
            let keys = cells.len();
            let mark = Mark { position: Position(cells), place };

            let text = mark.seal(&key, &binding);

            prop_assert_eq!(Mark::open(&key, &binding, &text, keys).unwrap(), mark);
            prop_assert!(Mark::open(&key, &Binding([2; 32]), &text, keys).is_err());
            prop_assert!(Mark::open(&key, &binding, &text, keys + 1).is_err());
        }
    }
}
