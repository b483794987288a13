//! Starts the program that fuzzes: our runner, or libFuzzer around one of the same properties. Knows flags, and no parser.

use std::process::{Command, ExitCode};

use anyhow::{Context, bail};

/// Counters in all code, which the stable compiler can put there. What cargo-fuzz asks for but the sanitizers, which need a
/// nightly one: no code of ours is unsafe.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// Where its build and what it found stay apart from the rest.
const FOLDER: &str = "target/libfuzzer";

pub fn run(args: Vec<String>) -> anyhow::Result<ExitCode> {
    let (libfuzzer, args): (Vec<_>, Vec<_>) = args.into_iter().partition(|arg| arg == "--libfuzzer");
    let mut command = if libfuzzer.is_empty() { runner(&args) } else { with_coverage(&args)? };
    let status = command.status().context("cargo could not be started")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn runner(args: &[String]) -> Command {
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--package", "valetkey-fuzz", "--"]).args(args);
    command
}

fn with_coverage(args: &[String]) -> anyhow::Result<Command> {
    let (mut target, mut passed) = (None, Vec::new());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().with_context(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--seed" => passed.push(format!("-seed={}", value()?)),
            "--seconds" => passed.push(format!("-max_total_time={}", value()?)),
            "--input" => bail!("--input is for our own runner: leave --libfuzzer out"),
            name => target = Some(name),
        }
    }
    let target = target.context("--libfuzzer needs a TARGET")?;
    let (corpus, found) = (format!("fuzz/corpus/{target}"), format!("{FOLDER}/corpus/{target}"));
    let artifacts = format!("fuzz/artifacts/{target}/");
    for folder in [&found, &artifacts] {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {folder}; start at the root"))?;
    }
    let triple = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let mut command = Command::new("cargo");
    // With a target named, programs that only build things are left as they are.
    command.env("RUSTFLAGS", FLAGS).args(["run", "--quiet", "--package", "valetkey-fuzz", "--features", "libfuzzer"]);
    command.args(["--bin", target, "--target", &triple, "--target-dir", FOLDER, "--"]);
    command.args([&found, &corpus]).arg(format!("-artifact_prefix={artifacts}")).args(passed);
    Ok(command)
}
