//! What a run found, and the three ways to tell it: a table, JSON, a page.

mod html;
mod json;
mod machine;
mod plot;
mod section;
mod text;

pub use html::html;
pub use json::json;
pub use machine::machine;
pub use text::{line, show};

use anyhow::bail;

use crate::ceiling::Ceilings;
use crate::fill::Footprint;
use crate::measure::Series;
use crate::options::Engine;
use crate::subject::Findings;
use crate::work::Work;

/// Memory of the server's own, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Memory {
    /// Started on an empty store, nothing asked but what opens it.
    pub idle: u64,
    /// Started on the full store.
    pub settled: u64,
    /// The most that was seen under load.
    pub busiest: u64,
    /// The same of a second server with an empty store.
    pub empty: Option<u64>,
}

/// One work, and each party's rounds.
#[derive(Debug)]
pub struct Row {
    pub work: Work,
    pub parties: Vec<(&'static str, Series)>,
}

impl Row {
    /// The rounds of one party.
    pub fn of(&self, party: &str) -> Option<&Series> {
        self.parties.iter().find(|(name, _)| *name == party).map(|(_, series)| series)
    }

    /// Of the server itself.
    pub fn server(&self) -> &Series {
        &self.parties[0].1
    }

    /// Processor time of the server for each request, as a multiple of another's.
    pub fn cpu_against(&self, party: &str) -> Option<f64> {
        Some(self.server().ratio(self.of(party)?, |sample| sample.cpu))
    }

    /// Requests a second, as a multiple of another's.
    pub fn rate_against(&self, party: &str) -> Option<f64> {
        Some(self.server().ratio(self.of(party)?, |sample| sample.rate))
    }
}

/// Everything that a run found.
#[derive(Debug)]
pub struct Report {
    pub engine: Engine,
    pub sessions: Footprint,
    pub orders: Footprint,
    /// How long filling took, in seconds.
    pub filled_in: f64,
    /// From the start of the program to its first 200, in seconds.
    pub started_in: f64,
    pub memory: Memory,
    pub ceilings: Ceilings,
    pub connections: usize,
    pub rounds: usize,
    pub seconds: f64,
    pub machine: String,
    pub rows: Vec<Row>,
    pub findings: Findings,
}

impl Report {
    /// Fails if any answer was not as expected: such numbers mean nothing.
    pub fn check(&self) -> anyhow::Result<()> {
        for row in &self.rows {
            for (party, series) in &row.parties {
                if series.wrong() > 0 {
                    let why = series.complaint().unwrap_or_default();
                    bail!(
                        "invalid: {} answers of {party} to {} were wrong, first: {why}",
                        series.wrong(),
                        row.work.title()
                    );
                }
            }
        }
        if let Some(why) = self.findings.complaints().first() {
            bail!("invalid: {why}");
        }
        Ok(())
    }
}
