//! Does what goes down come up again? Each change is tried with generated documents, in both directions, before anyone
//! relies on it.

use std::cmp::Ordering;

use serde_json::{Value, json};

use super::face::{Side, go_back, newest};
use super::sample::{Dice, document};
use super::turn::{Document, Turn};
use crate::model::{Api, Codec, Resource};
use crate::validate::Rules;

/// So many documents are tried in each direction.
const TRIES: u64 = 100;

/// A change that does not keep what it is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// The version whose change it is.
    pub version: u32,
    /// Which of its changes.
    pub step: usize,
    /// In which way.
    pub broken: Broken,
    /// What happened, with the value.
    pub told: String,
}

/// How a change can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    /// Something is lost on the way there and back, and the change is not marked `lossy`.
    Lossy,
    /// The older version may have what the newer cannot.
    Unstorable,
    /// Lists of the older version get another order.
    Reordered,
}

/// Every change that loses something without saying so, and every one that may be given what it cannot take.
pub fn breaches(api: &Api) -> Vec<Breach> {
    let mut found = Vec::new();
    let mut sides = newest(api);
    for version in api.versions.iter().rev() {
        for (step, change) in version.changes.iter().enumerate().rev() {
            let before = sides.clone();
            if go_back(&mut sides, change).is_err() {
                return found;
            }
            for (newer, older) in before.iter().zip(&sides) {
                let Some(turn) = older.turns.get(newer.turns.len()..).and_then(<[Turn]>::first) else { continue };
                let mut note = |broken: Broken, told: String| {
                    found.push(Breach { version: version.number, step, broken, told });
                };
                if !change.is_lossy
                    && let Some(told) = lost(turn, newer, older)
                {
                    note(Broken::Lossy, told);
                    continue;
                }
                if !change.is_lossy
                    && let Some(told) = refused(turn, &newer.face, &older.face)
                {
                    note(Broken::Unstorable, told);
                }
                if let Some(told) = reordered(turn, &older.face) {
                    note(Broken::Reordered, told);
                }
            }
        }
    }
    found.reverse();
    found
}

/// What is lost between two sides, with an example.
fn lost(turn: &Turn, newer: &Side, older: &Side) -> Option<String> {
    if let Turn::Constant { field, .. } = turn {
        return Some(format!("What clients of the older version send as `{field}` is stored nowhere."));
    }
    if matches!(turn, Turn::Hide { .. }) {
        // Rows keep what their version does not see.
        return None;
    }
    let mut dice = Dice(7);
    for _ in 0..TRIES {
        let given = document(&newer.face.fields, &mut dice);
        let mut turned = given.clone();
        turn.down(&mut turned);
        let shown = turned.clone();
        let is_told = turn.up(&mut turned);
        if let (false, Turn::Retype { field, .. }) = (is_told, turn) {
            let value = value_of(&given, field);
            return Some(format!("The older version has no way to show {value} as `{field}`."));
        }
        if let Some(name) = difference(&given, &turned) {
            let (value, then) = (value_of(&given, &name), value_of(&turned, &name));
            return Some(format!(
                "`{name}` comes back as {then} after it was {value}: the older version shows it as {}.",
                Value::Object(differing(&shown, &given))
            ));
        }
    }
    for _ in 0..TRIES {
        let given = document(&older.face.fields, &mut dice);
        let mut turned = given.clone();
        if !turn.up(&mut turned) {
            continue;
        }
        let stored = turned.clone();
        turn.down(&mut turned);
        if let Some(name) = difference(&given, &turned).filter(|_| !is_respelled(turn, &stored, &turned)) {
            let (value, then) = (value_of(&given, &name), value_of(&turned, &name));
            return Some(format!(
                "A client of the older version that sends {value} as `{name}` reads {then} afterwards."
            ));
        }
    }
    None
}

/// What the older version accepts and the newer does not, with an example.
fn refused(turn: &Turn, newer: &Resource, older: &Resource) -> Option<String> {
    let rules = Rules::of(newer).ok()?;
    let mut dice = Dice(11);
    for _ in 0..TRIES {
        let given = document(&older.fields, &mut dice);
        let mut turned = given.clone();
        if !turn.up(&mut turned) {
            let Turn::Retype { field, .. } = turn else { return None };
            let value = value_of(&given, field);
            return Some(format!("The older version accepts {value} as `{field}`, and the newer cannot write it."));
        }
        let touched =
            newer.fields.iter().enumerate().filter(|(_, field)| turned.get(&field.name) != given.get(&field.name));
        for (place, field) in touched {
            let value = turned.get(&field.name).unwrap_or(&Value::Null);
            if !value.is_null() && !rules.accepts(place, value) {
                return Some(format!(
                    "The older version accepts what becomes {value} as `{}`, and the newer refuses that.",
                    field.name
                ));
            }
        }
    }
    None
}

/// Words that lists are sorted by, and that come in another order in the newer version.
fn reordered(turn: &Turn, older: &Resource) -> Option<String> {
    let (Turn::Reword { field, .. } | Turn::Retype { field, codec: Codec::Map(_) | Codec::Text, .. }) = turn else {
        return None;
    };
    let is_text = matches!(turn, Turn::Retype { codec: Codec::Text, .. });
    let listed = older.key(field).filter(|field| field.sort || (field.filter && is_text))?;
    let mut words: Vec<Value> = match (listed.schema.get("enum"), turn) {
        // Numbers go by their size, and the texts that are the same numbers do not.
        (_, Turn::Retype { codec: Codec::Text, older, newer, .. }) => match (older.as_str(), newer.as_str()) {
            ("integer" | "number", _) => vec![json!(2), json!(10)],
            (_, "integer" | "number") => vec![json!("2"), json!("10")],
            _ => return None,
        },
        (Some(Value::Array(words)), _) => words.clone(),
        (_, Turn::Retype { codec: Codec::Map(pairs), .. }) => pairs.iter().map(|(older, _)| older.clone()).collect(),
        _ => return None,
    };
    words.sort_by(order);
    let newer = words.iter().map(|word| {
        let mut document = Document::from_iter([(field.clone(), word.clone())]);
        turn.up(&mut document);
        value_of(&document, field)
    });
    let newer: Vec<Value> = newer.collect();
    let place = newer.windows(2).position(|pair| order(&pair[0], &pair[1]).is_gt())?;
    let sorts = if is_text { "has" } else { "sorts" };
    Some(format!(
        "The older version {sorts} {} before {} by `{field}`, and the newer {sorts} {} after {}.",
        words[place],
        words[place + 1],
        newer[place],
        newer[place + 1]
    ))
}

/// As columns have it: numbers by size, texts byte by byte.
fn order(one: &Value, other: &Value) -> Ordering {
    match (one.as_f64(), other.as_f64(), one.as_str(), other.as_str()) {
        (Some(one), Some(other), ..) => one.total_cmp(&other),
        (.., Some(one), Some(other)) => one.cmp(other),
        _ => Ordering::Equal,
    }
}

fn difference(one: &Document, other: &Document) -> Option<String> {
    let mut names = one.keys().chain(other.keys());
    names.find(|name| !is_same(&value_of(one, name), &value_of(other, name))).cloned()
}

/// A field that is not there is null; and an object from which the last member was moved out is as good as none.
fn is_same(one: &Value, other: &Value) -> bool {
    let is_nothing = |value: &Value| value.is_null() || value.as_object().is_some_and(serde_json::Map::is_empty);
    one == other || (is_nothing(one) && is_nothing(other))
}

/// `7` comes back as `7.00`: another spelling, and the same amount.
fn is_respelled(turn: &Turn, stored: &Document, shown: &Document) -> bool {
    let mut again = shown.clone();
    matches!(turn, Turn::Retype { codec, .. } if !matches!(codec, Codec::Map(_) | Codec::List))
        && turn.up(&mut again)
        && again == *stored
}

fn differing(one: &Document, other: &Document) -> Document {
    let changed = one.iter().filter(|(name, value)| other.get(*name) != Some(value));
    changed.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn value_of(document: &Document, name: &str) -> Value {
    document.get(name).cloned().unwrap_or(Value::Null)
}
