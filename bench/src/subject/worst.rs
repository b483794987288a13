//! The worst request: what a caller could send to be expensive, each alone and several times. The processor time of the server
//! and of the database decides; whether it was refused, capped or answered does not.

mod bodies;
mod lists;
mod oauth;

use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use serde::Serialize;

use crate::bench::bar;
use crate::house::House;
use crate::measure::median;
use crate::options::Bench;
use crate::process::Process;
use crate::site::Site;
use crate::wire::Line;

/// So often each is sent at least, after one that finds nothing in any cache.
const SENT: usize = 5;
/// What a server does after its answer is counted too.
const AFTERWARDS: Duration = Duration::from_millis(4);

/// A request that might be expensive.
pub struct Request {
    pub name: &'static str,
    pub bytes: Vec<u8>,
}

impl Request {
    fn new(name: &'static str, bytes: Vec<u8>) -> Self {
        Self { name, bytes }
    }

    /// The line that names what is asked for, cut where it is long.
    fn first_line(&self) -> String {
        let line = self.bytes.split(|byte| *byte == b'\r').next().unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        let line = line.strip_suffix(" HTTP/1.1").unwrap_or(&line);
        match line.char_indices().nth(200) {
            Some((at, _)) => format!("{}…", &line[..at]),
            None => line.to_owned(),
        }
    }
}

/// What one request cost; times in milliseconds.
#[derive(Debug, Clone, Serialize)]
pub struct Cost {
    pub name: &'static str,
    pub request: String,
    /// Bytes that were sent.
    pub sent: usize,
    /// Bytes that came back.
    pub received: usize,
    pub status: u16,
    /// Processor time of the server, the median.
    pub cpu: f64,
    /// Processor time of the database, where it is a program of its own.
    pub database_cpu: f64,
    /// Both together, the most that was seen.
    pub most: f64,
    /// From the request to its answer.
    pub wait: f64,
}

impl Cost {
    /// Processor time of both.
    pub fn whole(&self) -> f64 {
        self.cpu + self.database_cpu
    }
}

/// What was found, the most expensive first.
#[derive(Debug, Serialize)]
pub struct Worst {
    pub costs: Vec<Cost>,
}

impl Worst {
    /// Answers that say that the server failed.
    pub fn complaint(&self) -> Option<String> {
        let failed = self.costs.iter().find(|cost| cost.status >= 500)?;
        Some(format!("{} was answered with {}", failed.name, failed.status))
    }
}

/// Sends them all.
pub async fn measure(house: &House, options: &Bench, site: &Site) -> anyhow::Result<Worst> {
    let mut requests = lists::all(house).await?;
    requests.extend(bodies::all(house).await?);
    requests.extend(oauth::all(house).await?);
    let bar: ProgressBar = bar(requests.len() as u64, "worst request: {msg:50} {bar:30} {pos}/{len}");
    let mut costs = Vec::with_capacity(requests.len());
    for request in &requests {
        bar.set_message(request.name);
        costs.push(cost(house, site, request, SENT.max(options.rounds)).await?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    costs.sort_by(|one, other| other.whole().total_cmp(&one.whole()));
    if let Some(cost) = costs.first() {
        eprintln!("worst request of {}: {}, {:.1} ms CPU, {}", costs.len(), cost.name, cost.whole(), cost.status);
    }
    Ok(Worst { costs })
}

async fn cost(house: &House, site: &Site, request: &Request, times: usize) -> anyhow::Result<Cost> {
    let mut line = Line::open(house.address, None).await?;
    let (mut server, mut database, mut whole, mut waits) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut status, mut received) = (0, 0);
    for time in 0..=times {
        let used = || (house.serving.process.exact_cpu(), site.cluster.as_ref().map_or(0.0, Process::exact_cpu));
        let (before, start) = (used(), Instant::now());
        let is_open = match line.ask(&request.bytes).await {
            Ok(answer) => {
                (status, received) = (answer.status, answer.head.len() + answer.body.len());
                answer.header("connection") != Some("close")
            }
            // Refused without an answer, such as a request that goes on after it was refused.
            Err(_) => false,
        };
        let wait = start.elapsed().as_secs_f64() * 1e3;
        tokio::time::sleep(AFTERWARDS).await;
        let after = used();
        if !is_open {
            line = Line::open(house.address, None).await?;
        }
        if time > 0 {
            let (mine, theirs) = ((after.0 - before.0) * 1e3, (after.1 - before.1) * 1e3);
            server.push(mine);
            database.push(theirs);
            whole.push(mine + theirs);
            waits.push(wait);
        }
    }
    Ok(Cost {
        name: request.name,
        request: request.first_line(),
        sent: request.bytes.len(),
        received,
        status,
        cpu: median(server),
        database_cpu: median(database),
        most: whole.into_iter().fold(0.0, f64::max),
        wait: median(waits),
    })
}
