//! Patches: what comes out is what RFC 6902 and RFC 7396 say, by an account of them that cares for nothing but brevity.

use http::{HeaderMap, HeaderValue, header};
use serde_json::Value;
use valetkey_rest::patch::{Operation, Patch, PatchError};

pub const WORDS: &[&str] = &[
    "\n",
    "{\"op\":\"add\",\"path\":\"/a\",\"value\":1}",
    "\"op\":\"test\"",
    "\"op\":\"move\",\"from\":\"/a\"",
    "remove",
    "replace",
    "copy",
    "/-",
    "/0",
    "/01",
    "/a/b",
    "~0",
    "~1",
    "~2",
    "null",
    "1.0",
    "[]",
    "{}",
    ",",
    "-0.0",
    "1e2",
    "18446744073709551615",
];

/// Places that mean something in [`DOCUMENT`], or nearly do.
const PLACES: [&str; 20] = [
    "", "/", "/a", "/a/0", "/a/1", "/a/2", "/a/3", "/a/4", "/a/-", "/a/00", "/a/01", "/a/+1", "/b", "/b/c", "/b/c/0",
    "/b/d~1e", "/b/~0", "/b/0", "/a/2/f", "/n",
];
const VALUES: [&str; 10] =
    ["null", "1", "1.0", "-0.0", "0", "\"x\"", "[]", "{}", "[1,{\"f\":2}]", "{\"d/e\":1,\"c\":null}"];
const DOCUMENT: &str = r#"{"a":[1,2.0,{"f":null}],"b":{"c":[0],"d/e":true,"~":"x"},"n":9007199254740993}"#;

/// The document on the first line, the patch after it. Few changes of a patch are a patch, so that the same bytes also choose
/// one from a list of parts.
pub fn check(data: &[u8]) {
    let at = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    compare(&data[..at], data.get(at + 1..).unwrap_or_default());

    let pick = |list: &[&'static str], byte: u8| list[usize::from(byte) % list.len()];
    let operations: Vec<String> = data
        .chunks_exact(3)
        .take(6)
        .map(|bytes| {
            let op = pick(&["add", "remove", "replace", "move", "copy", "test"], bytes[0]);
            let (path, from, value) = (pick(&PLACES, bytes[1]), pick(&PLACES, bytes[2]), pick(&VALUES, bytes[2]));
            format!(r#"{{"op":"{op}","path":"{path}","from":"{from}","value":{value}}}"#)
        })
        .collect();
    // One after the other, since a patch that fails says nothing of what would have come.
    for length in 1..=operations.len() {
        compare(DOCUMENT.as_bytes(), format!("[{}]", operations[length - 1..].join(",")).as_bytes());
        compare(DOCUMENT.as_bytes(), format!("[{}]", operations[length - 1]).as_bytes());
    }
    if let [one, other, ..] = data {
        compare(pick(&VALUES, *one).as_bytes(), pick(&VALUES, *other).as_bytes());
    }
}

fn compare(document: &[u8], body: &[u8]) {
    let Ok(document) = valetkey_rest::json::parse(document) else { return };
    for media_type in ["application/json-patch+json", "application/merge-patch+json"] {
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(media_type))]);
        let Ok(patch) = Patch::read(&headers, body) else { continue };
        let expected = match &patch {
            Patch::Json(operations) => by_hand(&document, operations),
            Patch::Merge(fields) => Some(merged(document.clone(), fields)),
        };
        match patch.apply(&document) {
            Ok(patched) => assert_eq!(Some(patched), expected),
            // How much is too much is for the server to say.
            Err(PatchError::TooLarge) => {}
            Err(error) => assert_eq!(expected, None, "{error}"),
        }
    }
}

fn by_hand(document: &Value, operations: &[Operation]) -> Option<Value> {
    let mut draft = document.clone();
    for operation in operations {
        match operation {
            Operation::Add { path, value } => add(&mut draft, path.tokens(), value.clone())?,
            Operation::Remove { path } => drop(remove(&mut draft, path.tokens())?),
            Operation::Replace { path, value } => *draft.pointer_mut(&path.to_string())? = value.clone(),
            Operation::Copy { from, path } => {
                let copied = draft.pointer(&from.to_string())?.clone();
                add(&mut draft, path.tokens(), copied)?;
            }
            Operation::Move { from, path } if from == path => drop(draft.pointer(&from.to_string())?),
            Operation::Move { from, path } => {
                if path.tokens().starts_with(from.tokens()) {
                    return None;
                }
                let moved = remove(&mut draft, from.tokens())?;
                add(&mut draft, path.tokens(), moved)?;
            }
            Operation::Test { path, value } => {
                if !equal(draft.pointer(&path.to_string())?, value) {
                    return None;
                }
            }
        }
    }
    Some(draft)
}

/// The value around the last step.
fn around<'a, 't>(document: &'a mut Value, tokens: &'t [String]) -> Option<(&'a mut Value, &'t str)> {
    let (last, parents) = tokens.split_last()?;
    let parents: String =
        parents.iter().map(|token| format!("/{}", token.replace('~', "~0").replace('/', "~1"))).collect();
    Some((document.pointer_mut(&parents)?, last))
}

fn add(document: &mut Value, tokens: &[String], value: Value) -> Option<()> {
    if tokens.is_empty() {
        *document = value;
        return Some(());
    }
    match around(document, tokens)? {
        (Value::Object(members), name) => drop(members.insert(name.to_owned(), value)),
        (Value::Array(items), "-") => items.push(value),
        (Value::Array(items), at) => {
            let at = place(at).filter(|at| *at <= items.len())?;
            items.insert(at, value);
        }
        _ => return None,
    }
    Some(())
}

fn remove(document: &mut Value, tokens: &[String]) -> Option<Value> {
    match around(document, tokens)? {
        (Value::Object(members), name) => members.remove(name),
        (Value::Array(items), at) => place(at).filter(|at| *at < items.len()).map(|at| items.remove(at)),
        _ => None,
    }
}

/// A number as it is written by itself: no sign, no zeros in front.
fn place(token: &str) -> Option<usize> {
    token.parse::<usize>().ok().filter(|number| number.to_string() == token)
}

fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => match (one.as_i128(), other.as_i128()) {
            (Some(one), Some(other)) => one == other,
            _ => one.as_f64() == other.as_f64(),
        },
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.keys().eq(other.keys()) && one.values().zip(other.values()).all(|(one, other)| equal(one, other))
        }
        _ => one == other,
    }
}

/// RFC 7396 §2, nearly word for word.
fn merged(target: Value, patch: &Value) -> Value {
    let Value::Object(changes) = patch else { return patch.clone() };
    let mut members = if let Value::Object(members) = target { members } else { serde_json::Map::new() };
    for (name, change) in changes {
        let before = members.remove(name).unwrap_or_default();
        if !change.is_null() {
            members.insert(name.clone(), merged(before, change));
        }
    }
    Value::Object(members)
}
