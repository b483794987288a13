//! The fields of a stored document, taken apart but not looked into. A row has few, in the order of the declaration: they
//! are found by their place, and nothing is sorted or copied.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::members::members;

/// Names and values, as they stand in the text.
#[derive(Debug, Default)]
pub(crate) struct Fields<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Fields<'a> {
    /// Written by this server; what cannot be read is shown as absent rather than not at all.
    pub(crate) fn read(document: &'a str) -> Self {
        members(document).map(Self).or_else(|| serde_json::from_str(document).ok()).unwrap_or_default()
    }

    /// Are these all of them, in this order?
    pub(super) fn are<'n>(&self, names: impl ExactSizeIterator<Item = &'n str>) -> bool {
        self.0.len() == names.len() && names.zip(&self.0).all(|(name, (known, _))| name == *known)
    }

    /// The JSON of a field that most likely stands at this place.
    pub(super) fn near(&self, place: usize, name: &str) -> Option<&'a str> {
        match self.0.get(place) {
            Some((here, value)) if *here == name => Some(value),
            _ => self.get(name),
        }
    }

    /// The text of a field, if it has one without letters that are escaped.
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        let inside = self.get(name)?.strip_prefix('"')?.strip_suffix('"')?;
        (!inside.contains('\\')).then_some(inside)
    }

    /// The id that a field holds.
    pub(crate) fn id(&self, name: &str) -> Option<Uuid> {
        self.text(name)?.parse().ok()
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
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

        deserializer.deserialize_map(Members).map(Self)
    }
}
