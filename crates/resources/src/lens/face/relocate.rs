//! One resource, one move back: what is at another place in the document, with all that lists go by.

use serde_json::{Map, Value};

use super::{Side, Wrong};
use crate::lens::turn::Turn;
use crate::model::Field;

impl Side {
    pub(super) fn relocate(&mut self, from: &[String], to: &[String]) -> Result<(), Wrong> {
        let (Some(first), Some(last)) = (from.first(), from.last()) else { return Ok(()) };
        let mut moved = self.take_out(to)?;
        moved.move_inner(&to.join("."), &from.join("."));
        moved.name = from.join(".");
        if from.len() == 1 {
            self.free(first)?;
            self.face.fields.push(moved);
        } else {
            let place = self.place(first)?;
            let outer = &mut self.face.fields[place];
            let inner = object_at(&mut outer.schema, &from[1..from.len() - 1]).ok_or_else(|| {
                (format!("`{}` is no object that could hold it.", from[..from.len() - 1].join(".")), None)
            })?;
            if let Some(members) = properties(inner) {
                members.insert(last.clone(), moved.schema.clone());
            }
            if moved.required {
                let required = inner.entry("required").or_insert_with(|| Value::Array(Vec::new()));
                required.as_array_mut().into_iter().for_each(|names| names.push(Value::String(last.clone())));
            }
            outer.inner.append(&mut moved.inner);
            if moved.filter || moved.sort {
                let required = moved.required && outer.required && from.len() == 2;
                let Field { name, schema, filter, sort, .. } = moved;
                outer.inner.push(Field { required, filter, sort, ..Field::new(&name, schema) });
            }
        }
        if self.face.state.as_deref() == to.first().map(String::as_str) && to.len() == 1 {
            self.face.state = (from.len() == 1).then(|| last.clone());
        }
        let rest = self.face.fields.iter().find(|field| to.len() > 1 && field.name == to[0]);
        let is_nullable = rest.is_some_and(Field::is_nullable);
        self.turns.push(Turn::Move { older: from.to_vec(), newer: to.to_vec(), is_nullable });
        Ok(())
    }

    /// Takes what is at a place out of the newer face, as a field.
    fn take_out(&mut self, path: &[String]) -> Result<Field, Wrong> {
        let [first, inner @ ..] = path else { return Err(("The change does not say where it went.".to_owned(), None)) };
        let place = self.place(first)?;
        let Some((last, way)) = inner.split_last() else {
            return Ok(self.face.fields.remove(place));
        };
        // A part of what may be missing may be missing.
        let outer = &mut self.face.fields[place];
        let is_outer_required = outer.required;
        let missing = || (format!("`{}` has no member `{}`.", first, inner.join(".")), None);
        let object = object_at(&mut outer.schema, way).ok_or_else(missing)?;
        let schema = properties(object).and_then(|members| members.remove(last)).ok_or_else(missing)?;
        let mut is_required = false;
        if let Some(names) = object.get_mut("required").and_then(Value::as_array_mut) {
            is_required = names.iter().any(|name| name == last.as_str()) && way.is_empty() && is_outer_required;
            names.retain(|name| name != last.as_str());
        }
        prune(&mut outer.schema, way);
        let name = path.join(".");
        let mut moved = Field { required: is_required, ..Field::new(&name, schema) };
        let is_moved =
            |key: &Field| key.name.strip_prefix(&name).is_some_and(|below| below.is_empty() || below.starts_with('.'));
        for key in outer.inner.extract_if(.., |key| is_moved(key)) {
            if key.name == name {
                (moved.filter, moved.sort) = (key.filter, key.sort);
            } else {
                moved.inner.push(key);
            }
        }
        Ok(moved)
    }
}

/// The schema of an object inside of another.
fn object_at<'s>(schema: &'s mut Value, way: &[String]) -> Option<&'s mut Map<String, Value>> {
    let mut here = schema.as_object_mut()?;
    for name in way {
        here = here.get_mut("properties")?.get_mut(name)?.as_object_mut()?;
    }
    (here.get("type").and_then(Value::as_str) == Some("object")).then_some(here)
}

/// Objects on this way that have no member left were only there to hold what is gone.
fn prune(schema: &mut Value, way: &[String]) {
    let Some((last, above)) = way.split_last() else { return };
    let is_empty = |object: &Value| object.get("properties").and_then(Value::as_object).is_some_and(Map::is_empty);
    let Some(object) = object_at(schema, above) else { return };
    if properties(object).and_then(|members| members.get(last)).is_some_and(is_empty) {
        properties(object).map(|members| members.remove(last));
        if let Some(names) = object.get_mut("required").and_then(Value::as_array_mut) {
            names.retain(|name| name != last.as_str());
        }
        prune(schema, above);
    }
}

fn properties(object: &mut Map<String, Value>) -> Option<&mut Map<String, Value>> {
    object.entry("properties").or_insert_with(|| Value::Object(Map::new())).as_object_mut()
}
