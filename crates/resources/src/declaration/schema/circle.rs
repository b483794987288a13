//! References that lead nowhere, in a circle, or to ever more schemas. A validator would follow a circle until its stack is
//! used up, and a tree of references for as long as it takes.

use std::collections::HashMap;

use serde_json::Value;

/// What is wrong with the references of a schema.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// This pointer has no target.
    Nowhere(String),
    /// This pointer leads back to itself while the value stays the same.
    Circle(String),
    /// This pointer stands for more schemas than one value should be checked against.
    Wide(String),
}

/// Keywords whose schemas look at the same value.
const SAME_VALUE: [&str; 4] = ["not", "if", "then", "else"];
const SAME_VALUE_LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
/// So long a way is as good as a circle, and would cost stack.
const MOST_STEPS: usize = 256;
/// How many schemas one value may be checked against.
const MOST_SCHEMAS: usize = 10_000;

/// The first reference that is wrong.
pub(super) fn find(schema: &Value) -> Option<Finding> {
    let mut walk = Walk { root: schema, way: Vec::new(), known: HashMap::new() };
    let mut waiting = vec![schema];
    while let Some(value) = waiting.pop() {
        if value.get("$ref").is_some()
            && let Err(finding) = walk.follow(value)
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

/// Follows schemas through all that look at the same value.
struct Walk<'s> {
    root: &'s Value,
    /// Where it came from.
    way: Vec<*const Value>,
    /// How many schemas stand behind those that were followed to their end.
    known: HashMap<*const Value, usize>,
}

impl<'s> Walk<'s> {
    fn follow(&mut self, schema: &'s Value) -> Result<usize, Finding> {
        let here = std::ptr::from_ref(schema);
        if let Some(count) = self.known.get(&here) {
            return Ok(*count);
        }
        self.way.push(here);
        let mut count = 1_usize;
        for next in beside(schema) {
            count = count.saturating_add(self.follow(next)?);
        }
        if let Some(pointer) = schema.get("$ref").and_then(Value::as_str) {
            let target = pointer.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
            let target = target.ok_or_else(|| Finding::Nowhere(pointer.to_owned()))?;
            if self.way.contains(&std::ptr::from_ref(target)) || self.way.len() > MOST_STEPS {
                return Err(Finding::Circle(pointer.to_owned()));
            }
            count = count.saturating_add(self.follow(target)?);
            if count > MOST_SCHEMAS {
                return Err(Finding::Wide(pointer.to_owned()));
            }
        }
        self.way.pop();
        self.known.insert(here, count);
        Ok(count)
    }
}

/// The schemas that look at the same value as this one.
fn beside(schema: &Value) -> impl Iterator<Item = &Value> {
    let single = SAME_VALUE.iter().filter_map(|keyword| schema.get(keyword));
    let lists = SAME_VALUE_LISTS.iter().filter_map(|keyword| schema.get(keyword)?.as_array()).flatten();
    let dependent = schema.get("dependentSchemas").and_then(Value::as_object).into_iter().flat_map(|map| map.values());
    single.chain(lists).chain(dependent)
}
