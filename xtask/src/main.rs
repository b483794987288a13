//! Chores of the project, called as `cargo xtask <chore>`. Knows files and words, and no crate of the product.

mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};

const USAGE: &str = "\
Usage: cargo xtask tidy [--json] [--root DIR]

  tidy      reports what crosses a wall of the house, and the longest files
  --json    one JSON value on standard output instead of lines
  --root    the workspace to look at; otherwise the one around the current folder";

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
