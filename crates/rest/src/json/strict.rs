//! The reader: serde_json's parser with a visitor that counts depth and values, and notices a key that comes twice.

use std::{
    cell::{Cell, RefCell},
    fmt,
};

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

use super::{MAX_DEPTH, MAX_VALUES, place};

/// Why a body is not JSON that we read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Flaw {
    #[error("The body is empty.")]
    Empty,
    #[error("The body is not UTF-8: see line {line}, column {column}.")]
    Utf8 { line: usize, column: usize },
    #[error("The body nests deeper than {MAX_DEPTH} levels: see line {line}, column {column}.")]
    TooDeep { line: usize, column: usize },
    #[error("The body has more than {MAX_VALUES} values. Send less at once.")]
    TooMany,
    #[error("The body is not valid JSON: {what} at line {line}, column {column}.")]
    Syntax { what: String, line: usize, column: usize },
    #[error("The key {key} comes twice in one object: see line {line}, column {column}.")]
    Duplicate { key: String, pointer: String, line: usize, column: usize },
    #[error("A number is beyond what can be read: see line {line}, column {column}.")]
    OutOfRange { pointer: String, line: usize, column: usize },
}

/// What only the visitor knows of a refusal; the parser adds the place.
enum Objection {
    TooDeep,
    TooMany,
    Duplicate(String),
}

/// Reads one JSON text, whole.
pub(crate) fn parse(body: &[u8]) -> Result<Value, Flaw> {
    let text = utf8(body)?;
    let (objection, values) = (RefCell::new(None), Cell::new(0));
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = Node { depth: 0, values: &values, objection: &objection }.deserialize(&mut reader);
    let read = read.and_then(|value| reader.end().map(|()| value));
    read.map_err(|error| {
        let (line, column) = (error.line(), error.column());
        match objection.take() {
            Some(Objection::TooDeep) => Flaw::TooDeep { line, column },
            Some(Objection::TooMany) => Flaw::TooMany,
            Some(Objection::Duplicate(key)) => {
                Flaw::Duplicate { key, pointer: place::pointer(&place::at(text, line, column)), line, column }
            }
            None => match describe(&error) {
                what if what == "number out of range" => {
                    Flaw::OutOfRange { pointer: place::pointer(&place::at(text, line, column)), line, column }
                }
                what => Flaw::Syntax { what, line, column },
            },
        }
    })
}

pub(super) fn utf8(body: &[u8]) -> Result<&str, Flaw> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Err(Flaw::Empty);
    }
    std::str::from_utf8(body).map_err(|error| {
        let before = &body[..error.valid_up_to()];
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        Flaw::Utf8 { line, column: before.len() - line_start + 1 }
    })
}

/// The parser's words without the place it appends to them.
fn describe(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split_once(" at line ").map_or(text.clone(), |(what, _)| what.to_owned())
}

#[derive(Clone, Copy)]
struct Node<'a> {
    depth: usize,
    /// Values so far.
    values: &'a Cell<usize>,
    objection: &'a RefCell<Option<Objection>>,
}

impl Node<'_> {
    fn object<E: serde::de::Error>(self, objection: Objection) -> E {
        self.objection.replace(Some(objection));
        E::custom("refused")
    }

    fn inside<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth == MAX_DEPTH {
            return Err(self.object(Objection::TooDeep));
        }
        Ok(Self { depth: self.depth + 1, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.values.set(self.values.get() + 1);
        if self.values.get() > MAX_VALUES {
            return Err(self.object(Objection::TooMany));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inside = self.inside()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(inside)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let inside = self.inside()?;
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            match object.entry(key) {
                Entry::Vacant(place) => {
                    place.insert(members.next_value_seed(inside)?);
                }
                Entry::Occupied(place) => {
                    let objection = Objection::Duplicate(place.key().clone());
                    return Err(A::Error::custom(self.object::<A::Error>(objection)));
                }
            }
        }
        Ok(Value::Object(object))
    }
}
