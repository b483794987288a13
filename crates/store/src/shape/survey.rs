//! A look at the documents of a resource, before anything is done to them.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};
use valetkey_resources::model::Cell;

use super::Difference;
use super::difference::Question;
use super::plan::Loss;
use crate::statement::folded;

/// What the rows answer to the questions of a difference.
#[derive(Debug)]
pub(crate) struct Survey<'a> {
    difference: &'a Difference,
    rows: u64,
    /// For each question: how many rows are affected, and how often each value is there, by what its column has of it.
    tallies: Vec<(u64, HashMap<String, Times>)>,
    /// Fields whose values the newest version cannot have, and in how many rows.
    untold: BTreeMap<String, u64>,
}

/// How often a value is there, and how it is written where it came first.
#[derive(Debug)]
struct Times {
    count: u64,
    first: String,
}

impl<'a> Survey<'a> {
    /// Has seen nothing yet.
    pub(crate) fn new(difference: &'a Difference) -> Self {
        let tallies = difference.questions.iter().map(|_| (0, HashMap::new())).collect();
        Self { difference, rows: 0, tallies, untold: BTreeMap::new() }
    }

    /// Does it have to look at rows at all?
    pub(crate) fn has_questions(&self) -> bool {
        !self.difference.questions.is_empty()
    }

    /// Fields of a row that could not be written as the newest version has them.
    pub(crate) fn note(&mut self, untold: Vec<String>) {
        for field in untold {
            *self.untold.entry(field).or_default() += 1;
        }
    }

    /// Looks at one row.
    pub(crate) fn look(&mut self, document: &Map<String, Value>) {
        self.rows += 1;
        for (question, (affected, values)) in self.difference.questions.iter().zip(&mut self.tallies) {
            let value = |field: &str| document.get(field).filter(|value| !value.is_null());
            let is_affected = match question {
                Question::Vanished(field) => value(field).is_some(),
                Question::Retyped(field, kind) => value(field).is_some_and(|value| kind.cell(value) == Cell::Null),
                Question::Demanded(field) => value(field).is_none(),
                Question::Unique(field, kind) => {
                    if let Some(value) = value(field)
                        && let Some(same) = same(kind.cell(value))
                    {
                        let entry = values.entry(same).or_insert_with(|| Times { count: 0, first: value.to_string() });
                        entry.count += 1;
                    }
                    false
                }
            };
            *affected += u64::from(is_affected);
        }
    }

    /// What would be lost, or stands in the way.
    pub(crate) fn losses(&self) -> Vec<Loss> {
        let of = &self.difference.resource.name;
        let answers = self.difference.questions.iter().zip(&self.tallies);
        let found = answers.filter_map(|(question, (affected, values))| match question {
            Question::Unique(field, _) => {
                let mut twice: Vec<_> = values.values().filter(|times| times.count > 1).collect();
                twice.sort_by_key(|times| &times.first);
                let rows = twice.iter().map(|times| times.count).sum();
                let examples = twice.iter().take(3).map(|times| times.first.clone()).collect();
                (rows > 0).then(|| Loss::duplicates(of, field, rows, examples))
            }
            _ if *affected == 0 => None,
            Question::Vanished(field) => Some(Loss::vanished(of, field, *affected)),
            Question::Retyped(field, kind) => Some(Loss::retyped(of, field, *kind, *affected)),
            Question::Demanded(field) => Some(Loss::demanded(of, field, *affected)),
        });
        let untold = self.untold.iter().map(|(field, rows)| Loss::untold(of, field, *rows));
        found.chain(untold).collect()
    }
}

/// A text that two values have in common exactly if they are one to the column. None for nothing.
fn same(cell: Cell) -> Option<String> {
    match folded(&cell) {
        Cell::Null => None,
        Cell::Text(text) => Some(text),
        Cell::Integer(number) | Cell::Moment(number) => Some(number.to_string()),
        // There is one zero.
        Cell::Number(number) => Some((number + 0.0).to_string()),
        Cell::Boolean(is) => Some(is.to_string()),
        Cell::Id(id) => Some(id.to_string()),
    }
}
