//! Runs the properties for as long as asked: `cargo xtask fuzz [TARGET] [--seconds N] [--seed S] [--input FILE]`.

use std::time::Duration;

use anyhow::{Context, bail};
use valetkey_fuzz::{run, target, targets};

fn main() -> anyhow::Result<()> {
    let (mut named, mut seconds, mut seed, mut input) = (None, 10, 1, None);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().with_context(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--seconds" => seconds = value()?.parse().context("--seconds needs a number")?,
            "--seed" => seed = value()?.parse().context("--seed needs a number")?,
            "--input" => input = Some(value()?),
            name => named = Some(target(name).with_context(|| format!("no target is called {name}; {}", all()))?),
        }
    }
    if let Some(file) = input {
        let Some(target) = named else { bail!("--input needs a target; {}", all()) };
        // Without the runner around it, so that the panic shows where it began.
        (target.check)(&std::fs::read(&file).with_context(|| format!("cannot read {file}"))?);
        println!("{} holds for {file}", target.name);
        return Ok(());
    }
    for target in targets::ALL.into_iter().filter(|target| named.is_none_or(|named| named.name == target.name)) {
        println!("{}", run(target, seed, Duration::from_secs(seconds))?);
    }
    Ok(())
}

fn all() -> String {
    let names: Vec<_> = targets::ALL.iter().map(|target| target.name).collect();
    format!("there are {}", names.join(", "))
}
