//! All rounds of one work: the same load at each party in turn, so that all of them meet the same weather.

use std::time::Duration;

use anyhow::Context as _;

use super::bar;
use crate::drive::{Lane, Run, drive};
use crate::measure::{Sample, Series};
use crate::options::Bench;
use crate::party::Party;
use crate::process::Process;
use crate::report::{Memory, Row};
use crate::site::Site;
use crate::work::Work;

/// Codes and devices that are made for one second.
const EACH_SECOND: f64 = 12_000.0;

/// So long a party has its turn, in seconds: a machine changes its speed within seconds, and what is compared should not be
/// further apart than that.
const TURN: f64 = 0.25;

/// All rounds of one work, the parties in turn.
pub async fn measure(
    work: Work,
    parties: &mut [Party],
    options: &Bench,
    site: &Site,
    memory: &mut Memory,
) -> anyhow::Result<Row> {
    let turns = turns(work, options.seconds);
    let time = Duration::from_secs_f64(options.seconds / f64::from(turns));
    let bar = bar(parties.len() as u64 * options.rounds as u64 * u64::from(turns), "{msg:40} {bar:40} {pos}/{len}");
    let mut stands: Vec<Stand> = parties.iter().map(|_| Stand::default()).collect();
    for round in 0..options.rounds {
        for turn in 0..turns {
            // The other way round in every other round, so that nobody always comes after the same one.
            let last = parties.len().saturating_sub(1);
            for step in 0..parties.len() {
                let at = if round % 2 == 0 { step } else { last - step };
                let (party, stand) = (&mut parties[at], &mut stands[at]);
                bar.set_message(format!("{}: {}", work.title(), party.name()));
                bar.inc(1);
                if turn == 0 && !stand.prepare(work, party, options, round == 0).await? {
                    continue;
                }
                stand.go_on(party, site, time).await.with_context(|| format!("during {}", work.title()))?;
                match party {
                    Party::Server(_) => memory.busiest = memory.busiest.max(party.process().memory()),
                    Party::Empty(_) => memory.empty = memory.empty.max(Some(party.process().memory())),
                    Party::Floor(_) | Party::Node(_) | Party::Kinto(_) => {}
                }
            }
        }
        stands.iter_mut().for_each(Stand::end_round);
    }
    bar.finish_and_clear();
    let measured = parties.iter().zip(stands).filter(|(_, stand)| !stand.series.samples.is_empty());
    Ok(Row { work, parties: measured.map(|(party, stand)| (party.name(), stand.series)).collect() })
}

/// In so many turns a round is gone through. What is used up was made just before, and expires: that is used at once.
fn turns(work: Work, seconds: f64) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let turns = (seconds / TURN).round() as u32;
    if work.consumes() { 1 } else { turns.max(1) }
}

/// How a party stands.
#[derive(Default)]
struct Stand {
    /// None if it does not do this work.
    lanes: Option<Vec<Box<dyn Lane>>>,
    /// The turns of this round.
    run: Run,
    /// Processor time before the first of them.
    began: Option<f64>,
    cpu: f64,
    database_cpu: f64,
    series: Series,
}

impl Stand {
    /// Makes what is sent in this round. False if the party does not do this work.
    async fn prepare(
        &mut self,
        work: Work,
        party: &mut Party,
        options: &Bench,
        is_first: bool,
    ) -> anyhow::Result<bool> {
        if is_first || work.consumes() {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let most = (options.seconds * EACH_SECOND) as usize;
            self.lanes = party.lanes(work, options.connections, most).await.context(party.name())?;
        }
        let Some(lanes) = self.lanes.take() else { return Ok(false) };
        self.lanes = Some(if is_first && !work.consumes() {
            // The first answers find nothing in any cache.
            drive(party.address(), lanes, Duration::from_secs_f64(options.seconds / 5.0)).await.1
        } else {
            lanes
        });
        if let (Some(pause), "valetkey") = (options.pause, party.name()) {
            eprintln!("{}: now attach to process {}", work.name(), party.process().id());
            tokio::time::sleep(Duration::from_secs_f64(pause)).await;
        }
        Ok(true)
    }

    /// One turn.
    async fn go_on(&mut self, party: &mut Party, site: &Site, time: Duration) -> anyhow::Result<()> {
        let Some(lanes) = self.lanes.take() else { return Ok(()) };
        let address = party.address();
        let name = party.name();
        let process = party.process();
        process.check().context(name)?;
        let database = || site.cluster.as_ref().map_or(0.0, Process::cpu);
        let began = *self.began.get_or_insert_with(|| process.cpu());
        let before = database();
        let (run, back) = drive(address, lanes, time).await;
        // What it puts off until others have their turn is its own. The database may be shared with those.
        self.cpu = process.cpu() - began;
        self.database_cpu += database() - before;
        self.run.add(run);
        self.lanes = Some(back);
        Ok(())
    }

    /// What the turns of a round come to.
    fn end_round(&mut self) {
        if self.run.seconds > 0.0 {
            self.run.latencies.sort_unstable();
            self.series.samples.push(Sample::of(&self.run, self.cpu, self.database_cpu));
        }
        (self.run, self.began, self.cpu, self.database_cpu) = (Run::default(), None, 0.0, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_expires_is_used_in_one_turn_and_everything_else_in_short_ones() {
        assert_eq!(turns(Work::Code, 3.0), 1);
        assert_eq!(turns(Work::Discovery, 3.0), 12);
        assert_eq!(turns(Work::Discovery, 0.05), 1);
    }

    #[test]
    fn the_turns_of_a_round_come_to_one_sample() {
        let mut stand = Stand::default();
        for (seconds, latency) in [(0.25, 2_000), (0.75, 1_000)] {
            stand.run.add(Run { answered: 2, seconds, latencies: vec![latency; 2], ..Run::default() });
            stand.cpu += 0.000_004;
        }

        stand.end_round();
        stand.end_round();

        let [sample] = &stand.series.samples[..] else { panic!("{:?}", stand.series) };
        assert!((sample.rate - 4.0).abs() < 1e-9, "{}", sample.rate);
        assert!((sample.cpu - 2.0).abs() < 1e-9, "{}", sample.cpu);
        assert!((sample.p99 - 2.0).abs() < 1e-9, "{}", sample.p99);
    }
}
