//! Starting the server as shipped: settings, port, and how long it takes until it answers.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use tokio::process::Command;

use crate::process::Process;
use crate::wire::{Line, Request};

/// So long a start may take before it counts as failed.
const PATIENCE: Duration = Duration::from_secs(60);
/// Counted, never reached.
const PLENTY: &str = "1000000000";

/// How the server is started and its commands are run.
#[derive(Debug, Clone)]
pub struct Settings {
    pub binary: PathBuf,
    pub folder: PathBuf,
    pub port: u16,
    /// Where PostgreSQL is; none means SQLite.
    pub database: Option<String>,
    /// More variables.
    pub more: Vec<(String, String)>,
}

impl Settings {
    /// The program, in its environment and nothing of ours.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("VALETKEY_")) {
            command.env_remove(name);
        }
        command
            .current_dir(&self.folder)
            .env("VALETKEY_DATA", self.folder.join("data"))
            .env("VALETKEY_DEMO", "0")
            .env("VALETKEY_LISTEN", format!("127.0.0.1:{}", self.port))
            .env("VALETKEY_ROOT_KEY", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
            .env("VALETKEY_LIMITS_API_REQUESTS", PLENTY)
            .env("VALETKEY_LIMITS_TOKEN_REQUESTS", PLENTY)
            // Tokens are made once for all rounds.
            .env("VALETKEY_TOKENS_ACCESS_LIFETIME", "24h");
        if let Some(database) = &self.database {
            command.env("VALETKEY_DATABASE", database);
        }
        command.envs(self.more.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// A server that answers.
pub struct Serving {
    pub settings: Settings,
    pub address: SocketAddr,
    pub process: Process,
    /// From the start of the program to its first 200, in seconds.
    pub started_in: f64,
}

impl Serving {
    /// Starts the server and waits for its first 200.
    pub async fn start(settings: Settings) -> anyhow::Result<Self> {
        let mut command = settings.command();
        command.args(["serve", "--json"]);
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, settings.port));
        let start = Instant::now();
        let mut process = Process::start(command, &settings.folder.join("server.log"))?;
        let health = Request::new("GET", "/healthz", "127.0.0.1").bare();
        await_answer(&mut process, address, &health, start).await.context("the server")?;
        Ok(Self { settings, address, process, started_in: start.elapsed().as_secs_f64() })
    }
}

/// Asks again and again until there is a 200.
pub async fn await_answer(
    process: &mut Process,
    address: SocketAddr,
    request: &[u8],
    start: Instant,
) -> anyhow::Result<()> {
    loop {
        if let Ok(mut line) = Line::open(address, None).await
            && let Ok(answer) = line.ask(request).await
            && answer.status == 200
        {
            return Ok(());
        }
        process.check()?;
        if start.elapsed() > PATIENCE {
            bail!("no answer within {} s: {}", PATIENCE.as_secs(), process.said());
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// A port that nobody uses now.
pub fn free_port() -> anyhow::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
