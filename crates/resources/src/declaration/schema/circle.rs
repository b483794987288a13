//! References that lead nowhere, or in a circle. A validator would follow a circle until its stack is used up.

use std::collections::HashSet;

use serde_json::Value;

/// What is wrong with the references of a schema.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// This pointer has no target.
    Nowhere(String),
    /// This pointer leads back to itself while the value stays the same.
    Circle(String),
}

/// Keywords whose schemas look at the same value.
const SAME_VALUE: [&str; 4] = ["not", "if", "then", "else"];
const SAME_VALUE_LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// The first reference that is wrong.
pub(super) fn find(schema: &Value) -> Option<Finding> {
    let mut done = HashSet::new();
    let mut waiting = vec![schema];
    while let Some(value) = waiting.pop() {
        if value.get("$ref").is_some()
            && let Some(finding) = follow(schema, value, &mut Vec::new(), &mut done)
        {
            return Some(finding);
        }
        match value {
            Value::Object(members) => waiting.extend(members.values()),
            Value::Array(items) => waiting.extend(items),
            _ => {}
        }
    }
    None
}

/// Follows a schema through all that look at the same value. `way` holds where it came from, `done` what is known to end.
fn follow<'s>(
    root: &'s Value,
    schema: &'s Value,
    way: &mut Vec<*const Value>,
    done: &mut HashSet<*const Value>,
) -> Option<Finding> {
    let here = std::ptr::from_ref(schema);
    if done.contains(&here) {
        return None;
    }
    way.push(here);
    let finding = beside(schema).find_map(|next| follow(root, next, way, done)).or_else(|| {
        let pointer = schema.get("$ref")?.as_str()?;
        let Some(target) = pointer.strip_prefix('#').and_then(|pointer| root.pointer(pointer)) else {
            return Some(Finding::Nowhere(pointer.to_owned()));
        };
        if way.contains(&std::ptr::from_ref(target)) || way.len() > MOST_STEPS {
            return Some(Finding::Circle(pointer.to_owned()));
        }
        follow(root, target, way, done)
    });
    way.pop();
    done.insert(here);
    finding
}

/// So long a way is as good as a circle, and would cost stack.
const MOST_STEPS: usize = 256;

/// The schemas that look at the same value as this one.
fn beside(schema: &Value) -> impl Iterator<Item = &Value> {
    let single = SAME_VALUE.iter().filter_map(|keyword| schema.get(keyword));
    let lists = SAME_VALUE_LISTS.iter().filter_map(|keyword| schema.get(keyword)?.as_array()).flatten();
    let dependent = schema.get("dependentSchemas").and_then(Value::as_object).into_iter().flat_map(|map| map.values());
    single.chain(lists).chain(dependent)
}
