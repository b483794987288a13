//! From what a client sent to the document of a row: read-only fields kept, defaults filled in, the rest checked.

use jiff::Timestamp;
use serde_json::{Map, Value};
use uuid::Uuid;
use valetkey_rest::{FieldCode, Problem};

use super::Rules;
use super::code::{Written, as_is};
use super::faults::{Faults, escape};
use crate::model::{Field, Resource, Stamp};
use crate::suggest::nearest;

/// What the body is the base of.
#[derive(Debug, Clone, Copy)]
pub enum Ground<'a> {
    /// A new row.
    New,
    /// The whole of a row that is there: what is left out falls back.
    Replaced {
        /// Its id.
        id: Uuid,
        /// Its fields.
        before: &'a Map<String, Value>,
    },
    /// A row after a patch, `id` and read-only fields included: what is missing was removed.
    Patched {
        /// Its id.
        id: Uuid,
        /// Its fields.
        before: &'a Map<String, Value>,
    },
}

/// What the server writes by itself.
#[derive(Debug, Clone, Copy)]
pub struct Stamps<'a> {
    /// Now.
    pub now: Timestamp,
    /// In whose name a new row is made.
    pub owner: Option<&'a str>,
}

impl<'a> Ground<'a> {
    /// The row as it was.
    pub fn before(self) -> Option<&'a Map<String, Value>> {
        match self {
            Self::New => None,
            Self::Replaced { before, .. } | Self::Patched { before, .. } => Some(before),
        }
    }

    /// The same with the row seen otherwise.
    #[must_use]
    pub fn on(self, before: &Map<String, Value>) -> Ground<'_> {
        match self {
            Self::New => Ground::New,
            Self::Replaced { id, .. } => Ground::Replaced { id, before },
            Self::Patched { id, .. } => Ground::Patched { id, before },
        }
    }

    fn id(self) -> Option<Uuid> {
        match self {
            Self::New => None,
            Self::Replaced { id, .. } | Self::Patched { id, .. } => Some(id),
        }
    }
}

impl Rules {
    /// The document that `sent` makes, or everything that is wrong with it.
    pub fn compose(
        &self,
        of: &Resource,
        mut sent: Map<String, Value>,
        ground: Ground<'_>,
        stamps: Stamps<'_>,
    ) -> Result<Map<String, Value>, Problem> {
        let mut faults = Faults::default();
        let mut document = Map::new();
        check_own_names(&mut sent, ground, &mut faults);
        for (place, field) in of.fields.iter().enumerate() {
            let value = sent.remove(&field.name);
            let value = if field.read_only || field.stamp.is_some() {
                kept(field, value, ground, stamps, &mut faults)
            } else {
                match value.or_else(|| field.default.clone()) {
                    Some(value) => {
                        // What the caller left as it was, or could not know better in an older version, is not judged.
                        let was = ground.before().and_then(|before| before.get(&field.name));
                        if was != Some(&value) {
                            self.check(place, field, &value, &as_is, &mut faults);
                        }
                        self.in_one_way(place, value)
                    }
                    None => {
                        if field.required {
                            faults.add(&format!("/{}", field.name), FieldCode::Required, "This field is required.");
                        }
                        Value::Null
                    }
                }
            };
            document.insert(field.name.clone(), value);
        }
        for name in sent.keys() {
            if !faults.has_room() {
                faults.leave_out();
                continue;
            }
            let declared = of.fields.iter().filter(|field| !field.read_only).map(|field| field.name.as_str());
            let known: Vec<&str> = declared.collect();
            let meant = nearest(name, known.iter().copied());
            let meant = meant.map(|meant| format!(" Did you mean `{meant}`?")).unwrap_or_default();
            let told = format!("{} have no such field; they have {}.{meant}", capital(&of.name), known.join(", "));
            faults.add(&format!("/{}", escape(name)), FieldCode::Unknown, told);
        }
        faults.into_result()?;
        touch(of, &mut document, ground, stamps);
        Ok(document)
    }
}

impl Rules {
    /// Checks a document that came through a lens, and sets what only the stored model has. `written` is how the sender
    /// writes values: limits are told so.
    pub fn settle(
        &self,
        of: &Resource,
        document: &mut Map<String, Value>,
        ground: Ground<'_>,
        stamps: Stamps<'_>,
        written: &Written<'_>,
    ) -> Result<(), Problem> {
        let mut faults = Faults::default();
        for (place, field) in of.fields.iter().enumerate() {
            let value = document.get(&field.name).unwrap_or(&Value::Null);
            let was = ground.before().map(|before| before.get(&field.name).unwrap_or(&Value::Null));
            if field.stamp.is_some() || field.read_only {
                // An older version may have it where its clients can write.
                let own = match was {
                    Some(was) => was.clone(),
                    None => kept(field, None, Ground::New, stamps, &mut faults),
                };
                if *value != own {
                    let is_said = field.stamp.is_none() && !(value.is_null() && was.is_none());
                    if is_said {
                        faults.add(&format!("/{}", field.name), FieldCode::ReadOnly, "The server sets this field.");
                    }
                    document.insert(field.name.clone(), own);
                }
            } else if was != Some(value) {
                self.check_new(place, field, value, written, &mut faults);
            }
        }
        faults.into_result()?;
        touch(of, document, ground, stamps);
        Ok(())
    }

    fn check_new(&self, place: usize, field: &Field, value: &Value, written: &Written<'_>, faults: &mut Faults) {
        if value.is_null() && field.required {
            faults.add(&format!("/{}", field.name), FieldCode::Required, "This field is required.");
        } else {
            self.check(place, field, value, written, faults);
        }
    }
}

/// `id` and `links` are in every answer, so a client may send them back as they were. Links may have become others since: whatever
/// they were, they are left aside.
fn check_own_names(sent: &mut Map<String, Value>, ground: Ground<'_>, faults: &mut Faults) {
    let id = ground.id().map(|id| Value::String(id.hyphenated().to_string()));
    let was_removed = matches!(ground, Ground::Patched { .. }) && !sent.contains_key("id");
    if sent.remove("id").is_some_and(|given| Some(given) != id) || was_removed {
        faults.add("/id", FieldCode::ReadOnly, "The server chooses the id.");
    }
    if sent.remove("links").is_some_and(|links| ground.before().is_none() || !links.is_object()) {
        faults.add("/links", FieldCode::ReadOnly, "The server makes the links.");
    }
}

/// The value of a field that clients do not set.
fn kept(field: &Field, sent: Option<Value>, ground: Ground<'_>, stamps: Stamps<'_>, faults: &mut Faults) -> Value {
    let before = ground.before().map(|before| before.get(&field.name).cloned().unwrap_or(Value::Null));
    let changes = match (&sent, &before) {
        (Some(sent), Some(before)) => sent != before,
        (Some(_), None) => true,
        (None, _) => matches!(ground, Ground::Patched { .. }),
    };
    if changes {
        faults.add(&format!("/{}", field.name), FieldCode::ReadOnly, "The server sets this field.");
    }
    before.unwrap_or_else(|| match field.stamp {
        Some(Stamp::CreatedAt | Stamp::UpdatedAt) => Value::String(stamps.now.to_string()),
        Some(Stamp::Owner) => stamps.owner.map_or(Value::Null, |owner| Value::String(owner.to_owned())),
        None => field.default.clone().unwrap_or(Value::Null),
    })
}

/// A row that changed says when; one that did not keeps its word.
fn touch(of: &Resource, document: &mut Map<String, Value>, ground: Ground<'_>, stamps: Stamps<'_>) {
    let Some(before) = ground.before() else { return };
    if of.fields.iter().all(|field| value(document, &field.name) == value(before, &field.name)) {
        return;
    }
    for field in of.fields.iter().filter(|field| field.stamp == Some(Stamp::UpdatedAt)) {
        document.insert(field.name.clone(), Value::String(stamps.now.to_string()));
    }
}

fn value<'d>(document: &'d Map<String, Value>, name: &str) -> &'d Value {
    document.get(name).unwrap_or(&Value::Null)
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

impl Rules {
    /// The document after fields that a handler set: any field but those that the server stamps.
    pub fn merge(
        &self,
        of: &Resource,
        mut document: Map<String, Value>,
        result: &Map<String, Value>,
    ) -> Result<Map<String, Value>, Problem> {
        let mut faults = Faults::default();
        for (name, value) in result {
            match of.fields.iter().position(|field| field.name == *name && field.stamp.is_none()) {
                Some(place) => {
                    self.check(place, &of.fields[place], value, &as_is, &mut faults);
                    document.insert(name.clone(), value.clone());
                }
                None => faults.add(&format!("/{}", escape(name)), FieldCode::Unknown, "No field has this name."),
            }
        }
        faults.into_result()?;
        Ok(document)
    }

    /// Checks what a handler changed that speaks another version. `written` is how that writes values.
    pub fn check_merged(
        &self,
        of: &Resource,
        before: &Map<String, Value>,
        after: &Map<String, Value>,
        written: &Written<'_>,
    ) -> Result<(), Problem> {
        let mut faults = Faults::default();
        for (place, field) in of.fields.iter().enumerate().filter(|(_, field)| field.stamp.is_none()) {
            let [was, is] = [before, after].map(|row| row.get(&field.name).unwrap_or(&Value::Null));
            if was != is {
                self.check_new(place, field, is, written, &mut faults);
            }
        }
        faults.into_result()
    }
}
