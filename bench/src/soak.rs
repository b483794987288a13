//! `cargo xtask soak`: all flows at once for as long as asked, while memory, file handles and latency are watched.

mod verdict;

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::bench::{engine_name, fill};
use crate::drive::{Lane, drive};
use crate::house::{House, Stock};
use crate::options::Soak;
use crate::site::Site;
use crate::work::Work;
use verdict::{Sample, Verdict, judge};

/// Sessions and orders to begin with.
const STOCK: u64 = 512;
/// What is used up (codes, devices) in one slice.
const USED_UP: usize = 32;
/// The token of the run is good for a day.
const LONGEST: f64 = 23.0 * 60.0;
/// A run has about so many slices, each at most so long.
const SLICES: f64 = 24.0;
const SLICE: f64 = 15.0;
/// Where slices take long, a run goes on until it can be judged, but at most so many times as long as asked.
const PATIENCE: f64 = 5.0;

/// The same seed gives the same numbers: xorshift64*.
struct Chance(u64);

impl Chance {
    fn among(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % most
    }
}

/// Soaks, tells, judges; fails if something grows or was answered wrongly.
pub async fn run(options: &Soak) -> anyhow::Result<()> {
    if !(0.0..=LONGEST).contains(&options.minutes) {
        bail!("--minutes is at most {LONGEST}: tokens of the run are good for a day. Start another run after it");
    }
    let site = Site::prepare(&options.common, false).await?;
    let mut house = House::open(site.settings(Vec::new())?).await?;
    fill(&mut house, Stock { sessions: STOCK, resources: STOCK, used: STOCK }).await?;
    let samples = soak(&mut house, options).await?;
    house.serving.process.end().await;
    site.close().await;
    let verdict = judge(&samples, options.slower);
    tell(options, &samples, &verdict);
    if !verdict.is_good() {
        bail!("{}", verdict.complaints.join("; "));
    }
    Ok(())
}

async fn soak(house: &mut House, options: &Soak) -> anyhow::Result<Vec<Sample>> {
    let mut chance = Chance(options.seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let whole = options.minutes * 60.0;
    let slice = (whole / SLICES).clamp(0.2, SLICE);
    let (bar, begun) = (bar(whole), Instant::now());
    // Lanes that go on from slice to slice; of each work there are one to three at a time, as chance will have it.
    let mut kept: Vec<(Work, Vec<Box<dyn Lane>>)> = Vec::new();
    for work in Work::ALL.into_iter().filter(|work| !work.consumes()) {
        kept.push((work, work.lanes(house, 3, 0).await?));
    }
    let mut samples = Vec::new();
    let most = (whole * PATIENCE).min(LONGEST * 60.0);
    let goes_on = |seen: usize, seconds: f64| seconds < whole || (seen < verdict::FEWEST && seconds < most);
    while goes_on(samples.len(), begun.elapsed().as_secs_f64()) {
        let mut lanes = Vec::new();
        let mut counts = Vec::new();
        for (_, mine) in &mut kept {
            let count = usize::try_from(1 + chance.among(3))?;
            counts.push(count);
            lanes.extend(mine.drain(..count));
        }
        for work in Work::ALL.into_iter().filter(|work| work.consumes()) {
            lanes.extend(work.lanes(house, 2, USED_UP).await.with_context(|| work.title().to_owned())?);
        }
        let time = slice * (0.75 + 0.5 * f64::from(u32::try_from(chance.among(100))?) / 100.0);
        let (run, back) = drive(house.address, lanes, Duration::from_secs_f64(time)).await;
        let mut back = back.into_iter();
        for ((_, mine), count) in kept.iter_mut().zip(counts) {
            mine.extend(back.by_ref().take(count));
            // Another one comes first the next time.
            mine.rotate_left(1);
        }
        let process = &mut house.serving.process;
        process.check().context("the server")?;
        let sample = Sample {
            at: begun.elapsed().as_secs_f64(),
            memory: process.memory(),
            handles: process.handles(),
            p99: run.percentile(0.99) / 1000.0,
            answered: run.answered,
            wrong: run.wrong,
            complaint: run.complaint,
        };
        show(&bar, &sample, whole);
        samples.push(sample);
    }
    bar.finish_and_clear();
    Ok(samples)
}

fn bar(seconds: f64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    ProgressBar::new(seconds as u64).with_style(style)
}

fn show(bar: &ProgressBar, sample: &Sample, whole: f64) {
    let line = format!(
        "{:.0} of {whole:.0} s: {} answers, {} wrong, {:.1} MB, {} handles, p99 {:.1} ms",
        sample.at,
        sample.answered,
        sample.wrong,
        sample.megabytes(),
        sample.handles,
        sample.p99
    );
    if bar.is_hidden() {
        eprintln!("{line}");
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    bar.set_position(sample.at as u64);
    bar.set_message(line);
}

fn tell(options: &Soak, samples: &[Sample], verdict: &Verdict) {
    let (answered, engine) = (samples.iter().map(|sample| sample.answered).sum::<u64>(), options.common.engine);
    let minutes = samples.last().map_or(0.0, |last| last.at / 60.0);
    if options.json {
        let rows: Vec<_> = samples.iter().map(Sample::json).collect();
        let value = json!({
            "engine": engine_name(engine), "seed": options.seed, "minutes": minutes, "answered": answered,
            "memory_mb_per_hour": verdict.slope, "memory_mb": verdict.memory, "handles": verdict.handles,
            "p99_ms": verdict.p99, "good": verdict.is_good(), "complaints": verdict.complaints, "samples": rows,
        });
        println!("{value}");
        return;
    }
    println!("{}, seed {}: {answered} answers in {minutes:.1} minutes", engine_name(engine), options.seed);
    let ([early, late], [few, many], [quick, slow]) = (verdict.memory, verdict.handles, verdict.p99);
    println!("memory:  {early:.1} MB after warm-up, {late:.1} MB at the end, {:+.1} MB/hour", verdict.slope);
    println!("handles: {few} after warm-up, {many} at the end, at most");
    println!("p99:     {quick:.1} ms after warm-up, {slow:.1} ms at the end");
    println!("{}", if verdict.is_good() { "good: nothing grows" } else { "NOT good" });
}
