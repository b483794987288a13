//! One row: its id, its fields as the version has them, and links that name what this caller may do now.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use serde_json::value::RawValue;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::fields::{Fields, text};
use super::phrases::Below;
use super::rights::Rights;
use crate::lens::Show;
use crate::ports::Shown;
use crate::service::{Served, Speaker};

/// Rows that others point at, as text: (name of the relation, field that points, rows by id).
#[derive(Debug, Default)]
pub struct Included {
    /// One for each relation that was asked for.
    pub relations: Vec<(String, String, HashMap<Uuid, String>)>,
    /// What else is pointed at and in sight.
    pub seen: Seen,
}

/// Which rows the caller can see of those that others point at, where rows have owners. A link to another one would tell
/// that it is there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Seen {
    /// Nobody looked: none.
    #[default]
    None,
    /// These.
    These(HashSet<Uuid>),
    /// All: it was checked when they were pointed at.
    All,
}

impl Seen {
    fn has(&self, id: Uuid) -> bool {
        match self {
            Self::None => false,
            Self::These(ids) => ids.contains(&id),
            Self::All => true,
        }
    }
}

/// Writes rows of one resource for one caller.
pub struct Row<'a> {
    speaker: &'a Speaker,
    served: &'a Served,
    rights: Rights,
    /// What the addresses of all rows begin with.
    address: String,
    only: Option<&'a [String]>,
    included: Option<&'a Included>,
    seen: &'a Seen,
}

impl<'a> Row<'a> {
    /// Whole rows.
    pub fn new(speaker: &'a Speaker, served: &'a Served) -> Self {
        let rights = Rights::of(speaker, served);
        let address = [&*speaker.prefix, "/", &served.face.name, "/"].concat();
        Self { speaker, served, rights, address, only: None, included: None, seen: &Seen::None }
    }

    /// Only these fields; none means all.
    #[must_use]
    pub fn only(mut self, fields: Option<&'a [String]>) -> Self {
        self.only = fields;
        self
    }

    /// With what they point at.
    #[must_use]
    pub fn including(mut self, included: &'a Included) -> Self {
        self.included = Some(included);
        self.seen = &included.seen;
        self
    }

    /// With links to those of the rows they point at.
    #[must_use]
    pub fn linking(mut self, seen: &'a Seen) -> Self {
        self.seen = seen;
        self
    }

    /// One row as text.
    pub fn text(&self, row: &Shown) -> String {
        let mut out = String::with_capacity(row.document.len() + 256);
        self.write(&mut out, row, &mut Fields::default());
        out
    }

    /// The same, at the end of a longer text. `fields` is where the fields of one row after the other are found.
    pub(super) fn write<'r>(&self, out: &mut String, row: &'r Shown, fields: &mut Fields<'r>) {
        let phrases = &self.served.phrases;
        fields.turn_to(&row.document, &phrases.names);
        let mut buffer = Uuid::encode_buffer();
        let id: &str = row.id.hyphenated().encode_lower(&mut buffer);
        let wanted = |name: &str| self.only.is_none_or(|only| only.iter().any(|field| field == name));
        let mut object = Members { out, is_first: true };
        object.out.push('{');
        if wanted("id") {
            object.out.push_str("\"id\":\"");
            object.out.push_str(id);
            object.out.push('"');
            object.is_first = false;
        }
        if self.only.is_none() && phrases.are_as_stored && fields.are_expected {
            object.all(&row.document);
        } else {
            let mut mixed = None;
            for (place, field) in self.served.face.fields.iter().enumerate().filter(|(_, field)| wanted(&field.name)) {
                let value = self.value(place, &field.name, fields, &mut mixed);
                object.raw(&field.name, value.as_deref().unwrap_or("null"));
            }
        }
        for (name, field, rows) in self.included.iter().flat_map(|included| &included.relations) {
            let target = fields.id(field).and_then(|id| rows.get(&id));
            object.raw(name, target.map_or("null", String::as_str));
        }
        if wanted("links") {
            object.name("links");
            self.links(object.out, row, id, fields);
        }
        object.out.push('}');
    }

    /// A field as the version has it. No more is read than has to be turned.
    fn value<'f>(
        &self,
        place: usize,
        name: &str,
        stored: &Fields<'f>,
        mixed: &mut Option<Map<String, Value>>,
    ) -> Option<Cow<'f, str>>
    where
        'a: 'f,
    {
        let lens = &self.served.lens;
        // Most often a field stands where it is declared.
        let raw = |field: &str| stored.near(place, field);
        match lens.shows().get(place).filter(|_| !lens.is_clear()) {
            None => raw(name).map(Cow::Borrowed),
            Some(Show::As(field)) => raw(field).map(Cow::Borrowed),
            // Written by this server, so that equal words are equal texts, but for letters that are escaped.
            Some(Show::Words(field, words)) if raw(field).is_none_or(|text| !text.contains('\\')) => {
                let text = raw(field)?;
                let shown = words.iter().find(|(from, _)| from == text).map_or(text, |(_, to)| to.as_str());
                Some(Cow::Borrowed(shown))
            }
            Some(Show::Words(..) | Show::Turned(_)) => {
                let column = lens.column(name)?;
                let value = serde_json::from_str(raw(&column.field)?).ok()?;
                Some(lens.shown(column, value).to_string().into())
            }
            Some(Show::Member(field, _) | Show::Without(field, ..)) if matches!(raw(field), None | Some("null")) => {
                None
            }
            Some(Show::Member(field, member)) if let Some(members) = members(raw(field)) => {
                members.get(member.as_str()).map(|value| value.get().into())
            }
            Some(Show::Without(field, holes, is_nullable)) if let Some(members) = members(raw(field)) => {
                Some(without(&members, holes, *is_nullable))
            }
            Some(Show::Mixed | Show::Member(..) | Show::Without(..)) => {
                let read = |field: &String| Some((field.clone(), serde_json::from_str(raw(field)?).ok()?));
                let turned = mixed.get_or_insert_with(|| lens.down(lens.mixed().iter().filter_map(read).collect()));
                turned.get(name).map(|value| value.to_string().into())
            }
        }
    }

    fn links(&self, out: &mut String, row: &Shown, id: &str, fields: &Fields<'_>) {
        let Served { resource, face: of, phrases, .. } = self.served;
        let prefix = &*self.speaker.prefix;
        out.push_str("{\"self\":\"");
        let start = out.len();
        out.push_str(&self.address);
        out.push_str(id);
        // The others copy it from there.
        let here = start..out.len();
        out.push('"');
        let mut links = Members { out, is_first: false };
        for (relation, right) in self.served.relations.iter().zip(&self.rights.relations) {
            if let (Some(right), Some(to)) = (right, &of.fields[relation.place].references)
                && let Some(id) = fields.id_near(relation.place, &relation.stored)
                && (right.sees_all || self.seen.has(id))
            {
                let mut buffer = Uuid::encode_buffer();
                let id = id.hyphenated().encode_lower(&mut buffer);
                links.text(&to.name, &[prefix, "/", &relation.target.name, "/", id]);
            }
        }
        for (child, _) in phrases.children.iter().zip(&self.rights.children).filter(|(_, may)| **may) {
            below(links.out, here.clone(), child);
        }
        if let Some(task) = row.task {
            links.text("operation", &[prefix, "/operations/", &task.to_string()]);
        } else {
            let state = phrases.state.and_then(|place| fields.near(place, &resource.fields[place].name));
            let state = state.and_then(text);
            let actions = phrases.actions.iter().zip(&self.served.actions).zip(&self.rights.actions);
            for ((action, place), _) in actions.filter(|(_, may)| **may) {
                if resource.actions[*place].is_possible_in(state) {
                    below(links.out, here.clone(), action);
                }
            }
        }
        links.out.push('}');
    }
}

/// The members of a stored object, not looked into; none if it is no object, or hard to read.
fn members(object: Option<&str>) -> Option<BTreeMap<&str, &RawValue>> {
    serde_json::from_str(object?).ok()
}

/// An object without some of its members.
fn without<'f>(members: &BTreeMap<&'f str, &'f RawValue>, holes: &[String], is_nullable: bool) -> Cow<'f, str> {
    let is_hole = |name: &str| holes.iter().any(|hole| hole == name);
    let mut kept = members.iter().filter(|(name, _)| !is_hole(name)).peekable();
    if kept.peek().is_none() && is_nullable && !members.is_empty() {
        return Cow::Borrowed("null");
    }
    let mut text = String::from("{");
    let mut object = Members { out: &mut text, is_first: true };
    for (name, value) in kept {
        object.raw(name, value.get());
    }
    text.push('}');
    Cow::Owned(text)
}

/// A link to what is below an address that was written before, after other links.
fn below(out: &mut String, address: Range<usize>, link: &Below) {
    out.push_str(&link.before);
    out.extend_from_within(address);
    out.push_str(&link.after);
}

/// The members of an object, one after the other.
struct Members<'a> {
    out: &'a mut String,
    is_first: bool,
}

impl Members<'_> {
    /// A name. Names are declared, and have no letters that JSON would escape.
    fn name(&mut self, name: &str) {
        if !std::mem::take(&mut self.is_first) {
            self.out.push(',');
        }
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\":");
    }

    fn raw(&mut self, name: &str, json: &str) {
        self.name(name);
        self.out.push_str(json);
    }

    /// All members of an object that is written already, without blanks around it.
    fn all(&mut self, object: &str) {
        let inside = object.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or_default();
        if !inside.is_empty() && !std::mem::take(&mut self.is_first) {
            self.out.push(',');
        }
        self.out.push_str(inside);
    }

    /// A text of ids and declared names, in parts, which need no escaping.
    fn text(&mut self, name: &str, parts: &[&str]) {
        self.name(name);
        self.out.push('"');
        parts.iter().for_each(|part| self.out.push_str(part));
        self.out.push('"');
    }
}
