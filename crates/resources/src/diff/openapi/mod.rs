//! Two OpenAPI documents, 3.0 or 3.1: what a client of the older one would notice. Servers, tags and words for people are
//! not compared. Knows nothing of declarations.
//!
//! | module | what it owns |
//! |---|---|
//! | `read` | a document from JSON or YAML |
//! | `endpoints` | paths and methods, and which stand for each other |
//! | `parameters` | what stands in URLs and headers of requests |
//! | `bundle` | other files that it refers to |
//! | `bodies` | what requests and answers hold |
//! | `security` | who may call |
//! | `lifecycle` | what is announced to end |
//! | `webhooks`, `callbacks` | calls that go the other way |

mod bodies;
mod bundle;
mod callbacks;
mod endpoints;
mod lifecycle;
mod parameters;
mod read;
mod security;
#[cfg(test)]
pub(super) mod tests;
mod webhooks;

use jiff::civil::Date;
use serde_json::Value;

use super::finding::{Finding, in_order};
use super::rule::{self, Rule};
use super::schema::{Comparison, Difference, Direction, follow};

pub use bundle::{Dangling, bundle};
pub use read::{Unreadable, read};

/// More findings than these help nobody, and are not kept.
const MOST: usize = 50_000;

/// Everything that a client of the older document would notice, the worst first. `today` tells which announced ends have
/// come.
pub fn compare(old: &Value, new: &Value, today: Option<Date>) -> Vec<Finding> {
    let mut work = Work { old, new, today, schemas: Comparison::new(old, new), found: Vec::new(), is_full: false };
    endpoints::compare(&mut work);
    security::schemes(&mut work);
    webhooks::compare(&mut work);
    if work.schemas.is_cut || work.is_full {
        let told = "There is more than was compared; what is told is right, and not all.";
        work.found.push(Finding::new(&rule::NOT_COMPARED, "the documents", told));
    }
    in_order(work.found)
}

/// What is compared, and what was found so far.
struct Work<'a> {
    old: &'a Value,
    new: &'a Value,
    today: Option<Date>,
    schemas: Comparison<'a>,
    found: Vec<Finding>,
    is_full: bool,
}

/// One operation of each document.
#[derive(Clone, Copy)]
struct Pair<'a> {
    /// Such as `GET /users/{id}`, as the older document has it.
    place: &'a str,
    old_path: &'a str,
    new_path: &'a str,
    /// What holds for all operations of the path.
    old_item: &'a Value,
    new_item: &'a Value,
    old: &'a Value,
    new: &'a Value,
}

impl<'a> Work<'a> {
    fn tell(&mut self, rule: &'static Rule, place: &str, told: String) {
        if self.found.len() < MOST {
            self.found.push(Finding::new(rule, place, told));
        } else {
            self.is_full = true;
        }
    }

    /// Compares two schemas, and tells what matters to values that go this way. `what` is where they stand.
    fn schemas(&mut self, old: &Value, new: &Value, direction: Direction, is_text: bool, place: &str, what: &str) {
        let differences = self.schemas.compare(old, new, is_text);
        self.differences(&differences, direction, place, what);
    }

    fn differences(&mut self, differences: &[Difference], direction: Direction, place: &str, what: &str) {
        for difference in differences {
            if let Some(rule) = difference.rule(direction) {
                let path = difference.path.trim_start_matches('.');
                let gap = if path.is_empty() { "" } else { ", " };
                let name = if path.is_empty() { String::new() } else { format!("`{path}`") };
                self.tell(rule, place, format!("In {what}{gap}{name}: {}.", difference.told));
            }
        }
    }

    fn old_part<'p>(&self, part: &'p Value) -> &'p Value
    where
        'a: 'p,
    {
        follow(self.old, part)
    }

    fn new_part<'p>(&self, part: &'p Value) -> &'p Value
    where
        'a: 'p,
    {
        follow(self.new, part)
    }
}

/// The members of an object; nothing has none.
fn members(value: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    value.and_then(Value::as_object).into_iter().flatten()
}

fn is_set(value: &Value, name: &str) -> bool {
    value.get(name) == Some(&Value::Bool(true))
}
