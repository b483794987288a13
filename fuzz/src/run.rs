//! Runs one property for a time, from its corpus and a seed. Knows the clock and the disk, and no property.

use std::cell::Cell;
use std::fmt;
use std::fs;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::{Target, mutate::Mutator, reduce::reduce};

/// So many texts are kept to begin from; a new one takes the place of an old one.
const KEPT: usize = 400;
/// So much of a text that failed is shown; all of it is in its file.
const SHOWN: usize = 300;

/// What came of a run in which nothing failed.
#[derive(Debug)]
pub struct Report {
    name: &'static str,
    /// How many texts were tried.
    pub texts: u64,
    length: Duration,
    slowest: Duration,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each_second = self.texts as f64 / self.length.as_secs_f64().max(0.001);
        let Self { name, texts, slowest, .. } = self;
        write!(f, "{name:<13} {texts:>9} texts, {each_second:>8.0} a second, the slowest {slowest:?}")
    }
}

/// Tries the corpus, and then what comes of it, for as long as asked. An error names the file with the text that failed.
pub fn run(target: Target, seed: u64, length: Duration) -> anyhow::Result<Report> {
    let corpus = corpus(target.name)?;
    let mutator = Mutator::new(seed, target.words);
    let begun = Instant::now();
    let mut report = Report { name: target.name, texts: 0, length, slowest: Duration::ZERO };
    let mut known = corpus.clone();
    for text in &corpus {
        attempt(target, seed, text, &mut report)?;
    }
    while begun.elapsed() < length {
        let text = mutator.next(&known);
        attempt(target, seed, &text, &mut report)?;
        // Changes add up, for a while: the corpus itself stays.
        if mutator.below(8) == 0 {
            if known.len() < corpus.len() + KEPT {
                known.push(text);
            } else {
                known[corpus.len() + mutator.below(KEPT)] = text;
            }
        }
    }
    report.length = begun.elapsed();
    Ok(report)
}

fn attempt(target: Target, seed: u64, text: &[u8], report: &mut Report) -> anyhow::Result<()> {
    let begun = Instant::now();
    report.texts += 1;
    if holds(target, text) {
        report.slowest = report.slowest.max(begun.elapsed());
        return Ok(());
    }
    let shortest = quietly(|| reduce(text, |shorter| !holds(target, shorter)));
    let file = keep(target.name, &shortest)?;
    let shown: String = String::from_utf8_lossy(&shortest).chars().take(SHOWN).collect();
    let (name, file) = (target.name, file.display());
    bail!("{name} does not hold (seed {seed}) for {shown:?}\nkept; again: cargo xtask fuzz {name} --input {file}")
}

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Shortening a text panics hundreds of times in the same way. Other threads are heard meanwhile.
fn quietly<T>(act: impl FnOnce() -> T) -> T {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let loud = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_QUIET.get() {
                loud(panic);
            }
        }));
    });
    IS_QUIET.set(true);
    let outcome = act();
    IS_QUIET.set(false);
    outcome
}

fn holds(target: Target, text: &[u8]) -> bool {
    catch_unwind(AssertUnwindSafe(|| (target.check)(text))).is_ok()
}

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The texts to begin from, in the order of their names.
fn corpus(name: &str) -> anyhow::Result<Vec<Vec<u8>>> {
    let folder = folder().join("corpus").join(name);
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<_>>()?;
    paths.sort();
    if paths.is_empty() {
        bail!("{} is empty", folder.display());
    }
    paths.iter().map(|path| fs::read(path).with_context(|| format!("cannot read {}", path.display()))).collect()
}

/// Keeps a text that failed, where cargo-fuzz would.
fn keep(name: &str, text: &[u8]) -> anyhow::Result<PathBuf> {
    let folder = folder().join("artifacts").join(name);
    fs::create_dir_all(&folder)?;
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, text);
    let id: String = digest.as_ref().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let file = folder.join(format!("crash-{id}"));
    fs::write(&file, text)?;
    Ok(file)
}
