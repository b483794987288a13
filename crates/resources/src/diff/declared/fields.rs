//! Which fields came and went. What went while something of the same kind came is told as a probable rename or move.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{field, lens};
use crate::diff::finding::Finding;
use crate::diff::rule;
use crate::diff::surface::{FieldSurface, InnerSurface, ResourceSurface};
use crate::suggest;

pub(super) fn compare(resource: &str, old: &ResourceSurface, new: &ResourceSurface, found: &mut Vec<Finding>) {
    let mut come: BTreeSet<&String> = new.fields.keys().filter(|name| !old.fields.contains_key(*name)).collect();
    let mut gone: Vec<(&String, &FieldSurface)> = Vec::new();
    for (name, before) in &old.fields {
        match new.fields.get(name) {
            Some(after) => field::compare(&format!("{resource}.{name}"), before, after, found),
            None => gone.push((name, before)),
        }
    }
    for (name, before) in gone {
        let place = format!("{resource}.{name}");
        if let Some(other) = renamed(name, before, &come, new) {
            come.remove(other);
            let told = format!("`{name}` is gone, and `{other}` has come with the same schema: probably a new name.");
            let lens = lens::rename(&place, other);
            found.push(Finding::new(&rule::FIELD_RENAMED, &place, told).with_lens(lens));
            if let Some(after) = new.fields.get(other) {
                field::compare(&format!("{resource}.{other}"), before, after, found);
            }
        } else if let Some(object) = moved(name, before, old, new) {
            let told = format!("`{name}` is gone, and `{object}.{name}` has come with the same schema.");
            let lens = lens::moved(&place, &format!("{object}.{name}"));
            found.push(Finding::new(&rule::FIELD_MOVED, &place, told).with_lens(lens));
            // With its lens, older clients go by it as before, if lists go by it where it is now.
            let after = new.fields.get(object).and_then(|field| field.inner.get(name)).copied().unwrap_or_default();
            let before = InnerSurface { filter: before.filter, sort: before.sort };
            field::listed(&format!("{resource}.{object}.{name}"), &format!("{object}.{name}"), before, after, found);
        } else {
            let told = format!("`{name}` is gone.");
            let lens = lens::removed(&place, before);
            found.push(Finding::new(&rule::FIELD_REMOVED, &place, told).with_lens(lens));
        }
    }
    for (name, after) in come.into_iter().filter_map(|name| new.fields.get_key_value(name)) {
        let place = format!("{resource}.{name}");
        if after.required {
            let lens = lens::added(&place, &after.schema);
            let told = format!("`{name}` is new and required.");
            found.push(Finding::new(&rule::REQUIRED_FIELD_ADDED, &place, told).with_lens(lens));
        } else {
            found.push(Finding::new(&rule::OPTIONAL_FIELD_ADDED, &place, format!("`{name}` is new.")));
        }
    }
}

/// The new field that this one probably is. Several may have its schema: then the names must be near, too.
fn renamed<'n>(
    name: &str,
    before: &FieldSurface,
    come: &BTreeSet<&'n String>,
    new: &ResourceSurface,
) -> Option<&'n String> {
    let is_alike = |after: &FieldSurface| {
        after.schema == before.schema
            && after.required == before.required
            && after.read_only == before.read_only
            && after.relation.as_ref().map(|to| &to.resource) == before.relation.as_ref().map(|to| &to.resource)
    };
    let alike: Vec<&'n String> =
        come.iter().copied().filter(|other| new.fields.get(*other).is_some_and(is_alike)).collect();
    match alike.as_slice() {
        [] => None,
        [only] => Some(only),
        several => {
            let near = suggest::nearest(name, several.iter().map(|name| name.as_str()))?;
            several.iter().copied().find(|other| *other == near)
        }
    }
}

/// The object that has a new member of this name and schema.
fn moved<'n>(name: &str, before: &FieldSurface, old: &ResourceSurface, new: &'n ResourceSurface) -> Option<&'n String> {
    let member = |field: &FieldSurface| field.schema.get("properties").and_then(|members| members.get(name)).cloned();
    let mut objects = new.fields.iter().filter(|(object, field)| {
        let was: Option<Value> = old.fields.get(*object).and_then(member);
        was.is_none() && member(field).is_some_and(|schema| schema == before.schema)
    });
    objects.next().map(|(object, _)| object)
}
