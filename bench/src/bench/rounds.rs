//! All rounds of one work: the same load at each party in turn, so that all of them meet the same weather.

use std::time::Duration;

use anyhow::Context as _;

use super::bar;
use crate::drive::{Lane, drive};
use crate::measure::{Sample, Series};
use crate::options::Bench;
use crate::party::Party;
use crate::report::{Memory, Row};
use crate::site::Site;
use crate::work::Work;

/// Codes and devices that are made for one second.
const EACH_SECOND: f64 = 12_000.0;

/// All rounds of one work, the parties in turn.
pub async fn measure(
    work: Work,
    parties: &mut [Party],
    options: &Bench,
    site: &Site,
    memory: &mut Memory,
) -> anyhow::Result<Row> {
    let steps = parties.len() * options.rounds;
    let bar = bar(steps as u64, "{msg:40} {bar:40} {pos}/{len}");
    let mut lanes: Vec<Option<Vec<Box<dyn Lane>>>> = Vec::new();
    let mut series: Vec<Series> = Vec::new();
    for _ in parties.iter() {
        lanes.push(None);
        series.push(Series::default());
    }
    for round in 0..options.rounds {
        for (at, party) in parties.iter_mut().enumerate() {
            bar.set_message(format!("{}: {}", work.title(), party.name()));
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let most = (options.seconds * EACH_SECOND) as usize;
            let kept = if work.consumes() { None } else { lanes[at].take() };
            let mut mine = match kept {
                Some(mine) => mine,
                None => match party.lanes(work, options.connections, most).await.context(party.name())? {
                    Some(mine) => mine,
                    None => continue,
                },
            };
            if round == 0 && !work.consumes() {
                // The first answers find nothing in any cache.
                (_, mine) = drive(party.address(), mine, Duration::from_secs_f64(options.seconds / 5.0)).await;
            }
            if let (Some(pause), "valetkey") = (options.pause, party.name()) {
                eprintln!("{}: now attach to process {}", work.name(), party.process().id());
                tokio::time::sleep(Duration::from_secs_f64(pause)).await;
            }
            let address = party.address();
            let process = party.process();
            process.check().with_context(|| format!("{} during {}", party.name(), work.title()))?;
            let process = party.process();
            let before = (process.cpu(), site.cluster.as_ref().map_or(0.0, crate::process::Process::cpu));
            let (run, back) = drive(address, mine, Duration::from_secs_f64(options.seconds)).await;
            let after = (process.cpu(), site.cluster.as_ref().map_or(0.0, crate::process::Process::cpu));
            series[at].samples.push(Sample::of(&run, after.0 - before.0, after.1 - before.1));
            match party {
                Party::Server(_) => memory.busiest = memory.busiest.max(party.process().memory()),
                Party::Empty(_) => memory.empty = memory.empty.max(Some(party.process().memory())),
                Party::Floor(_) | Party::Node(_) | Party::Kinto(_) => {}
            }
            lanes[at] = Some(back);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let measured = parties.iter().zip(series).filter(|(_, series)| !series.samples.is_empty());
    Ok(Row { work, parties: measured.map(|(party, series)| (party.name(), series)).collect() })
}
