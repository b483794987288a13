//! How large a value is: the bytes of its JSON, nearly; its depth; and how many values it is made of.

use serde_json::Value;

/// The measure of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    /// Bytes of the JSON without spaces, before escapes: never more than the true length.
    pub(super) bytes: usize,
    /// Objects and arrays inside each other; 0 for a text or a number.
    pub(super) depth: usize,
    /// Values in it, itself included.
    pub(super) nodes: usize,
}

/// Measures a value. Its depth is that of a body, so recursion is safe.
pub(super) fn measure(value: &Value) -> Size {
    let leaf = |bytes| Size { bytes, depth: 0, nodes: 1 };
    match value {
        Value::Null | Value::Bool(true) => leaf(4),
        Value::Bool(false) => leaf(5),
        // Close enough: a number is short, and its digits are not worth writing out.
        Value::Number(_) => leaf(2),
        Value::String(text) => leaf(text.len() + 2),
        Value::Array(items) => items.iter().map(|item| (0, item)).fold(leaf(2), grow).nested(),
        Value::Object(members) => {
            members.iter().map(|(key, member)| (key.len() + 3, member)).fold(leaf(2), grow).nested()
        }
    }
}

fn grow(size: Size, (key, value): (usize, &Value)) -> Size {
    let inner = measure(value);
    Size {
        bytes: size.bytes + key + inner.bytes + 1,
        depth: size.depth.max(inner.depth),
        nodes: size.nodes + inner.nodes,
    }
}

impl Size {
    fn nested(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}
