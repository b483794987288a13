//! Applies operations one after the other, and keeps account of what that costs. RFC 6902 §4 says what each one means.

use serde_json::Value;

use super::{
    Operation, PatchError, Pointer,
    pointer::{find, find_mut, index},
    size::{Size, measure},
};
use crate::json::{MAX_DEPTH, MAX_VALUES};

/// Values that one patch may look at and copy, all operations together. An honest patch needs a few hundred.
const MAX_WORK: usize = 500_000;
/// So many values are shifted within an array while one is copied.
const SHIFTED_AT_ONCE: usize = 8;

pub(super) fn apply(document: Value, operations: &[Operation], largest: usize) -> Result<Value, PatchError> {
    let bytes = measure(&document).bytes;
    let mut draft = Draft { document, bytes, largest: largest.max(bytes), work: 0 };
    for operation in operations {
        draft.apply(operation)?;
    }
    let size = measure(&draft.document);
    debug_assert_eq!(draft.bytes, size.bytes, "the account of bytes has drifted");
    if size.nodes > MAX_VALUES { Err(PatchError::TooLarge) } else { Ok(draft.document) }
}

/// So many bytes of text are copied in the time of one value: a few texts may be all of a large document.
const COPIED_AT_ONCE: usize = 1024;

/// The document so far. `bytes` follows its size, so that no operation measures all of it again.
struct Draft {
    document: Value,
    bytes: usize,
    largest: usize,
    work: usize,
}

impl Draft {
    fn apply(&mut self, operation: &Operation) -> Result<(), PatchError> {
        match operation {
            Operation::Add { path, value } => self.add(path, value.clone()),
            Operation::Remove { path } => self.remove(path).map(drop),
            Operation::Replace { path, value } => self.replace(path, value.clone()),
            Operation::Move { from, path } => self.relocate(from, path),
            Operation::Copy { from, path } => {
                let source = find(&self.document, from.tokens()).ok_or_else(|| missing(from))?;
                // Looked at before it is copied: a source may be large, and copied a thousand times.
                let size = measure(source);
                self.spend(size.nodes + size.bytes / COPIED_AT_ONCE)?;
                let copy = find(&self.document, from.tokens()).cloned().ok_or_else(|| missing(from))?;
                self.add(path, copy)
            }
            Operation::Test { path, value } => {
                let found = find(&self.document, path.tokens()).ok_or_else(|| missing(path))?;
                if equal(found, value) { Ok(()) } else { Err(PatchError::TestFailed { pointer: path.to_string() }) }
            }
        }
    }

    fn add(&mut self, path: &Pointer, value: Value) -> Result<(), PatchError> {
        let Some((parent, last)) = path.split_last() else {
            return self.replace(path, value);
        };
        let size = self.admit(path, &value)?;
        let parent = find_mut(&mut self.document, parent).ok_or_else(|| missing(path))?;
        match parent {
            Value::Object(members) => {
                let before = members.insert(last.to_owned(), value);
                self.shrink(before.as_ref(), last.len() + 4);
                self.grow(size.bytes + last.len() + 4)
            }
            Value::Array(items) => {
                let at = if last == "-" { Some(items.len()) } else { index(last) };
                let at = at.filter(|at| *at <= items.len()).ok_or_else(|| missing(path))?;
                let shifted = items.len() - at;
                items.insert(at, value);
                self.spend(shifted / SHIFTED_AT_ONCE)?;
                self.grow(size.bytes + 1)
            }
            _ => Err(missing(path)),
        }
    }

    fn remove(&mut self, path: &Pointer) -> Result<Value, PatchError> {
        let Some((parent, last)) = path.split_last() else {
            let reason = "the whole document cannot be removed";
            return Err(PatchError::Invalid { pointer: path.to_string(), reason });
        };
        let parent = find_mut(&mut self.document, parent).ok_or_else(|| missing(path))?;
        let (removed, shifted, key) = match parent {
            Value::Object(members) => (members.remove(last), 0, last.len() + 4),
            Value::Array(items) => match index(last).filter(|at| *at < items.len()) {
                Some(at) => {
                    let shifted = items.len() - at;
                    (Some(items.remove(at)), shifted, 1)
                }
                None => (None, 0, 0),
            },
            _ => (None, 0, 0),
        };
        let removed = removed.ok_or_else(|| missing(path))?;
        self.spend(shifted / SHIFTED_AT_ONCE)?;
        self.shrink(Some(&removed), key);
        Ok(removed)
    }

    fn replace(&mut self, path: &Pointer, value: Value) -> Result<(), PatchError> {
        let size = self.admit(path, &value)?;
        let target = find_mut(&mut self.document, path.tokens()).ok_or_else(|| missing(path))?;
        let before = std::mem::replace(target, value);
        self.shrink(Some(&before), 0);
        self.grow(size.bytes)
    }

    fn relocate(&mut self, from: &Pointer, path: &Pointer) -> Result<(), PatchError> {
        if from == path {
            // Nothing moves, but what is not there cannot be moved either.
            return find(&self.document, from.tokens()).map(drop).ok_or_else(|| missing(from));
        }
        if from.contains(path) {
            let reason = "a value cannot be moved into itself";
            return Err(PatchError::Invalid { pointer: path.to_string(), reason });
        }
        let value = self.remove(from)?;
        self.add(path, value)
    }

    /// Measures a value that comes in at this place. A deep document would exhaust the stack of whoever walks it.
    fn admit(&mut self, path: &Pointer, value: &Value) -> Result<Size, PatchError> {
        let size = measure(value);
        self.spend(size.nodes)?;
        if path.tokens().len() + size.depth > MAX_DEPTH { Err(PatchError::TooLarge) } else { Ok(size) }
    }

    fn grow(&mut self, bytes: usize) -> Result<(), PatchError> {
        self.bytes += bytes;
        if self.bytes > self.largest { Err(PatchError::TooLarge) } else { Ok(()) }
    }

    /// Accounts for a value that went away, and for its key.
    fn shrink(&mut self, value: Option<&Value>, key: usize) {
        if let Some(value) = value {
            self.bytes = self.bytes.saturating_sub(measure(value).bytes + key);
        }
    }

    fn spend(&mut self, work: usize) -> Result<(), PatchError> {
        self.work += work;
        if self.work > MAX_WORK { Err(PatchError::TooLarge) } else { Ok(()) }
    }
}

fn missing(path: &Pointer) -> PatchError {
    PatchError::MissingPath { pointer: path.to_string() }
}

/// RFC 6902 §4.6: numbers are equal if their values are, so 1 is 1.0.
fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64() == other.as_f64() && fractional(one, other)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| equal(value, other)))
        }
        _ => one == other,
    }
}

/// Two integers are compared as integers: beyond 2^53 several have the same floating value.
fn fractional(one: &serde_json::Number, other: &serde_json::Number) -> bool {
    one.is_f64() || other.is_f64()
}
