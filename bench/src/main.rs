//! What the server costs, measured beside a floor and beside peers: the chores `cargo xtask bench`, `load` and `soak`.
//! Knows the server from outside: its program, its wire, and the tables it fills.

#![allow(missing_docs, reason = "a program has no callers")]
#![allow(clippy::disallowed_methods, reason = "what is measured is the wall clock and the environment")]

mod bench;
mod ceiling;
mod drive;
mod fill;
mod floor;
mod goals;
mod house;
mod load;
mod measure;
mod options;
mod party;
mod process;
mod report;
mod site;
mod soak;
mod subject;
mod wire;
mod work;

use std::process::ExitCode;

use clap::Parser as _;
use options::{Chore, Options};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match run(Options::parse().chore) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(chore: Chore) -> anyhow::Result<()> {
    let mut runtime = match chore {
        // As the server runs.
        Chore::Floor => tokio::runtime::Builder::new_multi_thread(),
        // One thread makes more load than two cores can answer.
        Chore::Bench(_) | Chore::Load(_) | Chore::Soak(_) => tokio::runtime::Builder::new_current_thread(),
    };
    runtime.enable_all().build()?.block_on(async {
        match chore {
            Chore::Floor => floor::serve().await,
            Chore::Bench(options) => bench::run(&options).await,
            Chore::Load(options) => load::run(&options).await,
            Chore::Soak(options) => soak::run(&options).await,
        }
    })
}
