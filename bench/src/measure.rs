//! Numbers of one work at one party: a sample for each round, medians over them.

use serde::Serialize;

use crate::drive::Run;

/// One round.
#[derive(Debug, Clone, Serialize)]
pub struct Sample {
    /// Requests that were answered in a second.
    pub rate: f64,
    /// Latencies, in microseconds.
    pub p50: f64,
    pub p99: f64,
    /// The longest one: what somebody waits for while the server, the disk or the machine stands still.
    pub most: f64,
    /// Processor time of the server for each answer, in microseconds.
    pub cpu: f64,
    /// The same of the database, where it is a program of its own.
    pub database_cpu: f64,
    pub answered: u64,
    pub wrong: u64,
    pub complaint: Option<String>,
}

impl Sample {
    /// What a run and the processor time it took come to.
    pub fn of(run: &Run, cpu: f64, database: f64) -> Self {
        #[expect(clippy::cast_precision_loss)]
        let answered = run.answered.max(1) as f64;
        Self {
            rate: answered / run.seconds,
            p50: run.percentile(0.5),
            p99: run.percentile(0.99),
            most: run.percentile(1.0),
            cpu: cpu / answered * 1e6,
            database_cpu: database / answered * 1e6,
            answered: run.answered,
            wrong: run.wrong,
            complaint: run.complaint.clone(),
        }
    }
}

/// All rounds.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Series {
    pub samples: Vec<Sample>,
}

impl Series {
    /// The median over rounds of whatever is asked for.
    pub fn median(&self, of: impl Fn(&Sample) -> f64) -> f64 {
        median(self.samples.iter().map(of).collect())
    }

    /// The median of how this one compares with another, round by round: both met the same weather.
    pub fn ratio(&self, other: &Self, of: impl Fn(&Sample) -> f64) -> f64 {
        median(self.samples.iter().zip(&other.samples).map(|(mine, theirs)| of(mine) / of(theirs)).collect())
    }

    /// Answers that were not as expected.
    pub fn wrong(&self) -> u64 {
        self.samples.iter().map(|sample| sample.wrong).sum()
    }

    /// The first complaint.
    pub fn complaint(&self) -> Option<&str> {
        self.samples.iter().find_map(|sample| sample.complaint.as_deref())
    }
}

/// The middle one, or the mean of the two in the middle.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match (values.len(), values.len() / 2) {
        (0, _) => f64::NAN,
        (length, middle) if length % 2 == 1 => values[middle],
        (_, middle) => f64::midpoint(values[middle - 1], values[middle]),
    }
}

#[cfg(test)]
mod tests;
