//! What is measured apart from the works: a storm of passwords, the worst request, the expiry of many sessions. Each has an
//! answer of its own, which reports and targets read.

mod expiry;
mod storm;
mod worst;

pub use expiry::Expiry;
pub use storm::{Round as StormRound, Storm};
pub use worst::{Cost, Worst};

use serde::Serialize;

use crate::drive::Run;
use crate::house::House;
use crate::options::Bench;
use crate::site::Site;

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    Storm,
    Worst,
    Expiry,
}

impl Subject {
    pub const ALL: [Self; 3] = [Self::Storm, Self::Worst, Self::Expiry];

    /// The word for `--only`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Storm => "storm",
            Self::Worst => "worst",
            Self::Expiry => "expiry",
        }
    }

    /// Is it measured unless something else is asked for? What expires is swept once a minute, and that is waited for.
    pub fn is_usual(self) -> bool {
        self != Self::Expiry
    }
}

/// What was found; what was not measured is not there.
#[derive(Debug, Default, Serialize)]
pub struct Findings {
    pub storm: Option<Storm>,
    pub worst: Option<Worst>,
    pub expiry: Option<Expiry>,
}

impl Findings {
    /// Measures one subject more at a server that is filled.
    pub async fn add(
        &mut self,
        subject: Subject,
        house: &mut House,
        options: &Bench,
        site: &Site,
    ) -> anyhow::Result<()> {
        match subject {
            Subject::Storm => self.storm = Some(storm::measure(house, options).await?),
            Subject::Worst => self.worst = Some(worst::measure(house, options, site).await?),
            Subject::Expiry => self.expiry = Some(expiry::measure(house, options).await?),
        }
        Ok(())
    }

    /// Answers that were not as expected, in words.
    pub fn complaints(&self) -> Vec<String> {
        let storm = self.storm.as_ref().and_then(|storm| storm.complaint.clone());
        let worst = self.worst.as_ref().and_then(Worst::complaint);
        let expiry = self.expiry.as_ref().and_then(|expiry| expiry.complaint.clone());
        let named = |subject: Subject| move |why: String| format!("{}: {why}", subject.name());
        let all =
            [storm.map(named(Subject::Storm)), worst.map(named(Subject::Worst)), expiry.map(named(Subject::Expiry))];
        all.into_iter().flatten().collect()
    }
}

/// How long callers waited, in milliseconds.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Waits {
    pub p50: f64,
    pub p99: f64,
    pub most: f64,
}

impl Waits {
    pub fn of(run: &Run) -> Self {
        let at = |share| run.percentile(share) / 1000.0;
        Self { p50: at(0.5), p99: at(0.99), most: at(1.0) }
    }
}
