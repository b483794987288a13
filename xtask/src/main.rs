//! Chores of the project, called as `cargo xtask <chore>`. Knows files and words, and no crate of the product.

mod fuzz;
mod sbom;
mod tidy;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, bail};

const USAGE: &str = "\
Usage: cargo xtask tidy [--json] [--root DIR]
       cargo xtask sbom [--target TRIPLE] [--root DIR]
       cargo xtask bench [OPTIONS]
       cargo xtask load [OPTIONS]
       cargo xtask soak [OPTIONS]
       cargo xtask crash [--seed S] [--rounds N] [--length MS] [--engine sqlite|postgres]
       cargo xtask nodes [--seed S] [--rounds N] [--length MS]
       cargo xtask fuzz [TARGET] [--seed S] [--seconds N] [--input FILE] [--libfuzzer]

  tidy      reports what crosses a wall of the house, and the longest files
  --json    one JSON value on standard output instead of lines
  --root    the workspace to look at; otherwise the one around the current folder

  sbom      what the binary is made of, as a CycloneDX document on standard output
  --target  for which machines; otherwise x86_64-unknown-linux-gnu

  bench     what the server costs, measured beside a floor and beside peers; --only storm, worst or expiry for these
            alone, --growth for ten million sessions beside an empty store; bench --help says how
  load      fills a store, and tells what it takes on disk; load --help says how
  soak      runs all flows for as long as asked, and tells whether anything grows; soak --help says how

  crash     kills servers and databases under load, and looks whether all that was answered is there
  nodes     restarts and kills nodes behind nginx under load, and races across nodes
  --seed    which run: another seed, another order of things and other moments
  --rounds  how often
  --length  for how many milliseconds at most there is load before something happens
  --engine  only this one; docs/endurance.md says what each of them needs

  fuzz      sends parsers what nobody would write: to TARGET for N seconds, or to each of them
  --input   only this one text, which failed before
  --libfuzzer  with libFuzzer, which sees what is new; needs a TARGET and a C++ compiler";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(mut args: impl Iterator<Item = String>) -> anyhow::Result<ExitCode> {
    match args.next().as_deref() {
        Some("tidy") => tidy(args),
        Some("sbom") => sbom(args),
        Some(chore @ ("bench" | "load" | "soak")) => measure(chore, args),
        Some(chore @ ("crash" | "nodes")) => endure(chore, args),
        Some("fuzz") => fuzz::run(args.collect()),
        Some("help" | "--help" | "-h") => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        Some(other) => bail!("there is no chore called `{other}`\n\n{USAGE}"),
        None => bail!("name a chore\n\n{USAGE}"),
    }
}

fn tidy(mut args: impl Iterator<Item = String>) -> anyhow::Result<ExitCode> {
    let mut json = false;
    let mut root = None;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--json" => json = true,
            "--root" => root = Some(PathBuf::from(args.next().context("--root needs a folder")?)),
            other => bail!("tidy does not know `{other}`\n\n{USAGE}"),
        }
    }
    let root = match root {
        Some(root) => root,
        None => workspace_around(&std::env::current_dir()?)?,
    };

    let report = tidy::inspect(&root)?;

    print!("{}", if json { report.to_json() } else { report.to_text() });
    Ok(if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn sbom(mut args: impl Iterator<Item = String>) -> anyhow::Result<ExitCode> {
    let mut target = "x86_64-unknown-linux-gnu".to_owned();
    let mut root = None;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--target" => target = args.next().context("--target needs a triple")?,
            "--root" => root = Some(PathBuf::from(args.next().context("--root needs a folder")?)),
            other => bail!("sbom does not know `{other}`\n\n{USAGE}"),
        }
    }
    let root = root.map_or_else(|| workspace_around(&std::env::current_dir()?), Ok)?;
    // Not println: whoever reads may have read enough, and that is no reason to panic.
    writeln!(std::io::stdout(), "{}", serde_json::to_string_pretty(&sbom::describe(&root, &target)?)?)?;
    Ok(ExitCode::SUCCESS)
}

/// Hands over to the program that measures. It is built for speed, and apart from here, so that tidy stays quick to build.
fn measure(chore: &str, args: impl Iterator<Item = String>) -> anyhow::Result<ExitCode> {
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--release", "--package", "valetkey-bench", "--", chore]).args(args);
    let status = command.status().context("cargo could not be started")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs tests of endurance with the seed, rounds and length that were asked for.
fn endure(chore: &str, mut args: impl Iterator<Item = String>) -> anyhow::Result<ExitCode> {
    let mut command = Command::new("cargo");
    let mut filter = chore.to_owned();
    while let Some(arg) = args.next() {
        let value = args.next().with_context(|| format!("{arg} needs a value"))?;
        match (arg.as_str(), value.as_str()) {
            ("--seed", _) => command.env("VALETKEY_TEST_SEED", value),
            ("--rounds", _) => command.env("VALETKEY_TEST_ROUNDS", value),
            ("--length", _) => command.env("VALETKEY_TEST_LENGTH", value),
            ("--engine", "sqlite") if chore == "crash" => {
                filter = "killed_server_on_sqlite".to_owned();
                &mut command
            }
            ("--engine", "postgres") if chore == "crash" => {
                filter = "databases_on_postgresql".to_owned();
                &mut command
            }
            (other, _) => bail!("{chore} does not know `{other} {value}`\n\n{USAGE}"),
        };
    }
    command.args(["test", "--package", "valetkey", "--test", "endurance", "--", "--nocapture", &filter]);
    let status = command.status().context("cargo could not be started")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The nearest folder above `start` whose manifest opens a workspace.
fn workspace_around(start: &Path) -> anyhow::Result<PathBuf> {
    start
        .ancestors()
        .find(|folder| {
            std::fs::read_to_string(folder.join("Cargo.toml"))
                .is_ok_and(|manifest| manifest.lines().any(|line| line.trim() == "[workspace]"))
        })
        .map(Path::to_path_buf)
        .with_context(|| format!("no workspace around {}; name one with --root", start.display()))
}
