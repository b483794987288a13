//! The operations of JSON Patch, read from a body. Members that RFC 6902 does not know are ignored, as it asks (§4).

use serde_json::{Map, Value};

use super::{MAX_OPERATIONS, Pointer};
use crate::{
    json,
    problem::{FieldCode, FieldError, Problem, catalogue},
};

/// One step of a JSON Patch.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the members are those of RFC 6902 §4")]
pub enum Operation {
    /// Puts a value into an object or before an item of an array; `-` appends.
    Add { path: Pointer, value: Value },
    /// Takes a value away.
    Remove { path: Pointer },
    /// Puts a value where one is.
    Replace { path: Pointer, value: Value },
    /// Takes a value from one place and adds it at another.
    Move { from: Pointer, path: Pointer },
    /// Adds a copy of a value at another place.
    Copy { from: Pointer, path: Pointer },
    /// Goes on only if this value is there.
    Test { path: Pointer, value: Value },
}

/// More errors would help nobody, and a hostile patch has thousands.
const MOST_ERRORS: usize = 50;

/// Reads a patch document. All operations that cannot be read are reported at once.
pub(super) fn read(body: &[u8]) -> Result<Vec<Operation>, Problem> {
    let Value::Array(items) = json::parse(body)? else {
        return Err(Problem::new(&catalogue::BAD_REQUEST).detail("A JSON Patch is a list of operations."));
    };
    if items.len() > MAX_OPERATIONS {
        // Not 413: it is the list that is too long, whatever its bytes, as with a list in any other body.
        let told = format!("A patch has at most {MAX_OPERATIONS} operations. Send several patches.");
        return Err(Problem::new(&catalogue::UNPROCESSABLE)
            .detail(told.clone())
            .with_fields(vec![FieldError::new("", FieldCode::TooLong).pointer("").detail(told)]));
    }
    let mut operations = Vec::with_capacity(items.len());
    let (mut errors, mut left_out) = (Vec::new(), 0_usize);
    for (at, item) in items.into_iter().enumerate() {
        match operation(item) {
            Ok(operation) => operations.push(operation),
            Err(_) if errors.len() == MOST_ERRORS => left_out += 1,
            Err((member, code, detail)) => {
                let pointer = if member.is_empty() { format!("/{at}") } else { format!("/{at}/{member}") };
                let name = pointer[1..].replace('/', ".");
                errors.push(FieldError::new(name, code).pointer(pointer).detail(detail));
            }
        }
    }
    if errors.is_empty() {
        return Ok(operations);
    }
    let mut told = "The patch has operations that cannot be read; `errors` names each.".to_owned();
    if left_out > 0 {
        told.push_str(&format!(" {left_out} more are left out."));
    }
    Err(Problem::new(&catalogue::BAD_REQUEST).detail(told).with_fields(errors))
}

type Refusal = (&'static str, FieldCode, &'static str);

fn operation(item: Value) -> Result<Operation, Refusal> {
    let Value::Object(mut members) = item else {
        return Err(("", FieldCode::InvalidType, "An operation is an object."));
    };
    let op = match members.remove("op") {
        Some(Value::String(op)) => op,
        Some(_) => return Err(("op", FieldCode::InvalidType, "The name of an operation is a text.")),
        None => return Err(("op", FieldCode::Required, "Each operation has an `op`.")),
    };
    if !["add", "remove", "replace", "move", "copy", "test"].contains(&op.as_str()) {
        let detail = "The operations are add, remove, replace, move, copy and test.";
        return Err(("op", FieldCode::InvalidValue, detail));
    }
    let path = place(&mut members, "path")?;
    Ok(match op.as_str() {
        "add" => Operation::Add { path, value: value(&mut members)? },
        "remove" => Operation::Remove { path },
        "replace" => Operation::Replace { path, value: value(&mut members)? },
        "move" => Operation::Move { from: place(&mut members, "from")?, path },
        "copy" => Operation::Copy { from: place(&mut members, "from")?, path },
        _ => Operation::Test { path, value: value(&mut members)? },
    })
}

fn place(members: &mut Map<String, Value>, name: &'static str) -> Result<Pointer, Refusal> {
    match members.remove(name) {
        // No document is so deep; a thousand such places keep a core busy.
        Some(Value::String(text)) if text.bytes().filter(|byte| *byte == b'/').count() > json::MAX_DEPTH => {
            Err((name, FieldCode::TooLong, "A place has at most 32 steps."))
        }
        Some(Value::String(text)) => Pointer::parse(&text).ok_or((
            name,
            FieldCode::InvalidFormat,
            "A place is a JSON Pointer: empty, or steps that each begin with `/`.",
        )),
        Some(_) => Err((name, FieldCode::InvalidType, "A place is a text.")),
        None => Err((name, FieldCode::Required, "This operation needs a place.")),
    }
}

/// Null is a value; only a member that is not there is missing.
fn value(members: &mut Map<String, Value>) -> Result<Value, Refusal> {
    members.remove("value").ok_or(("value", FieldCode::Required, "This operation needs a value."))
}
