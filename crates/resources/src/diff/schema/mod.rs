//! Two JSON Schemas, keyword by keyword: what one allows and the other does not. Whether that breaks anyone depends on
//! who writes the value, so each difference has one rule for requests and one for answers.
//!
//! | module | what it owns |
//! |---|---|
//! | `flat` | a schema with its references followed and its `allOf` joined |
//! | `kinds` | types and formats |
//! | `values` | enumerations and defaults |
//! | `bounds` | keywords that bound values, and all others |
//! | `members` | the members of objects |
//! | `branches` | `oneOf` and `anyOf` |

mod bounds;
mod branches;
mod flat;
mod kinds;
mod members;
#[cfg(test)]
mod tests;
mod values;

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::Value;

use super::rule::{self, Rule};
use flat::Flat;

pub(super) use flat::follow;

/// So deep is looked; what is deeper is a circle, or nothing that a person wrote.
const DEEPEST: usize = 48;
/// So many pairs of schemas are compared, and as many differences told for each.
const MOST_STEPS: usize = 2_000_000;
const MOST_DIFFERENCES: usize = 1_000;

/// Which way a value goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// Clients write it.
    Request,
    /// Clients read it.
    Response,
    /// Clients do both.
    Both,
}

/// What became of the values that are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// Fewer.
    Narrowed,
    /// More.
    Widened,
    /// Others, or nobody can tell.
    Changed,
}

/// One difference, seen from the schema that it was found in.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Difference {
    /// Where below, such as `.address.street` or `[].name`. Empty: here.
    pub(super) path: String,
    /// What changed, without the place.
    pub(super) told: String,
    /// What it is for who writes such values.
    request: Option<&'static Rule>,
    /// What it is for who reads them.
    response: Option<&'static Rule>,
}

impl Difference {
    fn new(request: &'static Rule, response: &'static Rule, told: String) -> Self {
        Self { path: String::new(), told, request: Some(request), response: Some(response) }
    }

    fn of_request(rule: &'static Rule, told: String) -> Self {
        Self { path: String::new(), told, request: Some(rule), response: None }
    }

    fn of_answer(rule: &'static Rule, told: String) -> Self {
        Self { path: String::new(), told, request: None, response: Some(rule) }
    }

    /// A keyword that bounds values.
    fn of_bound(effect: Effect, told: String) -> Self {
        match effect {
            Effect::Narrowed => Self::new(&rule::VALIDATION_TIGHTENED, &rule::ANSWER_NARROWED, told),
            Effect::Widened => Self::new(&rule::VALIDATION_LOOSENED, &rule::ANSWER_WIDENED, told),
            Effect::Changed => Self::new(&rule::VALIDATION_TIGHTENED, &rule::ANSWER_WIDENED, told),
        }
    }

    fn at(mut self, path: &str) -> Self {
        self.path = path.to_owned();
        self
    }

    /// The rule it falls under for values that go this way; none: nobody there can notice.
    pub(super) fn rule(&self, direction: Direction) -> Option<&'static Rule> {
        match direction {
            Direction::Request => self.request,
            Direction::Response => self.response,
            Direction::Both => match (self.request, self.response) {
                (Some(request), Some(response)) => {
                    Some(if response.severity < request.severity { response } else { request })
                }
                (one, other) => one.or(other),
            },
        }
    }
}

/// Compares schemas of two documents, each pair once.
pub(super) struct Comparison<'a> {
    old: &'a Value,
    new: &'a Value,
    steps: usize,
    known: HashMap<Key, Rc<Vec<Difference>>>,
    /// What is being compared, outermost first.
    open: Vec<Key>,
    /// How far out the circles reach that were met.
    outermost: usize,
    /// Was anything left out?
    pub(super) is_cut: bool,
}

/// Two places in the documents, and whether values there are written as text.
type Key = (usize, usize, bool);

impl<'a> Comparison<'a> {
    /// Between schemas of these two documents, into which their references point.
    pub(super) fn new(old: &'a Value, new: &'a Value) -> Self {
        Self { old, new, steps: 0, known: HashMap::new(), open: Vec::new(), outermost: usize::MAX, is_cut: false }
    }

    /// Everything that differs. `is_text`: values are parts of a URL or a header, where `7` is a text too.
    pub(super) fn compare(&mut self, old: &Value, new: &Value, is_text: bool) -> Rc<Vec<Difference>> {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.open.len() >= DEEPEST {
            self.is_cut = true;
            return Rc::default();
        }
        let before = follow(self.old, old);
        let after = follow(self.new, new);
        // What a reference leads to stays where it is; what was joined from parts does not, and has no place to be known by.
        let is_fixed = !std::ptr::eq(before, old) && !std::ptr::eq(after, new);
        let key = if is_fixed { (address(before), address(after), is_text) } else { (0, 0, is_text) };
        if is_fixed {
            if let Some(known) = self.known.get(&key) {
                return known.clone();
            }
            if let Some(depth) = self.open.iter().position(|open| *open == key) {
                self.outermost = self.outermost.min(depth);
                return Rc::default();
            }
        }
        let depth = self.open.len();
        self.open.push(key);
        let outside = std::mem::replace(&mut self.outermost, usize::MAX);
        let differences = Rc::new(self.differences(old, new, is_text));
        self.open.pop();
        // What leans on a schema further out is only true inside of it.
        if is_fixed && (self.outermost >= depth || self.steps > MOST_STEPS / 4) {
            self.known.insert(key, differences.clone());
        }
        self.outermost = outside.min(if self.outermost >= depth { usize::MAX } else { self.outermost });
        differences
    }

    fn differences(&mut self, old: &Value, new: &Value, is_text: bool) -> Vec<Difference> {
        let (before, after) = (Flat::of(self.old, old), Flat::of(self.new, new));
        let mut found = Vec::new();
        if before.is_never() || after.is_never() {
            if before.is_never() != after.is_never() {
                let (effect, told) = if after.is_never() {
                    (Effect::Narrowed, "no value is allowed any more")
                } else {
                    (Effect::Widened, "a value is allowed where none was")
                };
                found.push(Difference::of_bound(effect, told.to_owned()));
            }
            return found;
        }
        if self.wrapped((old, &before), (new, &after), is_text, &mut found) {
            return found;
        }
        let is_other = kinds::compare(&before, &after, is_text, &mut found);
        values::compare(&before, &after, is_other, &mut found);
        if !is_other {
            bounds::compare(&before, &after, &mut found);
            self.members(&before, &after, is_text, &mut found);
            self.items(&before, &after, is_text, &mut found);
        }
        for keyword in ["oneOf", "anyOf"] {
            self.branches(keyword, &before, &after, is_text, &mut found);
        }
        if found.len() > MOST_DIFFERENCES {
            self.is_cut = true;
            found.truncate(MOST_DIFFERENCES);
        }
        found
    }

    fn items(&mut self, before: &Flat<'_>, after: &Flat<'_>, is_text: bool, found: &mut Vec<Difference>) {
        let anything = Value::Bool(true);
        let (old, new) = (before.get("items").unwrap_or(&anything), after.get("items").unwrap_or(&anything));
        let is_told_apart = old.is_array() || new.is_array() || old.is_boolean() && old == new;
        if !is_told_apart {
            let below = self.compare(old, new, is_text);
            adopt(found, &below, "[]");
        }
    }
}

/// Takes over what was found further below.
fn adopt(found: &mut Vec<Difference>, below: &[Difference], step: &str) {
    let room = (2 * MOST_DIFFERENCES).saturating_sub(found.len());
    found.extend(below.iter().take(room).map(|difference| {
        let mut difference = difference.clone();
        difference.path.insert_str(0, step);
        difference
    }));
}

fn address(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}
