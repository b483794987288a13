//! A look at the documents of a resource, before anything is done to them.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};
use valetkey_resources::model::Cell;

use super::Difference;
use super::difference::Question;
use super::plan::Loss;

/// What the rows answer to the questions of a difference.
#[derive(Debug)]
pub(crate) struct Survey<'a> {
    difference: &'a Difference,
    rows: u64,
    /// For each question: how many rows are affected, and how often each value is there.
    tallies: Vec<(u64, HashMap<String, u64>)>,
    /// Fields whose values the newest version cannot have, and in how many rows.
    untold: BTreeMap<String, u64>,
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
                    if let Some(value) = value(field).filter(|value| kind.cell(value) != Cell::Null) {
                        *values.entry(value.to_string()).or_default() += 1;
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
                let mut twice: Vec<_> = values.iter().filter(|(_, times)| **times > 1).collect();
                twice.sort();
                let rows = twice.iter().map(|(_, times)| **times).sum();
                let examples = twice.iter().take(3).map(|(value, _)| (*value).clone()).collect();
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
