//! Many sessions expire at one moment, and the server sweeps them while it is asked about tokens and renews others. How long
//! that takes, and how long callers wait meanwhile against the time before.

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use indicatif::ProgressBar;
use serde::Serialize;

use super::Waits;
use crate::bench::bar;
use crate::drive::{Lane, Run, pace};
use crate::fill::{Fill, millis};
use crate::house::House;
use crate::options::Bench;
use crate::wire::Line;
use crate::work::Work;

/// So many introspections and renewals a second.
const ASKED: f64 = 300.0;
const RENEWED: f64 = 100.0;
/// Connections of each kind.
const CALLERS: usize = 4;
/// Sessions that are renewed: as many times eight.
const USED: u64 = 64;
/// The look before.
const BEFORE: Duration = Duration::from_secs(10);
/// One look; between two of them, the server is asked how far it is.
const LOOK: Duration = Duration::from_secs(1);
/// So many rows a second are filled at least: then the first of them expires after the last was filled.
const FILLED: u64 = 20_000;
/// So long nothing may be swept before that counts as the end.
const PATIENCE: Duration = Duration::from_secs(150);

/// What was found.
#[derive(Debug, Default, Serialize)]
pub struct Expiry {
    /// Sessions that expired.
    pub expired: u64,
    /// Rows that were swept.
    pub swept: u64,
    /// From the first row that went to the last, in seconds.
    pub seconds: f64,
    pub introspection: Pair,
    pub refresh: Pair,
    pub complaint: Option<String>,
}

/// How long callers waited before, and while rows were swept.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Pair {
    pub before: Waits,
    pub during: Waits,
}

impl Pair {
    /// How many times longer the slowest in a hundred waited.
    pub fn slower(self) -> f64 {
        self.during.p99 / self.before.p99
    }
}

/// Callers who come at a steady pace.
struct Callers {
    asking: Vec<Box<dyn Lane>>,
    renewing: Vec<Box<dyn Lane>>,
}

impl Callers {
    async fn call(&mut self, house: &House, time: Duration) -> [Run; 2] {
        let (asking, renewing) = (std::mem::take(&mut self.asking), std::mem::take(&mut self.renewing));
        let asked = pace(house.address, asking, ASKED, time);
        let renewed = pace(house.address, renewing, RENEWED, time);
        let ((asked, asking), (renewed, renewing)) = tokio::join!(asked, renewed);
        (self.asking, self.renewing) = (asking, renewing);
        [asked, renewed]
    }
}

/// Looks, fills, waits for the moment, and looks until all are gone.
pub async fn measure(house: &House, options: &Bench) -> anyhow::Result<Expiry> {
    let count = options.expiring;
    house.make_sessions(USED).await?;
    let mut callers = Callers {
        asking: Work::Introspection.lanes(house, CALLERS, 0).await?,
        renewing: Work::Refresh.lanes(house, CALLERS, 0).await?,
    };
    callers.call(house, LOOK).await;
    let before = callers.call(house, BEFORE).await;

    let bar: ProgressBar = bar(count, "expiry: {msg:24} {bar:40} {human_pos}/{human_len}");
    let end = millis() + i64::try_from(count / FILLED * 1000 + 2000)?;
    let mut fill = Fill::of(&house.serving.settings).await?;
    let mut filled = 0;
    bar.set_message("filling");
    while filled < count {
        let part = (count - filled).min(20_000);
        fill.ending(part, end).await?;
        filled += part;
        bar.set_position(filled);
    }
    fill.settle().await?;
    drop(fill);
    bar.set_position(0);

    let mut found = Expiry { expired: count, ..Expiry::default() };
    let first = swept(house).await?;
    let mut during = [Run::default(), Run::default()];
    let (mut begun, mut moved) = (None, Instant::now());
    bar.set_message("waiting for the sweep");
    loop {
        let look = Instant::now();
        let runs = callers.call(house, LOOK).await;
        let now = swept(house).await? - first;
        if now > found.swept {
            begun.get_or_insert(look);
            (found.swept, moved) = (now, Instant::now());
            bar.set_message("sweeping");
            bar.set_position(now);
            for (whole, run) in during.iter_mut().zip(runs) {
                whole.add(run);
            }
        } else if found.swept >= count {
            break;
        } else if moved.elapsed() > PATIENCE {
            bail!("{} of {count} expired sessions were swept, and then no more for a while", found.swept);
        }
    }
    bar.finish_and_clear();
    found.seconds = begun.map_or(0.0, |begun| (moved - begun).as_secs_f64());
    for run in before.iter().chain(&during) {
        found.complaint = found.complaint.take().or_else(|| run.complaint.clone());
    }
    let pair = |at: usize, during: &mut Run| {
        during.latencies.sort_unstable();
        Pair { before: Waits::of(&before[at]), during: Waits::of(during) }
    };
    let [asked, renewed] = &mut during;
    (found.introspection, found.refresh) = (pair(0, asked), pair(1, renewed));
    eprintln!("expiry: {} rows swept in {:.0} s", found.swept, found.seconds);
    Ok(found)
}

/// How many rows the server has swept since it was started.
async fn swept(house: &House) -> anyhow::Result<u64> {
    let mut line = Line::open(house.address, None).await?;
    let answer = line.ask(&house.get("/metrics").bare()).await?;
    let text = answer.text();
    let number = text.lines().find_map(|line| line.strip_prefix("valetkey_swept_rows_total "));
    Ok(number.context("/metrics does not say what was swept")?.trim().parse()?)
}
