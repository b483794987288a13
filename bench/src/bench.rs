//! One run from the first start to the report: fill, measure in turn, compare.

mod chosen;
mod rounds;

use std::time::{Duration, Instant};

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};

use crate::ceiling::Ceilings;
use crate::fill::{Fill, Footprint};
use crate::house::{House, Serving, Settings, Stock};
use crate::measure::median;
use crate::options::{Bench, Engine};
use crate::party::{Floor, Party};
use crate::report::{self, Memory, Report};
use crate::site::Site;
use crate::subject::Findings;
use crate::work::Work;

/// Sessions and orders that are made over the wire, and used.
const USED: u64 = 20_000;
/// How often at most the server is started anew to see how long that takes.
const STARTS: usize = 5;

/// Measures, prints, writes.
pub async fn run(options: &Bench) -> anyhow::Result<()> {
    let (works, subjects) = chosen::chosen(options)?;
    let site = Site::prepare(&options.common, options.peers).await?;
    let (sessions, resources) = (options.sessions(), options.resources);
    let used = USED.min(sessions.max(resources)).max(64);
    let stock = Stock { sessions, resources, used };
    let ceilings = ceilings(options, &site).await?;
    let settings = site.settings(variables(&options.set)?)?;
    let mut house = House::open(settings).await?;
    let idle = house.idle;
    let start = Instant::now();
    let (sessions, orders) = fill(&mut house, stock).await?;
    let filled_in = start.elapsed().as_secs_f64();
    let (house, started_in) = restart(house, options.rounds).await?;
    let settled = house.serving.process.memory();
    let floor = Floor::start(&site.folder).await?;
    let mut parties = vec![Party::Server(Box::new(house)), Party::Floor(Box::new(floor))];
    if options.growth {
        parties.push(Party::Empty(Box::new(empty(options, used, &site).await?)));
    }
    if options.peers {
        parties.extend(Party::peers(&site, options.seconds, options.rounds, options.connections).await);
    }

    let mut report = Report {
        engine: options.common.engine,
        sessions,
        orders,
        filled_in,
        started_in,
        memory: Memory { idle, settled, busiest: settled, empty: None },
        ceilings,
        connections: options.connections,
        rounds: options.rounds,
        seconds: options.seconds,
        machine: report::machine(),
        rows: Vec::new(),
        findings: Findings::default(),
    };
    for work in works {
        let measured = rounds::measure(work, &mut parties, options, &site, &mut report.memory);
        let row = match (work, &site.database) {
            (Work::Es256, _) => report.ceilings.sign_beside(measured).await?,
            (Work::Introspection, Some(url)) => {
                let time = Duration::from_secs_f64(options.seconds);
                report.ceilings.read_beside(url, options.connections, time, measured).await?
            }
            _ => measured.await?,
        };
        eprint!("{}", report::line(&report, &row));
        report.rows.push(row);
    }
    for subject in subjects {
        if let Some(Party::Server(house)) = parties.first_mut() {
            report.findings.add(subject, house, options, &site).await?;
        }
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
pub async fn fill(house: &mut House, stock: Stock) -> anyhow::Result<(Footprint, Footprint)> {
    let mut fill = Fill::of(&house.serving.settings).await?;
    let bar =
        bar(stock.sessions + stock.resources, "filling {bar:40} {human_pos}/{human_len} rows, {per_sec}, {eta} left");
    house.fill(stock, &mut fill, &|done| bar.set_position(done)).await?;
    bar.finish_and_clear();
    fill.footprints().await
}

/// A bar that says how far something is.
pub fn bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style)
}

/// A second server, whose store has nothing but the sessions and orders that are used.
async fn empty(options: &Bench, used: u64, site: &Site) -> anyhow::Result<House> {
    let mut house = House::open(site.settings_beside(variables(&options.set)?).await?).await?;
    let mut fill = Fill::of(&house.serving.settings).await?;
    house.fill(Stock { sessions: used, resources: used, used }, &mut fill, &|_| ()).await?;
    Ok(restart(house, 1).await?.0)
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

/// What people call the engine.
pub fn engine_name(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "SQLite",
        Engine::Postgres => "PostgreSQL",
    }
}
