//! The commands an operator types.

mod api;
mod api_diff;
mod api_lock;
mod api_tables;
mod api_usage;
mod apikey;
mod arguments;
mod audit;
mod backup;
mod banner;
mod client;
mod config;
mod copy;
mod doctor;
mod init;
mod key;
mod link;
mod migrate;
mod output;
mod paint;
mod progress;
mod ready;
mod restore;
mod serve;
mod session;
mod shell;
mod supervisor;
mod user;

use std::io::{Write, stdout};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{CommandFactory, Parser};
use valetkey_oauth::ports::Observer;
use valetkey_oauth::{Authority, Event};

use valetkey_resources::ports::Ports;

use crate::app::authority::{self, OpenError, Opened};
use crate::app::root_key::RootKeyError;
use crate::config::{self as settings, Config, ConfigError, Loaded};
use arguments::{ApiCommand, Arguments, Command};
use output::Output;

/// Why a command ended without doing what was asked.
#[derive(Debug)]
enum Failure {
    /// The settings or arguments are wrong: exit code 2.
    Usage(String),
    /// The work went wrong: exit code 1.
    Work(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Work(error.into())
    }
}

/// Reads the command line, does what it says, and answers with the exit code.
pub fn run() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| misunderstood(&error));
    let output = Output::new(arguments.json);
    match dispatch(arguments, output) {
        Ok(code) => code,
        Err(Failure::Usage(message)) => output.fail(&message, 2),
        Err(Failure::Work(error)) => output.fail(&format!("{error:#}"), 1),
    }
}

/// Says why the command line cannot be understood, or the help or version that it asks for, and ends.
fn misunderstood(error: &clap::Error) -> ! {
    if error.use_stderr() && std::env::args_os().any(|argument| argument == "--json") {
        let text = error.to_string();
        let sentence = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect::<Vec<_>>().join(" ");
        output::tell(sentence.trim_start_matches("error: "));
    }
    let said = error.print().and_then(|()| stdout().flush());
    match output::heard(said) {
        Err(unwritten) if !error.use_stderr() => {
            output::complain(&format!("valetkey: {unwritten}"));
            std::process::exit(1)
        }
        _ => std::process::exit(error.exit_code()),
    }
}

fn dispatch(arguments: Arguments, output: Output) -> Result<ExitCode, Failure> {
    let command = arguments.command.unwrap_or(Command::Serve);
    match &command {
        Command::Completions { shell } => return shell::completions(*shell, Arguments::command()),
        Command::Man => return shell::man(Arguments::command()),
        Command::Config(command) => return config::run(command, &arguments.settings.flags(), output),
        Command::Api(ApiCommand::Apply { .. } | ApiCommand::Reindex | ApiCommand::Usage { .. }) => {}
        Command::Api(command) => return api::run(command, &arguments.settings.flags(), output),
        Command::Init { folder, force } => return init::run(folder, *force, output),
        _ => {}
    }
    let flags = arguments.settings.flags();
    // Those two have a place of their own for what is doubtful.
    let is_told = matches!(command, Command::Serve | Command::Doctor);
    let loaded = if is_told { load(&flags)? } else { load_aloud(&flags)? };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match command {
            Command::Serve => serve::run(loaded, output).await,
            Command::User(command) => user::run(command, &loaded.config, output).await,
            Command::Client(command) => client::run(*command, &loaded.config, output).await,
            Command::ApiKey(command) => apikey::run(command, &loaded.config, output).await,
            Command::Key(command) => key::run(command, &loaded.config, output).await,
            Command::Session(command) => session::run(command, &loaded.config, output).await,
            Command::Audit(command) => audit::run(command, &loaded.config, output).await,
            Command::Migrate { dry_run } => migrate::run(dry_run, &loaded.config, output).await,
            Command::Backup { file, force } => backup::run(&file, force, &loaded, output).await,
            Command::Restore { file, replace, dry_run } => {
                restore::run(&file, replace, dry_run, &loaded.config, output).await
            }
            Command::Copy(terms) => copy::run(&terms, &loaded.config, output).await,
            Command::Doctor => doctor::run(&loaded, output).await,
            Command::Ready => ready::run(&loaded.config, output).await,
            Command::Api(ApiCommand::Apply { dry_run, accept }) => {
                api_tables::apply(dry_run, &accept, &loaded.config, output).await
            }
            Command::Api(ApiCommand::Usage { days, version }) => {
                api_usage::run(days, version, &loaded.config, output).await
            }
            Command::Api(ApiCommand::Reindex) => api_tables::reindex(&loaded.config, output).await,
            Command::Api(_)
            | Command::Init { .. }
            | Command::Config(_)
            | Command::Completions { .. }
            | Command::Man => Ok(ExitCode::SUCCESS),
        }
    })
}

/// The settings, or every reason why they cannot be used.
fn load(flags: &settings::Flags) -> Result<Loaded, Failure> {
    let here = std::env::current_dir()?;
    Config::load(flags, &settings::environment(), &here).map_err(usage)
}

/// The same, and what looks like a mistake in them is told.
fn load_aloud(flags: &settings::Flags) -> Result<Loaded, Failure> {
    let loaded = load(flags)?;
    for warning in &loaded.warnings {
        output::complain(&format!("valetkey: {warning}"));
    }
    Ok(loaded)
}

fn usage(error: ConfigError) -> Failure {
    Failure::Usage(error.to_string())
}

/// The authority for a command beside, before or without a server. Nobody listens: what it does, it prints. It has no
/// scopes of the API, so that a mistake in a declaration keeps nobody from ending a session.
async fn open(config: &Config) -> Result<Authority, Failure> {
    Ok(open_all(config).await?.authority)
}

/// What is kept of the declared API.
async fn open_api(config: &Config) -> Result<Ports, Failure> {
    Ok(open_all(config).await?.resources)
}

async fn open_all(config: &Config) -> Result<Opened, Failure> {
    struct Nobody;
    impl Observer for Nobody {
        fn observe(&self, _: &Event<'_>) {}
    }
    let mut bar = progress::Bar::new("migrating");
    let opened =
        authority::open(config, &[], Arc::new(Nobody), &mut |step| bar.step(step)).await.map_err(
            |error| match error {
                OpenError::RootKey(RootKeyError::NotGiven(finding)) => Failure::Usage(finding.to_string()),
                other => other.into(),
            },
        )?;
    bar.finish();
    Ok(opened)
}
