//! The one spelling of a JSON body: without white space, members sorted by name.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::json;

/// A body as its fingerprint is taken: JSON in its one spelling, anything else as it is.
pub(super) fn canonical(body: &[u8]) -> Vec<u8> {
    match json::parse(body) {
        Ok(value) => {
            let mut text = String::with_capacity(body.len());
            write(&mut text, &value);
            text.into_bytes()
        }
        Err(_) => body.to_vec(),
    }
}

fn write(out: &mut String, value: &Value) {
    match value {
        Value::Object(members) => {
            out.push('{');
            let sorted: BTreeMap<&String, &Value> = members.iter().collect();
            for (place, (name, member)) in sorted.into_iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                out.push_str(&Value::String(name.clone()).to_string());
                out.push(':');
                write(out, member);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    out.push(',');
                }
                write(out, item);
            }
            out.push(']');
        }
        other => out.push_str(&other.to_string()),
    }
}
