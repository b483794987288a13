//! A document from JSON or YAML, as JSON. More lenient than the reader of declarations: documents are written by other
//! programs, and may be large and have anchors. Anchors cannot make a small text grow without bound.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};

use crate::declaration::plain_scalar;

/// So deep lists and maps may stand in each other.
const DEEPEST: usize = 128;
/// So many values may come out of anchors.
const MOST_REPEATED: usize = 1_000_000;

/// Why a text is no document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct Unreadable {
    /// Counted from one.
    pub line: usize,
    /// What is wrong.
    pub why: String,
}

/// Reads a text as JSON, or else as YAML.
pub fn read(text: &str) -> Result<Value, Unreadable> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with('{') {
        match serde_json::from_str(text) {
            Ok(value) => return Ok(value),
            // Flow style of YAML also begins with a brace; whoever wrote JSON is told about JSON.
            Err(error) => {
                return yaml(text).map_err(|_| Unreadable { line: error.line(), why: error.to_string() });
            }
        }
    }
    yaml(text)
}

/// A list or a map that has not ended yet, and the anchor it has.
enum Frame {
    List(Vec<Value>, usize),
    Map(Map<String, Value>, Option<String>, usize),
}

fn yaml(text: &str) -> Result<Value, Unreadable> {
    let mut frames: Vec<Frame> = Vec::new();
    let mut anchors: HashMap<usize, (Value, usize)> = HashMap::new();
    let mut left = MOST_REPEATED;
    let mut root = None;
    let mut parser = Parser::new_from_str(text);
    while let Some(next) = parser.next_event() {
        let (event, span) = next.map_err(|error| Unreadable {
            line: error.marker().line(),
            why: format!("this is neither JSON nor YAML: {}", error.info()),
        })?;
        let refuse = |why: &str| Err(Unreadable { line: span.start.line(), why: why.to_owned() });
        let (value, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                if let Some(Frame::Map(_, key @ None, _)) = frames.last_mut() {
                    *key = Some(text.into_owned());
                    continue;
                }
                let is_plain = style == ScalarStyle::Plain && tag.is_none();
                let value = if is_plain { plain_scalar(&text) } else { None };
                (value.unwrap_or_else(|| Value::String(text.into_owned())), anchor)
            }
            Event::Alias(anchor) => {
                let Some((value, size)) = anchors.get(&anchor) else { return refuse("this alias leads nowhere") };
                if *size > left {
                    return refuse("aliases repeat too much");
                }
                left -= size;
                (value.clone(), 0)
            }
            Event::SequenceStart(anchor, _) => {
                frames.push(Frame::List(Vec::new(), anchor));
                if frames.len() > DEEPEST {
                    return refuse("lists and maps stand in each other too deep");
                }
                continue;
            }
            Event::MappingStart(anchor, _) => {
                frames.push(Frame::Map(Map::new(), None, anchor));
                if frames.len() > DEEPEST {
                    return refuse("lists and maps stand in each other too deep");
                }
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match frames.pop() {
                Some(Frame::List(values, anchor)) => (Value::Array(values), anchor),
                Some(Frame::Map(values, _, anchor)) => (Value::Object(values), anchor),
                None => continue,
            },
            // Of several documents, the first counts.
            Event::DocumentEnd if root.is_some() => break,
            _ => continue,
        };
        if anchor > 0 {
            anchors.insert(anchor, (value.clone(), size(&value)));
        }
        match frames.last_mut() {
            Some(Frame::List(values, _)) => values.push(value),
            Some(Frame::Map(values, key, _)) => match key.take() {
                Some(name) if name == "<<" => merge(values, value),
                Some(name) => {
                    values.insert(name, value);
                }
                None => return refuse("a key must be a word, not a list or a map"),
            },
            None => root = Some(value),
        }
    }
    root.ok_or(Unreadable { line: 1, why: "there is nothing in it".to_owned() })
}

/// `<<: *base`: what is said beside it wins.
fn merge(into: &mut Map<String, Value>, value: Value) {
    let parts = if let Value::Array(parts) = value { parts } else { vec![value] };
    for part in parts {
        if let Value::Object(members) = part {
            for (name, value) in members {
                into.entry(name).or_insert(value);
            }
        }
    }
}

fn size(value: &Value) -> usize {
    match value {
        Value::Array(values) => 1 + values.iter().map(size).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(size).sum::<usize>(),
        _ => 1,
    }
}
