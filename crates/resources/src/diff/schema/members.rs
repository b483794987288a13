//! The members of objects: which there are, which must be there, and who writes them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::flat::Flat;
use super::graph::{Hides, Part};
use super::{Comparison, Difference, Effect};
use crate::diff::rule;

impl Comparison<'_> {
    pub(super) fn members(&mut self, before: &Flat<'_>, after: &Flat<'_>, is_text: bool, part: &mut Part) {
        let none = serde_json::Map::new();
        let old = before.get("properties").and_then(Value::as_object).unwrap_or(&none);
        let new = after.get("properties").and_then(Value::as_object).unwrap_or(&none);
        let (had_to, must) = (required(before), required(after));
        for (name, schema) in old {
            let path = format!(".{name}");
            let Some(now) = new.get(name) else {
                part.found.push(self.gone(name, schema).at(&path));
                continue;
            };
            let mut member = Part::default();
            let below = self.below(schema, now, is_text);
            member.adopt(below, &path);
            self.writers(name, schema, now, &mut member.found);
            let requirement = requirement(had_to.contains(name), must.contains(name), name);
            member.found.extend(requirement.map(|told| told.at(&path)));
            member.hide(hides(&Flat::of(self.old, schema), &Flat::of(self.new, now)));
            part.adopt(member, "");
        }
        for (name, schema) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
            let is_read_only = Flat::of(self.new, schema).is_set("readOnly");
            let is_required = must.contains(name) && !is_read_only;
            let told = format!("`{name}` is new{}", if is_required { " and required" } else { "" });
            let request = if is_required { &rule::REQUIRED_FIELD_ADDED } else { &rule::OPTIONAL_FIELD_ADDED };
            part.found.push(Difference::new(request, &rule::OPTIONAL_FIELD_ADDED, told).at(&format!(".{name}")));
        }
        self.others(before, after, is_text, part);
    }

    fn gone(&self, name: &str, schema: &Value) -> Difference {
        let was = Flat::of(self.old, schema);
        let told = format!("`{name}` is gone");
        if was.is_set("readOnly") {
            Difference::of_answer(&rule::FIELD_REMOVED, told)
        } else if was.is_set("writeOnly") {
            Difference::of_request(&rule::FIELD_REMOVED, told)
        } else {
            Difference::new(&rule::FIELD_REMOVED, &rule::FIELD_REMOVED, told)
        }
    }

    fn writers(&self, name: &str, old: &Value, new: &Value, found: &mut Vec<Difference>) {
        let (before, after) = (Flat::of(self.old, old), Flat::of(self.new, new));
        let path = format!(".{name}");
        let mut tell = |difference: Difference| found.push(difference.at(&path));
        match (before.is_set("readOnly"), after.is_set("readOnly")) {
            (false, true) => tell(Difference::of_request(&rule::FIELD_READ_ONLY, format!("`{name}` is read-only now"))),
            (true, false) => {
                tell(Difference::of_request(&rule::FIELD_WRITABLE, format!("`{name}` can be written now")))
            }
            _ => {}
        }
        match (before.is_set("writeOnly"), after.is_set("writeOnly")) {
            (false, true) => tell(Difference::of_answer(&rule::FIELD_REMOVED, format!("`{name}` is write-only now"))),
            (true, false) => tell(Difference::of_answer(&rule::OPTIONAL_FIELD_ADDED, format!("`{name}` is shown now"))),
            _ => {}
        }
    }

    /// Members that are not named.
    fn others(&mut self, before: &Flat<'_>, after: &Flat<'_>, is_text: bool, part: &mut Part) {
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            self.unnamed(before.get(keyword), after.get(keyword), is_text, part);
        }
    }

    fn unnamed(&mut self, old: Option<&Value>, new: Option<&Value>, is_text: bool, part: &mut Part) {
        match (old, new) {
            (Some(old), Some(new)) if old.is_object() && new.is_object() => {
                let below = self.below(old, new, is_text);
                part.adopt(below, ".*");
            }
            (Some(Value::Bool(false)), None | Some(Value::Bool(true) | Value::Object(_))) => {
                let told = "other members are allowed now".to_owned();
                part.found.push(Difference::new(&rule::VALIDATION_LOOSENED, &rule::OPTIONAL_FIELD_ADDED, told));
            }
            (None | Some(Value::Bool(true) | Value::Object(_)), Some(Value::Bool(false))) => {
                let told = "no other members are allowed any more".to_owned();
                part.found.push(Difference::of_bound(Effect::Narrowed, told));
            }
            (None | Some(Value::Bool(true)), Some(Value::Object(schema))) if !schema.is_empty() => {
                let told = "other members must fit a schema now".to_owned();
                part.found.push(Difference::of_bound(Effect::Narrowed, told));
            }
            (Some(Value::Object(schema)), None | Some(Value::Bool(true))) if !schema.is_empty() => {
                let told = "other members may be anything now".to_owned();
                part.found.push(Difference::of_bound(Effect::Widened, told));
            }
            _ => {}
        }
    }
}

fn requirement(had_to: bool, must: bool, name: &str) -> Option<Difference> {
    match (had_to, must) {
        (false, true) => {
            let told = format!("`{name}` is required now");
            Some(Difference::new(&rule::FIELD_BECAME_REQUIRED, &rule::FIELD_ALWAYS_PRESENT, told))
        }
        (true, false) => {
            let told = format!("`{name}` is no longer required");
            Some(Difference::new(&rule::FIELD_BECAME_OPTIONAL, &rule::FIELD_OPTIONAL, told))
        }
        _ => None,
    }
}

/// What nobody writes cannot be refused; what nobody reads cannot surprise.
fn hides(before: &Flat<'_>, after: &Flat<'_>) -> Hides {
    let is_always = |keyword| before.is_set(keyword) && after.is_set(keyword);
    Hides { from_writers: is_always("readOnly"), from_readers: is_always("writeOnly") }
}

fn required<'f>(schema: &'f Flat<'_>) -> BTreeSet<&'f String> {
    let names = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    names.filter_map(|name| if let Value::String(name) = name { Some(name) } else { None }).collect()
}
