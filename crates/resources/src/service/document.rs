//! Reads the document of a row. Names stand in order there, as the store writes them, so an object is put together when all of it
//! has been read: to look for the place of each name is most of what reading a large one costs.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use valetkey_rest::Problem;
use valetkey_rest::problem::catalogue;

use crate::model::Resource;
use crate::ports::Stored;

/// The fields of a row, every declared one among them.
pub(super) fn document(of: &Resource, stored: &Stored) -> Result<Map<String, Value>, Problem> {
    let broken = |why: String| {
        let told = format!("the document of {} {} cannot be read: {why}", of.name, stored.id);
        Problem::new(&catalogue::INTERNAL_ERROR).detail(told)
    };
    let mut document = match read(&stored.document) {
        Ok(Value::Object(document)) => document,
        Ok(_) => return Err(broken("it is no object".to_owned())),
        Err(error) => return Err(broken(error.to_string())),
    };
    // Declared after the row was written.
    for field in &of.fields {
        document.entry(&field.name).or_insert(Value::Null);
    }
    Ok(document)
}

fn read(text: &str) -> serde_json::Result<Value> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Node.deserialize(&mut reader)?;
    reader.end().map(|()| value)
}

struct Node;

impl<'de> DeserializeSeed<'de> for Node {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node {
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
        Ok(Value::from(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object: Vec<(String, Value)> = Vec::new();
        while let Some(member) = members.next_entry_seed(PhantomData, Self)? {
            object.push(member);
        }
        Ok(Value::Object(object.into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 8, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
                prop::collection::btree_map(".{0,3}", inner, 0..8)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(value in any_value()) {
            prop_assert_eq!(read(&value.to_string()).unwrap(), value);
        }

        #[test]
        fn any_text_is_read_as_by_the_usual_reader(text in r#"[\[\]{}",:a1.e\-nul \\]{0,12}"#) {
            prop_assert_eq!(read(&text).ok(), serde_json::from_str::<Value>(&text).ok(), "{}", text);
        }
    }

    #[test]
    fn names_in_another_order_or_twice_are_read_as_by_the_usual_reader() {
        for text in [r#"{"b":1,"a":2}"#, r#"{"a":1,"b":2,"a":3}"#, r#"{"b":{"z":1,"y":2,"z":3},"a":[{"d":1,"c":2}]}"#] {
            assert_eq!(read(text).unwrap(), serde_json::from_str::<Value>(text).unwrap(), "{text}");
        }
        assert_eq!(read(r#"{"a":1,"a":2}"#).unwrap(), json!({"a": 2}));
    }

    #[test]
    fn nesting_without_end_is_refused() {
        assert!(read(&"[".repeat(100_000)).is_err());
    }
}
