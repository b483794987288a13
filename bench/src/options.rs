//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// What the server costs, measured beside a floor and beside peers.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub struct Options {
    #[command(subcommand)]
    pub chore: Chore,
}

#[derive(Subcommand)]
pub enum Chore {
    /// Drives the same load at the server, the floor and peers in turn, and compares.
    Bench(Bench),
    /// Fills a store with sessions and orders, and tells what they take on disk.
    Load(Load),
    /// Runs all flows for as long as asked, and tells whether memory, file handles or latency grow.
    Soak(Soak),
    /// Serves the floor.
    #[command(hide = true)]
    Floor,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    Sqlite,
    Postgres,
}

#[derive(Args, Clone)]
pub struct Common {
    /// The server's program; built with --release if none is named
    #[arg(long, value_name = "PATH")]
    pub binary: Option<PathBuf>,
    /// Where rows are
    #[arg(long, value_enum, default_value = "sqlite")]
    pub engine: Engine,
    /// A PostgreSQL that may be filled (its role makes databases); a private one is started if none is named
    #[arg(long, value_name = "URL")]
    pub postgres: Option<String>,
    /// Folder for stores and logs; a temporary one if none is named
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

#[derive(Args)]
pub struct Bench {
    #[command(flatten)]
    pub common: Common,
    /// Beside node-oidc-provider and Kinto as well, from their registries
    #[arg(long)]
    pub peers: bool,
    /// Only works and subjects (storm, worst, expiry) whose name is one of these; may be repeated
    #[arg(long, value_name = "WORK")]
    pub only: Vec<String>,
    /// Introspection, refresh, GET and list beside a second server, whose store is empty; with ten million sessions
    #[arg(long)]
    pub growth: bool,
    /// How long each round takes
    #[arg(long, value_name = "N", default_value_t = 3.0)]
    pub seconds: f64,
    /// How many rounds there are for each work and party
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub rounds: usize,
    /// Connections, each with one request on its way
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub connections: usize,
    /// Sessions in the store; a million, and ten million with --growth
    #[arg(long, value_name = "N")]
    pub sessions: Option<u64>,
    /// Orders in the store
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub resources: u64,
    /// Sessions that expire at one moment in `--only expiry`
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub expiring: u64,
    /// Writes everything that was measured there
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Writes a page with plots there
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// A variable for the server, such as VALETKEY_TOKENS_INTROSPECTION=fast; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Waits for this long before each work at the server, for a profiler to be attached
    #[arg(long, value_name = "SECONDS", hide = true)]
    pub pause: Option<f64>,
}

impl Bench {
    /// How many sessions the store is filled with.
    pub fn sessions(&self) -> u64 {
        self.sessions.unwrap_or(if self.growth { 10_000_000 } else { 1_000_000 })
    }
}

#[derive(Args)]
pub struct Load {
    #[command(flatten)]
    pub common: Common,
    /// Sessions to make
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub sessions: u64,
    /// Orders to make
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub resources: u64,
}

#[derive(Args)]
pub struct Soak {
    #[command(flatten)]
    pub common: Common,
    /// How long; longer where that is not enough to judge
    #[arg(long, value_name = "N", default_value_t = 10.0)]
    pub minutes: f64,
    /// Which mixture of flows, one after the other
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// So many times slower the answers may become before that counts as growing
    #[arg(long, value_name = "N", default_value_t = 2.0)]
    pub slower: f64,
    /// One JSON value on standard output instead of lines
    #[arg(long)]
    pub json: bool,
}
