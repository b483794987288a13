//! The one spelling of a JSON body: without white space, members sorted by name.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::json;

/// A body as its fingerprint is taken: JSON in its one spelling, anything else as it is.
pub(super) fn canonical(body: &[u8]) -> Vec<u8> {
    match json::parse(body) {
        Ok(value) => {
            let mut text = Vec::with_capacity(body.len());
            write(&mut text, &value);
            text
        }
        Err(_) => body.to_vec(),
    }
}

/// The same of an object that was read already.
pub(super) fn object(members: &Map<String, Value>) -> Vec<u8> {
    let mut text = Vec::with_capacity(256);
    write_object(&mut text, members);
    text
}

fn write(out: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Object(members) => write_object(out, members),
        Value::Array(items) => {
            out.push(b'[');
            for (place, item) in items.iter().enumerate() {
                separate(out, place);
                write(out, item);
            }
            out.push(b']');
        }
        other => plain(out, other),
    }
}

fn write_object(out: &mut Vec<u8>, members: &Map<String, Value>) {
    // They stand in order already, unless somebody builds serde_json otherwise.
    let sorted: Option<BTreeMap<_, _>> = (!members.keys().is_sorted()).then(|| members.iter().collect());
    let in_order: &mut dyn Iterator<Item = (&String, &Value)> = match &sorted {
        Some(sorted) => &mut sorted.iter().map(|(name, member)| (*name, *member)),
        None => &mut members.iter(),
    };
    out.push(b'{');
    for (place, (name, member)) in in_order.enumerate() {
        separate(out, place);
        plain(out, name);
        out.push(b':');
        write(out, member);
    }
    out.push(b'}');
}

fn separate(out: &mut Vec<u8>, place: usize) {
    if place > 0 {
        out.push(b',');
    }
}

fn plain(out: &mut Vec<u8>, value: &impl Serialize) {
    // Does not fail: text and numbers into memory.
    let _ = serde_json::to_writer(out, value);
}
