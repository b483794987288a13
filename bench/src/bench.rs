//! One run from the first start to the report: fill, measure in turn, compare.

use std::time::Duration;

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressStyle};

use crate::ceiling::Ceilings;
use crate::drive::{Lane, drive};
use crate::fill::Footprint;
use crate::house::{House, Serving, Settings, Stock};
use crate::measure::{Sample, Series, median};
use crate::options::{Bench, Engine};
use crate::party::{Floor, Party};
use crate::report::{self, Memory, Report, Row};
use crate::site::Site;
use crate::work::Work;

/// Sessions and orders that are made over the wire, and used.
const USED: u64 = 20_000;
/// How often at most the server is started anew to see how long that takes.
const STARTS: usize = 5;
/// Codes and devices that are made for one second.
const EACH_SECOND: f64 = 12_000.0;

/// Measures, prints, writes.
pub async fn run(options: &Bench) -> anyhow::Result<()> {
    let works = chosen(&options.only)?;
    let site = Site::prepare(&options.common, options.peers).await?;
    let stock = Stock {
        sessions: options.sessions,
        resources: options.resources,
        used: USED.min(options.sessions.max(options.resources)).max(64),
    };
    let ceilings = ceilings(options, &site).await?;
    let settings = site.settings(variables(&options.set)?)?;
    let mut house = House::open(settings).await?;
    let idle = house.idle;
    let (sessions, orders) = fill(&mut house, stock, &site).await?;
    let (house, started_in) = restart(house, options.rounds).await?;
    let settled = house.serving.process.memory();
    let floor = Floor::start(&site.folder).await?;
    let mut parties = vec![Party::Server(Box::new(house)), Party::Floor(Box::new(floor))];
    if options.peers {
        parties.extend(Party::peers(&site, options.seconds, options.rounds, options.connections).await);
    }

    let mut report = Report {
        engine: options.common.engine,
        sessions,
        orders,
        started_in,
        memory: Memory { idle, settled, busiest: settled },
        ceilings,
        connections: options.connections,
        rounds: options.rounds,
        seconds: options.seconds,
        machine: report::machine(),
        rows: Vec::new(),
    };
    for work in works {
        let row = measure(work, &mut parties, options, &site, &mut report.memory.busiest).await?;
        eprint!("{}", report::line(&report, &row));
        report.rows.push(row);
    }
    for party in parties {
        party.close().await;
    }
    site.close().await;
    report::show(&report);
    if let Some(path) = &options.json {
        std::fs::write(path, report::json(&report)?).with_context(|| path.display().to_string())?;
    }
    if let Some(path) = &options.html {
        std::fs::write(path, report::html(&report)).with_context(|| path.display().to_string())?;
    }
    report.check()
}

fn chosen(only: &[String]) -> anyhow::Result<Vec<Work>> {
    let names = || Work::ALL.map(Work::name).join(", ");
    for name in only {
        if !Work::ALL.iter().any(|work| work.name() == name) {
            bail!("there is no work called `{name}`. There are: {}", names());
        }
    }
    let is_chosen = |work: &Work| only.is_empty() || only.iter().any(|name| name == work.name());
    Ok(Work::ALL.into_iter().filter(is_chosen).collect())
}

fn variables(set: &[String]) -> anyhow::Result<Vec<(String, String)>> {
    set.iter()
        .map(|pair| pair.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())))
        .collect::<Option<_>>()
        .context("--set wants NAME=VALUE")
}

async fn ceilings(options: &Bench, site: &Site) -> anyhow::Result<Ceilings> {
    let time = Duration::from_secs_f64(options.seconds);
    let mut ceilings = Ceilings::of_the_machine()?;
    match &site.database {
        None => ceilings.add_sqlite(&site.folder, options.connections, time).await?,
        Some(url) => ceilings.add_postgres(url, options.connections, time).await?,
    }
    Ok(ceilings)
}

/// Fills the store, with a bar.
pub async fn fill(house: &mut House, stock: Stock, site: &Site) -> anyhow::Result<(Footprint, Footprint)> {
    let mut fill = site.fill().await?;
    let bar =
        bar(stock.sessions + stock.resources, "filling {bar:40} {human_pos}/{human_len} rows, {per_sec}, {eta} left");
    house.fill(stock, &mut fill, &|done| bar.set_position(done)).await?;
    bar.finish_and_clear();
    fill.footprints().await
}

fn bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style)
}

/// Starts the server anew on what is there now, a few times; the last one stays.
async fn restart(mut house: House, rounds: usize) -> anyhow::Result<(House, f64)> {
    let mut times = Vec::new();
    for _ in 0..STARTS.min(rounds) {
        let settings: Settings = house.serving.settings.clone();
        house.serving.process.end().await;
        house.serving = Serving::start(settings).await?;
        times.push(house.serving.started_in);
    }
    Ok((house, median(times)))
}

/// All rounds of one work, the parties in turn.
async fn measure(
    work: Work,
    parties: &mut [Party],
    options: &Bench,
    site: &Site,
    busiest: &mut u64,
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
            if at == 0 {
                *busiest = (*busiest).max(process.memory());
            }
            lanes[at] = Some(back);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let measured = parties.iter().zip(series).filter(|(_, series)| !series.samples.is_empty());
    Ok(Row { work, parties: measured.map(|(party, series)| (party.name(), series)).collect() })
}

/// What people call the engine.
pub fn engine_name(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "SQLite",
        Engine::Postgres => "PostgreSQL",
    }
}
