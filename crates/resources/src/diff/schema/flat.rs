//! A schema as it can be compared: references followed, `allOf` joined, and the three ways to allow null made one.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// References that lead to references, and `allOf` within `allOf`.
const LONGEST: usize = 32;

/// A schema without references and `allOf` at its top.
pub(super) struct Flat<'a> {
    keywords: Cow<'a, Map<String, Value>>,
    /// The types that are possible; empty: any.
    pub(super) types: BTreeSet<String>,
    /// Is null allowed besides?
    pub(super) is_nullable: bool,
    /// The values that are possible, without null.
    pub(super) values: Option<Vec<Value>>,
    is_never: bool,
    has_plain_branches: bool,
}

/// Where a reference leads; anything else is itself. What leads nowhere, or in a circle, allows everything.
pub(in crate::diff) fn follow<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    static ANYTHING: Value = Value::Bool(true);
    let mut at = schema;
    for _ in 0..LONGEST {
        let Some(pointer) = at.get("$ref").and_then(Value::as_str) else { return at };
        // Beside a reference, other keywords count too (OpenAPI 3.1): such a schema is joined, not followed.
        if at.as_object().is_some_and(|keywords| keywords.keys().any(|key| key != "$ref" && is_telling(key))) {
            return at;
        }
        let Some(target) = lookup(root, pointer) else { return &ANYTHING };
        at = target;
    }
    &ANYTHING
}

fn lookup<'a>(root: &'a Value, pointer: &str) -> Option<&'a Value> {
    let pointer = pointer.strip_prefix('#')?;
    if pointer.contains('%') { root.pointer(&decoded(pointer)) } else { root.pointer(pointer) }
}

/// A fragment may be percent-encoded.
fn decoded(pointer: &str) -> String {
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut rest = pointer.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match code.filter(|_| *first == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Does a keyword say anything about values?
fn is_telling(keyword: &str) -> bool {
    !matches!(
        keyword,
        "description"
            | "title"
            | "summary"
            | "example"
            | "examples"
            | "externalDocs"
            | "xml"
            | "$comment"
            | "deprecated"
            | "$defs"
    ) && !keyword.starts_with("x-")
}

impl<'a> Flat<'a> {
    pub(super) fn of(root: &'a Value, schema: &'a Value) -> Self {
        let schema = follow(root, schema);
        let Value::Object(own) = schema else {
            let is_never = schema == &Value::Bool(false);
            return Self::unread(Cow::Owned(Map::new()), is_never);
        };
        let mut is_never = false;
        let is_joined = ["$ref", "allOf"].iter().any(|keyword| own.contains_key(*keyword)) || has_null_branch(own);
        let keywords = if is_joined {
            let mut joined = Map::new();
            let mut left = 256;
            join(root, schema, &mut joined, LONGEST, &mut left, &mut is_never);
            Cow::Owned(joined)
        } else {
            Cow::Borrowed(own)
        };
        let mut flat = Self::unread(keywords, is_never);
        flat.tell_types();
        flat
    }

    fn unread(keywords: Cow<'a, Map<String, Value>>, is_never: bool) -> Self {
        let types = BTreeSet::new();
        Self { keywords, types, is_nullable: false, values: None, is_never, has_plain_branches: false }
    }

    pub(super) fn get(&self, keyword: &str) -> Option<&Value> {
        self.keywords.get(keyword)
    }

    /// Is no value possible?
    pub(super) fn is_never(&self) -> bool {
        self.is_never
    }

    pub(super) fn is_set(&self, keyword: &str) -> bool {
        self.get(keyword) == Some(&Value::Bool(true))
    }

    /// The branches of `oneOf` or `anyOf`; none if all they say is a type.
    pub(super) fn branches(&self, keyword: &str) -> Option<&Vec<Value>> {
        self.get(keyword).and_then(Value::as_array).filter(|_| !self.has_plain_branches)
    }

    /// Is there nothing beside the branches?
    pub(super) fn has_only_branches(&self) -> bool {
        ["type", "properties", "items", "enum", "const"].iter().all(|keyword| self.get(keyword).is_none())
    }

    fn tell_types(&mut self) {
        let mut types = types(&self.keywords);
        if types.is_empty() {
            types = plain_branches(&self.keywords).unwrap_or_default();
            self.has_plain_branches = !types.is_empty();
        }
        let mut is_nullable = self.is_set("nullable") || types.remove("null");
        let values = match (self.get("const"), self.get("enum").and_then(Value::as_array)) {
            (Some(only), _) => Some(vec![only.clone()]),
            (None, values) => values.cloned(),
        };
        if let Some(values) = &values {
            is_nullable |= values.contains(&Value::Null) && (types.is_empty() || self.is_set("nullable"));
            if types.is_empty() {
                types.extend(values.iter().filter_map(kind_of).map(str::to_owned));
            }
        }
        self.values = values.map(|values| values.into_iter().filter(|value| !value.is_null()).collect());
        if types.is_empty() {
            let is_object =
                ["properties", "additionalProperties", "required"].iter().any(|key| self.get(key).is_some());
            types.extend(is_object.then(|| "object".to_owned()));
            types.extend(self.get("items").map(|_| "array".to_owned()));
        }
        self.types = types;
        self.is_nullable = is_nullable;
    }
}

/// The types that `type` names.
fn types(keywords: &Map<String, Value>) -> BTreeSet<String> {
    match keywords.get("type") {
        Some(Value::String(one)) => BTreeSet::from([one.clone()]),
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => BTreeSet::new(),
    }
}

/// `oneOf: [{ type: string }, { type: integer }]` is a list of types.
fn plain_branches(keywords: &Map<String, Value>) -> Option<BTreeSet<String>> {
    let branches = keywords.get("oneOf").xor(keywords.get("anyOf"))?.as_array()?;
    let mut all = BTreeSet::new();
    for branch in branches {
        let own = branch.as_object()?;
        let named = types(own);
        let is_more = own.contains_key("title") || own.keys().any(|keyword| keyword != "type" && is_telling(keyword));
        if named.is_empty() || is_more {
            return None;
        }
        all.extend(named);
    }
    Some(all)
}

fn kind_of(value: &Value) -> Option<&'static str> {
    match value {
        Value::Null => None,
        Value::Bool(_) => Some("boolean"),
        Value::Number(number) => Some(if number.is_f64() { "number" } else { "integer" }),
        Value::String(_) => Some("string"),
        Value::Array(_) => Some("array"),
        Value::Object(_) => Some("object"),
    }
}

/// `oneOf: [X, { type: null }]` is X that may be null.
fn has_null_branch(keywords: &Map<String, Value>) -> bool {
    ["oneOf", "anyOf"].iter().any(|keyword| null_branch(keywords, keyword).is_some())
}

fn null_branch(keywords: &Map<String, Value>, keyword: &str) -> Option<usize> {
    let branches = keywords.get(keyword)?.as_array()?;
    branches.iter().position(|branch| {
        branch.as_object().is_some_and(|own| {
            own.get("type") == Some(&json!("null")) || own.get("enum").is_some_and(|values| *values == json!([null]))
        })
    })
}

/// Joins a schema and all that it must also be. `left` bounds the parts, `depth` the way to them.
fn join(root: &Value, schema: &Value, into: &mut Map<String, Value>, depth: usize, left: &mut usize, never: &mut bool) {
    let schema = follow(root, schema);
    if depth == 0 || *left == 0 {
        return;
    }
    *left -= 1;
    let own = match schema {
        Value::Object(own) => own,
        Value::Bool(false) => {
            *never = true;
            return;
        }
        _ => return,
    };
    for (keyword, value) in own {
        match keyword.as_str() {
            "$ref" => {
                if let Some(target) = value.as_str().and_then(|pointer| lookup(root, pointer)) {
                    join(root, target, into, depth - 1, left, never);
                }
            }
            "allOf" => {
                for part in value.as_array().into_iter().flatten() {
                    join(root, part, into, depth - 1, left, never);
                }
            }
            "oneOf" | "anyOf" if null_branch(own, keyword).is_some() => {
                let skipped = null_branch(own, keyword);
                let branches = value.as_array().into_iter().flatten().enumerate();
                let others: Vec<&Value> =
                    branches.filter(|(place, _)| Some(*place) != skipped).map(|(_, branch)| branch).collect();
                match others.as_slice() {
                    [only] => join(root, only, into, depth - 1, left, never),
                    _ => put(into, keyword, &json!(others)),
                }
                into.insert("nullable".to_owned(), json!(true));
            }
            _ => put(into, keyword, value),
        }
    }
}

/// Adds a keyword to those that hold already; both must.
fn put(into: &mut Map<String, Value>, keyword: &str, value: &Value) {
    let Some(held) = into.get_mut(keyword) else {
        into.insert(keyword.to_owned(), value.clone());
        return;
    };
    match (keyword, held, value) {
        ("properties" | "patternProperties" | "$defs", Value::Object(held), Value::Object(more)) => {
            for (name, schema) in more {
                match held.get_mut(name) {
                    Some(one) => also(one, schema),
                    None => {
                        held.insert(name.clone(), schema.clone());
                    }
                }
            }
        }
        ("required", Value::Array(held), Value::Array(more)) => {
            held.extend(more.iter().filter(|name| !held.contains(name)).cloned().collect::<Vec<_>>());
        }
        ("enum", Value::Array(held), Value::Array(more)) => held.retain(|value| more.contains(value)),
        ("oneOf" | "anyOf", Value::Array(held), Value::Array(more)) => held.extend(more.iter().cloned()),
        ("minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties", held, value)
            if value.as_f64() > held.as_f64() =>
        {
            *held = value.clone();
        }
        ("maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties", held, value)
            if value.as_f64() < held.as_f64() =>
        {
            *held = value.clone();
        }
        ("additionalProperties" | "nullable", held, value) if value == &Value::Bool(false) => {
            *held = value.clone();
        }
        ("readOnly" | "writeOnly" | "uniqueItems", held, value) if value == &Value::Bool(true) => {
            *held = value.clone();
        }
        ("default" | "description" | "title" | "example" | "examples", held, value) => *held = value.clone(),
        _ => {}
    }
}

/// Makes a schema ask for another one besides. What it asks for already is not repeated, so that circles come to an end.
fn also(one: &mut Value, other: &Value) {
    if one == other {
        return;
    }
    let parts = one.as_object_mut().filter(|own| own.len() == 1).and_then(|own| own.get_mut("allOf"));
    match parts.and_then(Value::as_array_mut) {
        Some(parts) if parts.contains(other) => {}
        Some(parts) => parts.push(other.clone()),
        None => *one = json!({ "allOf": [one.take(), other] }),
    }
}
