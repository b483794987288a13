//! A storm of passwords: many people sign in at once, while resource servers go on asking about tokens. How many come in
//! against what the cores can hash, and how long the askers wait against a time without a storm.

use std::time::Duration;

use indicatif::ProgressBar;
use serde::Serialize;

use super::Waits;
use crate::bench::bar;
use crate::ceiling::hashes;
use crate::drive::{Lane, drive, pace};
use crate::fill::Fill;
use crate::house::{House, NAME, SignInForm};
use crate::measure::median;
use crate::options::Bench;
use crate::work::{Work, lane};

/// So many people.
const PEOPLE: u64 = 512;
/// So many introspections a second: enough to see how long they take, and far from filling a core.
const ASKED: f64 = 300.0;
/// Connections that ask.
const ASKERS: usize = 8;

/// What was found.
#[derive(Debug, Default, Serialize)]
pub struct Storm {
    pub rounds: Vec<Round>,
    pub complaint: Option<String>,
}

/// One round.
#[derive(Debug, Serialize)]
pub struct Round {
    /// Passwords a second that a program hashes on all cores which does nothing else.
    pub hashes: f64,
    /// Sign-ins a second.
    pub sign_ins: f64,
    /// How long a sign-in took.
    pub sign_in: Waits,
    /// Introspection without a storm.
    pub idle: Waits,
    /// Introspection during the storm.
    pub stormy: Waits,
}

impl Storm {
    /// The median over rounds.
    pub fn median(&self, of: impl Fn(&Round) -> f64) -> f64 {
        median(self.rounds.iter().map(of).collect())
    }

    /// Sign-ins against what the cores can hash.
    pub fn share(&self) -> f64 {
        self.median(|round| round.sign_ins / round.hashes)
    }

    /// How many times longer the slowest in a hundred askers waited than without a storm.
    pub fn slower(&self) -> f64 {
        self.median(|round| round.stormy.p99 / round.idle.p99)
    }
}

/// All rounds: a quiet time, the cores alone, the storm.
pub async fn measure(house: &House, options: &Bench) -> anyhow::Result<Storm> {
    Fill::of(&house.serving.settings).await?.people(NAME, PEOPLE).await?;
    let time = Duration::from_secs_f64(options.seconds);
    let mut asking = Work::Introspection.lanes(house, ASKERS, 0).await?;
    let mut people = sign_ins(house, options.connections).await?;
    let mut storm = Storm::default();
    let bar: ProgressBar = bar(3 * options.rounds as u64, "{msg:40} {bar:40} {pos}/{len}");
    for _ in 0..options.rounds {
        bar.set_message("storm of passwords: a quiet time");
        let idle;
        (idle, asking) = pace(house.address, asking, ASKED, time).await;
        bar.inc(1);
        bar.set_message("storm of passwords: what the cores can hash");
        let hashes = hashes(time)?;
        bar.inc(1);
        bar.set_message("storm of passwords");
        let ((signed_in, back), (stormy, askers)) =
            tokio::join!(drive(house.address, people, time), pace(house.address, asking, ASKED, time));
        (people, asking) = (back, askers);
        bar.inc(1);
        for run in [&idle, &signed_in, &stormy] {
            storm.complaint = storm.complaint.take().or_else(|| run.complaint.clone());
        }
        #[expect(clippy::cast_precision_loss)]
        let sign_ins = signed_in.answered as f64 / signed_in.seconds;
        let (idle, stormy) = (Waits::of(&idle), Waits::of(&stormy));
        storm.rounds.push(Round { hashes, sign_ins, sign_in: Waits::of(&signed_in), idle, stormy });
    }
    bar.finish_and_clear();
    eprintln!(
        "storm of passwords: {:.0} sign-ins/s, {:.0} % of {:.0} hashes/s; introspection p99 {:.2} ms, {:.1}× of {:.2} ms",
        storm.median(|round| round.sign_ins),
        storm.share() * 100.0,
        storm.median(|round| round.hashes),
        storm.median(|round| round.stormy.p99),
        storm.slower(),
        storm.median(|round| round.idle.p99),
    );
    Ok(storm)
}

/// People who sign in one after the other, as many at a time as there are lanes. Only who is in is sent on.
async fn sign_ins(house: &House, lanes: usize) -> anyhow::Result<Vec<Box<dyn Lane>>> {
    let pages = house.sign_in_pages(lanes).await?;
    let lane = |(number, page): (usize, SignInForm)| {
        let first = number as u64 * PEOPLE / lanes as u64;
        let make = move |count: u64, out: &mut Vec<u8>| {
            out.extend_from_slice(&page.filled_in(&format!("{NAME}-{}", (first + count) % PEOPLE)));
        };
        Box::new(lane::Made { make, count: 0, status: 303 }) as Box<dyn Lane>
    };
    Ok(pages.into_iter().enumerate().map(lane).collect())
}
