//! Two JSON Schemas, keyword by keyword: what one allows and the other does not. Whether that breaks anyone depends on
//! who writes the value, so each difference has one rule for requests and one for answers.
//!
//! | module | what it owns |
//! |---|---|
//! | `graph` | which schemas refer to which, so that each pair is compared once |
//! | `flat` | a schema with its references followed and its `allOf` joined |
//! | `kinds` | types and formats |
//! | `values` | enumerations and defaults |
//! | `bounds` | keywords that bound values, and all others |
//! | `members` | the members of objects |
//! | `branches` | `oneOf` and `anyOf` |

mod bounds;
mod branches;
mod flat;
mod graph;
mod kinds;
mod members;
#[cfg(test)]
mod tests;
mod values;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use serde_json::Value;

use super::rule::{self, Rule};
use flat::Flat;
use graph::{Edge, Key, Part};

pub(super) use flat::follow;

/// So deep schemas may stand in each other, references apart.
const DEEPEST: usize = 64;
/// So many pairs of schemas are looked at, and so many differences told for each body or parameter.
const MOST_STEPS: usize = 20_000_000;
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
    /// How deep the schema stands that is looked at.
    depth: usize,
    /// How many comparisons wait for another one.
    nesting: usize,
    /// What is known of pairs, those that have something different below, and those that have not.
    nodes: HashMap<Key, Rc<Part>>,
    dirty: HashSet<Key>,
    clean: HashSet<Key>,
    /// Pairs that were met and not looked at.
    pending: Vec<(Key, Value, Value)>,
    /// Was anything left out?
    pub(super) is_cut: bool,
}

impl<'a> Comparison<'a> {
    /// Between schemas of these two documents, into which their references point.
    pub(super) fn new(old: &'a Value, new: &'a Value) -> Self {
        Self {
            old,
            new,
            steps: 0,
            depth: 0,
            nesting: 0,
            nodes: HashMap::new(),
            dirty: HashSet::new(),
            clean: HashSet::new(),
            pending: Vec::new(),
            is_cut: false,
        }
    }

    /// Everything that differs; what differs in a schema that is referred to is told once, at the nearest place.
    /// `is_text`: values are parts of a URL or a header, where `7` is a text too.
    pub(super) fn compare(&mut self, old: &Value, new: &Value, is_text: bool) -> Vec<Difference> {
        let root = self.below(old, new, is_text);
        self.explore();
        self.collect(root)
    }

    /// What differs in two schemas, up to the references in them.
    fn below(&mut self, old: &Value, new: &Value, is_text: bool) -> Part {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.depth > DEEPEST {
            self.is_cut = true;
            return Part::default();
        }
        if graph::is_composed(old) || graph::is_composed(new) {
            let key = (graph::side(self.old, old), graph::side(self.new, new), is_text);
            if !self.nodes.contains_key(&key) {
                self.pending.push((key, old.clone(), new.clone()));
            }
            return Part { found: Vec::new(), edges: vec![Edge::to(key)] };
        }
        self.depth += 1;
        let part = self.differences(old, new, is_text);
        self.depth -= 1;
        part
    }

    fn differences(&mut self, old: &Value, new: &Value, is_text: bool) -> Part {
        let (before, after) = (Flat::of(self.old, old), Flat::of(self.new, new));
        let mut part = Part::default();
        if before.is_never() || after.is_never() {
            if before.is_never() != after.is_never() {
                let (effect, told) = if after.is_never() {
                    (Effect::Narrowed, "no value is allowed any more")
                } else {
                    (Effect::Widened, "a value is allowed where none was")
                };
                part.found.push(Difference::of_bound(effect, told.to_owned()));
            }
            return part;
        }
        if self.wrapped((old, &before), (new, &after), is_text, &mut part.found) {
            return part;
        }
        let is_other = kinds::compare(&before, &after, is_text, &mut part.found);
        values::compare(&before, &after, is_other, &mut part.found);
        if !is_other {
            bounds::compare(&before, &after, &mut part.found);
            self.members(&before, &after, is_text, &mut part);
            self.items(&before, &after, is_text, &mut part);
        }
        for keyword in ["oneOf", "anyOf"] {
            self.branches(keyword, &before, &after, is_text, &mut part);
        }
        part
    }

    fn items(&mut self, before: &Flat<'_>, after: &Flat<'_>, is_text: bool, part: &mut Part) {
        let anything = Value::Bool(true);
        let (old, new) = (before.get("items").unwrap_or(&anything), after.get("items").unwrap_or(&anything));
        let is_told_apart = old.is_array() || new.is_array() || old.is_boolean() && old == new;
        if !is_told_apart {
            let below = self.below(old, new, is_text);
            part.adopt(below, "[]");
        }
    }
}
