//! The fields of a stored document, taken apart but not looked into. A row has few, in the order of the declaration: they
//! are found by their place, and nothing is sorted or copied.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::members::members;

/// Names and values, as they stand in the text.
#[derive(Debug, Default)]
pub(crate) struct Fields<'a> {
    members: Vec<(&'a str, &'a str)>,
    /// Are they those that were expected, all of them and in their order?
    pub(super) are_expected: bool,
}

impl<'a> Fields<'a> {
    /// The fields of a document of which nothing is expected.
    pub(crate) fn read(document: &'a str) -> Self {
        let mut fields = Self::default();
        fields.turn_to(document, &[]);
        fields
    }

    /// The fields of another document, in the same place. `names`: those that are expected, each as `"name":`. Written by this
    /// server; what cannot be read is shown as absent rather than not at all.
    pub(super) fn turn_to(&mut self, document: &'a str, names: &[String]) {
        self.members.clear();
        self.members.reserve(names.len());
        self.are_expected = members(document, names, &mut self.members).unwrap_or_else(|| {
            self.members = serde_json::from_str(document).map(|Members(members)| members).unwrap_or_default();
            false
        });
    }

    /// The JSON of a field that most likely stands at this place.
    pub(super) fn near(&self, place: usize, name: &str) -> Option<&'a str> {
        match self.members.get(place) {
            Some((here, value)) if *here == name => Some(value),
            _ => self.get(name),
        }
    }

    /// The id that a field holds.
    pub(crate) fn id(&self, name: &str) -> Option<Uuid> {
        text(self.get(name)?)?.parse().ok()
    }

    /// The same of a field that most likely stands at this place.
    pub(super) fn id_near(&self, place: usize, name: &str) -> Option<Uuid> {
        text(self.near(place, name)?)?.parse().ok()
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        self.members.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

/// The text that a value is, if it is one without letters that are escaped.
pub(super) fn text(json: &str) -> Option<&str> {
    let inside = json.strip_prefix('"')?.strip_suffix('"')?;
    (!inside.as_bytes().contains(&b'\\')).then_some(inside)
}

struct Members<'a>(Vec<(&'a str, &'a str)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Vec<(&'de str, &'de str)>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::with_capacity(16);
                while let Some((name, value)) = members.next_entry::<&'de str, &'de RawValue>()? {
                    fields.push((name, value.get()));
                }
                Ok(fields)
            }
        }

        deserializer.deserialize_map(InOrder).map(Self)
    }
}
