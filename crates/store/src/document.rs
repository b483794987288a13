//! The document of a row, as an object: all of it, or only what is needed.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde_json::{Deserializer, Map, Value};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Column, Resource};

/// All of it.
pub(crate) fn object(document: &str) -> Result<Map<String, Value>, StoreError> {
    serde_json::from_str(document).map_err(unreadable)
}

/// Those of its members that these columns follow. The others are passed over.
pub(crate) fn followed<'c>(
    document: &str,
    by: impl Iterator<Item = &'c Column> + Clone,
) -> Result<Map<String, Value>, StoreError> {
    members(document, |name| by.clone().any(|column| column.field.split('.').next() == Some(name)))
}

/// Those of its members that are searched for words.
pub(crate) fn searched(document: &str, of: &Resource) -> Result<Map<String, Value>, StoreError> {
    members(document, |name| of.field(name).is_some_and(|field| field.search))
}

fn members(document: &str, wanted: impl Fn(&str) -> bool) -> Result<Map<String, Value>, StoreError> {
    let mut document = Deserializer::from_str(document);
    let found = document.deserialize_map(Members(wanted)).map_err(unreadable)?;
    document.end().map_err(unreadable)?;
    Ok(found)
}

fn unreadable(error: serde_json::Error) -> StoreError {
    StoreError::Failed(format!("a document is unreadable: {error}"))
}

struct Members<F>(F);

impl<'de, F: Fn(&str) -> bool> Visitor<'de> for Members<F> {
    type Value = Map<String, Value>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut found = Map::new();
        while let Some(Name(name)) = members.next_key::<Name<'de>>()? {
            if (self.0)(&name) {
                found.insert(name.into_owned(), members.next_value()?);
            } else {
                members.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

/// A name, borrowed where nothing in it is escaped.
#[derive(serde::Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use serde_json::json;
    use valetkey_resources::model::{Cell, ColumnKind};

    use super::*;

    fn column(field: &str) -> Column {
        Column { field: field.to_owned(), kind: ColumnKind::Text, unique: false, indexed: true }
    }

    #[test]
    fn what_columns_follow_is_read_and_nothing_else() {
        let document =
            r#"{"note":"a \"word\" }","address":{"city":"Bern","zip":[1,{"x":2}]},"n\u0061me":"Ann","rest":[{}]}"#;
        let columns = [column("address.city"), column("name"), column("missing")];

        let found = followed(document, columns.iter()).unwrap();

        assert_eq!(
            Value::Object(found.clone()),
            json!({"address": {"city": "Bern", "zip": [1, {"x": 2}]}, "name": "Ann"})
        );
        let whole = object(document).unwrap();
        for column in &columns {
            assert_eq!(column.cell(&found), column.cell(&whole));
        }
        assert_eq!(columns[0].cell(&found), Cell::Text("Bern".to_owned()));
    }

    #[test]
    fn a_document_that_is_cut_off_is_an_error_even_if_what_is_needed_came_before() {
        assert!(followed(r#"{"name":"Ann","rest":[1"#, [column("name")].iter()).is_err());
        assert!(followed(r#"{"name":"Ann"} and more"#, [column("name")].iter()).is_err());
        assert!(followed("[1]", [column("name")].iter()).is_err());
    }
}
