//! Merge patches, as RFC 7396 §2 writes them down.

use serde_json::{Map, Value};

use super::{PatchError, size::measure};
use crate::json::MAX_VALUES;

/// The document with the fields of the patch in it. No deeper than the deeper of the two.
pub(super) fn apply(mut document: Value, patch: &Value, largest: usize) -> Result<Value, PatchError> {
    let largest = largest.max(measure(&document).bytes);
    merge(&mut document, patch);
    let size = measure(&document);
    if size.bytes > largest || size.nodes > MAX_VALUES { Err(PatchError::TooLarge) } else { Ok(document) }
}

fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(changes) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(members) = target else { return };
    for (key, change) in changes {
        if change.is_null() {
            members.remove(key);
        } else {
            merge(members.entry(key.as_str()).or_insert(Value::Null), change);
        }
    }
}
