//! A place in the tree with the way that leads there, and the questions that are asked of what stands there. Each answer
//! of the wrong kind is told once, here.

use std::fmt;
use std::rc::Rc;

use super::Fault;
use super::report::Report;
use super::yaml::{Entry, Mark, Node, Tree, short};
use crate::suggest::nearest;

/// A value, its key and the way there.
#[derive(Debug, Clone)]
pub(super) struct Spot<'t> {
    pub(super) node: &'t Node,
    key: Mark,
    trail: Trail,
}

/// The way to a value. Steps are shared, so that a long key is not copied for each value below it.
#[derive(Debug, Clone, Default)]
struct Trail(Option<Rc<(Trail, Step)>>);

#[derive(Debug)]
enum Step {
    Key(String),
    Place(usize),
}

impl<'t> Spot<'t> {
    /// The whole document.
    pub(super) fn root(node: &'t Node) -> Self {
        Self { node, key: Mark { line: 1, column: 1, width: 1 }, trail: Trail::default() }
    }

    /// The last key on the way here.
    pub(super) fn name(&self) -> &str {
        match self.trail.0.as_deref() {
            Some((_, Step::Key(key))) => key,
            _ => "",
        }
    }

    /// Is this a keyword in a member of an object that a field declares? The way says it: the field, then `properties` and
    /// a name as often as objects stand in each other.
    pub(super) fn is_in_member(&self) -> bool {
        let mut way = Vec::new();
        let mut here = &self.trail;
        while let Some((above, step)) = here.0.as_deref() {
            let Step::Key(key) = step else { return false };
            way.push(key.as_str());
            here = above;
        }
        way.reverse();
        let ["resources", _, "fields", _, inside @ .., _] = way.as_slice() else { return false };
        inside.len() % 2 == 0 && !inside.is_empty() && inside.iter().step_by(2).all(|key| *key == "properties")
    }

    fn below(&self, entry: &'t Entry) -> Self {
        let step = Step::Key(entry.key.clone());
        Self { node: &entry.value, key: entry.mark, trail: Trail(Some(Rc::new((self.trail.clone(), step)))) }
    }

    /// What stands under a key, if this is a map that has it.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        let Tree::Map(entries) = &self.node.tree else { return None };
        entries.iter().find(|entry| entry.key == key).map(|entry| self.below(entry))
    }

    /// What stands at the end of a way, or as far along it as there is anything.
    pub(super) fn find(&self, way: &[&str]) -> Self {
        let mut spot = self.clone();
        for key in way {
            let Some(next) = spot.get(key) else { break };
            spot = next;
        }
        spot
    }

    /// The values of a map.
    pub(super) fn entries(&self, report: &mut Report) -> Vec<Self> {
        match &self.node.tree {
            Tree::Map(entries) => entries.iter().map(|entry| self.below(entry)).collect(),
            // A key with nothing after it is a map that nobody has filled in.
            Tree::Null => Vec::new(),
            _ => {
                self.wrong_kind("a map of `name: value`", report);
                Vec::new()
            }
        }
    }

    /// The values of a map that has only these keys. Others are told, with the one that was meant.
    pub(super) fn keys(&self, what: &str, known: &[&str], report: &mut Report) -> Vec<Self> {
        let entries = self.entries(report);
        for spot in entries.iter().filter(|spot| !known.contains(&spot.name())) {
            let name = spot.name();
            let meant = nearest(name, known.iter().copied());
            let message = match meant {
                Some(_) => format!("`{}` is no key of {what}.", short(name)),
                None => format!("`{}` is no key of {what}. It takes {}.", short(name), listed(known)),
            };
            report.fault(spot.told(spot.key, message, meant));
        }
        entries
    }

    /// The values of a list.
    pub(super) fn items(&self, report: &mut Report) -> Vec<Self> {
        let Tree::List(nodes) = &self.node.tree else {
            self.wrong_kind("a list", report);
            return Vec::new();
        };
        let item = |(place, node): (usize, &'t Node)| {
            let trail = Trail(Some(Rc::new((self.trail.clone(), Step::Place(place)))));
            Self { node, key: node.first_mark().unwrap_or(self.key), trail }
        };
        nodes.iter().enumerate().map(item).collect()
    }

    /// One value or a list of them.
    pub(super) fn one_or_more(&self, report: &mut Report) -> Vec<Self> {
        if matches!(self.node.tree, Tree::List(_)) { self.items(report) } else { vec![self.clone()] }
    }

    /// A text. Numbers and the like must be quoted to be one.
    pub(super) fn text(&self, report: &mut Report) -> Option<&'t str> {
        match &self.node.tree {
            Tree::Text(text) => Some(text),
            Tree::Bool(_) | Tree::Number(_) => {
                self.wrong(
                    format!("`{}` takes a text. Put {} into quotes.", self.name(), self.node.described()),
                    report,
                );
                None
            }
            _ => {
                self.wrong_kind("a text", report);
                None
            }
        }
    }

    /// True or false.
    pub(super) fn flag(&self, report: &mut Report) -> Option<bool> {
        match &self.node.tree {
            Tree::Bool(flag) => return Some(*flag),
            Tree::Text(text) => {
                let meant = match text.to_lowercase().as_str() {
                    "yes" | "on" | "y" => Some("true"),
                    "no" | "off" | "n" => Some("false"),
                    other => nearest(other, ["true", "false"]),
                };
                let message = format!("`{}` takes `true` or `false`, not {}.", self.name(), self.node.described());
                report.fault(self.told(self.value_mark(), message, meant));
            }
            _ => self.wrong_kind("`true` or `false`", report),
        }
        None
    }

    /// One of a few words.
    pub(super) fn word<'w>(&self, what: &str, known: &[&'w str], report: &mut Report) -> Option<&'w str> {
        let text = self.text(report)?;
        let found = known.iter().find(|word| **word == text).copied();
        if found.is_none() {
            let meant = nearest(text, known.iter().copied());
            let message = match (meant, known.is_empty()) {
                (Some(_), _) => format!("`{}` is no {what}.", short(text)),
                (None, true) => format!("`{}` is no {what}; there is none.", short(text)),
                (None, false) => format!("`{}` is no {what}. Possible: {}.", short(text), listed(known)),
            };
            report.fault(self.told(self.value_mark(), message, meant));
        }
        found
    }

    /// Tells that the value is wrong.
    pub(super) fn wrong(&self, message: impl Into<String>, report: &mut Report) {
        report.fault(self.told(self.value_mark(), message.into(), None));
    }

    /// Tells that the value is wrong, and which was meant.
    pub(super) fn misspelt(&self, message: impl Into<String>, meant: Option<&str>, report: &mut Report) {
        report.fault(self.told(self.value_mark(), message.into(), meant));
    }

    /// Tells that the key is wrong, or what stands under it as a whole.
    pub(super) fn wrong_key(&self, message: impl Into<String>, meant: Option<&str>, report: &mut Report) {
        report.fault(self.told(self.key, message.into(), meant));
    }

    /// Tells that the value is of the wrong kind. What was told before is not told again.
    pub(super) fn wrong_kind(&self, wanted: &str, report: &mut Report) {
        if !matches!(self.node.tree, Tree::Unreadable) {
            let subject = match self.name() {
                "" => "This".to_owned(),
                name => format!("`{}`", short(name)),
            };
            self.wrong(format!("{subject} takes {wanted}, not {}.", self.node.described()), report);
        }
    }

    /// Tells that something is doubtful.
    pub(super) fn doubtful(&self, message: impl Into<String>, meant: Option<&str>, report: &mut Report) {
        report.warning(self.told(self.key, message.into(), meant));
    }

    /// What is missing has no place; the key above it has. What is empty has none either.
    fn value_mark(&self) -> Mark {
        if self.node.mark.width == 0 { self.key } else { self.node.mark }
    }

    fn told(&self, mark: Mark, message: String, meant: Option<&str>) -> Fault {
        let Mark { line, column, width } = mark;
        let suggestion = meant.map(str::to_owned);
        Fault { line, column, width: width.max(1), path: self.trail.to_string(), message, suggestion }
    }
}

/// `a`, `b` and `c`.
pub(super) fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{}`", short(word))).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

impl fmt::Display for Trail {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((above, step)) = self.0.as_deref() else { return Ok(()) };
        above.fmt(out)?;
        match step {
            Step::Key(key) if above.0.is_none() => out.write_str(&short(key)),
            Step::Key(key) => write!(out, ".{}", short(key)),
            Step::Place(place) => write!(out, "[{place}]"),
        }
    }
}
