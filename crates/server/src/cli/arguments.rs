//! What the command line can say.

mod client;
mod user;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

pub(super) use client::{ClientCommand, ClientTerms};
pub(super) use user::{UserCommand, UserTerms};

use crate::config::Flags;

/// An OAuth 2 and OpenID Connect authorization server in one binary.
#[derive(Debug, Parser)]
#[command(name = "valetkey", version, about, after_help = "Without a command, valetkey serves.")]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) settings: SettingsArguments,
    /// Print one JSON value on standard output, and nothing else there
    #[arg(long, global = true)]
    pub(super) json: bool,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

/// Settings that have a flag. The same serve every command.
#[derive(Debug, Args)]
pub(super) struct SettingsArguments {
    /// Settings file [default: ./valetkey.toml if it exists] [env: VALETKEY_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<String>,
    /// Folder for the database file and the root key [default: ./valetkey-data] [env: VALETKEY_DATA]
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<String>,
    /// Address and port to listen on [default: 127.0.0.1:8080] [env: VALETKEY_LISTEN]
    #[arg(long, global = true, value_name = "ADDR")]
    listen: Option<String>,
    /// The origin that clients use [env: VALETKEY_PUBLIC_URL]
    #[arg(long, global = true, value_name = "URL")]
    public_url: Option<String>,
    /// File that declares the REST API [env: VALETKEY_API]
    #[arg(long, global = true, value_name = "FILE")]
    api: Option<String>,
    /// postgres://… or sqlite:PATH [default: a file in the data folder] [env: VALETKEY_DATABASE]
    #[arg(long, global = true, value_name = "URL")]
    database: Option<String>,
}

impl SettingsArguments {
    pub(super) fn flags(&self) -> Flags {
        Flags {
            config: self.config.clone(),
            data: self.data.clone(),
            listen: self.listen.clone(),
            public_url: self.public_url.clone(),
            api: self.api.clone(),
            database: self.database.clone(),
        }
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run the server
    Serve,
    /// People who can sign in
    #[command(subcommand)]
    User(UserCommand),
    /// Apps that ask for access
    #[command(subcommand)]
    Client(Box<ClientCommand>),
    /// API keys: what services inside the house show instead of a token
    #[command(subcommand, name = "apikey")]
    ApiKey(ApiKeyCommand),
    /// Keys that sign and seal tokens
    #[command(subcommand)]
    Key(KeyCommand),
    /// Sessions: what users let apps do
    #[command(subcommand)]
    Session(SessionCommand),
    /// The record of alerts: what someone should know of
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Bring the database to this version
    Migrate {
        /// Show what would run, and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Write all data into one file, as it is at one moment; servers go on meanwhile
    Backup {
        /// The file, or a folder in which it gets a name with the time
        #[arg(value_name = "FILE")]
        file: std::path::PathBuf,
        /// Replace a file that is there
        #[arg(long)]
        force: bool,
    },
    /// Fill the store from a backup, of either engine and of this version or an older one; no server may run
    Restore {
        /// A file that `valetkey backup` wrote
        #[arg(value_name = "FILE")]
        file: std::path::PathBuf,
        /// Replace everything that the store holds
        #[arg(long)]
        replace: bool,
        /// Read the file and look at the store, and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Move to another database: SQLite to PostgreSQL, or the other way
    #[command(
        after_help = "Whoever is interrupted runs the same command again: it goes on where it was.\n\nA password need \
                            not stand on the command line: without --to, the database of the settings is filled, such as \
                            that of VALETKEY_DATABASE; without --from, it is read."
    )]
    Copy(CopyTerms),
    /// The declared API
    #[command(subcommand)]
    Api(ApiCommand),
    /// Write files to begin with: a declaration, its schema for editors, and settings that name it
    Init {
        /// Where to; it is made if it is missing
        #[arg(value_name = "DIR", default_value = ".")]
        folder: std::path::PathBuf,
        /// Replace files that are there
        #[arg(long)]
        force: bool,
    },
    /// Look at the settings
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Find what is wrong with this deployment, and how to mend it
    Doctor,
    /// Ask the server that runs here whether it can do its work; for health checks
    Ready,
    /// Print completions for a shell
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print the manual page
    Man,
}

/// What is copied, and where to.
#[derive(Debug, Args)]
pub(super) struct CopyTerms {
    /// sqlite:PATH or postgres://… [default: the database of the settings]
    #[arg(long, value_name = "URL")]
    pub(super) from: Option<String>,
    /// sqlite:PATH or postgres://…, which must be empty [default: the database of the settings]
    #[arg(long, value_name = "URL")]
    pub(super) to: Option<String>,
    /// Copy though servers write meanwhile: what they write after the beginning stays behind. For a rehearsal
    #[arg(long)]
    pub(super) while_serving: bool,
    /// Begin anew where an earlier copy was not finished
    #[arg(long)]
    pub(super) restart: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum ApiKeyCommand {
    /// Make a key; it is printed once
    Add {
        /// What people call it
        #[arg(long)]
        name: String,
        /// A scope it has; may be repeated, or several with spaces
        #[arg(long = "scope", value_name = "SCOPE")]
        scopes: Vec<String>,
        /// An address or network that it may be used from; may be repeated [default: anywhere]
        #[arg(long, value_name = "NETWORK")]
        from: Vec<String>,
        /// How long it works, such as 90d [default: until it is revoked]
        #[arg(long, value_name = "TIME")]
        expires: Option<String>,
        /// The version of the API that its requests mean when they say none: a number, or a day such as 2026-01-31
        #[arg(long, value_name = "VERSION")]
        api_version: Option<String>,
    },
    /// List keys, never the keys themselves
    List,
    /// Renew a key; the old one works on for a while
    Rotate {
        /// Its id
        #[arg(value_parser = an_id)]
        id: uuid::Uuid,
        /// How long the old key works on, such as 24h or 0s
        #[arg(long, default_value = "24h")]
        overlap: String,
    },
    /// Take a key back
    Revoke {
        /// Its id
        #[arg(value_parser = an_id)]
        id: uuid::Uuid,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// List keys
    List,
    /// Make successors; they are published now and used once everyone can know them
    Rotate {
        /// Only this one: seal, es256, rs256 or eddsa
        purpose: Option<String>,
        /// Use them at once; clients with cached keys may fail until they fetch again
        #[arg(long)]
        now: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum SessionCommand {
    /// List sessions, newest first
    List {
        /// Only of this subject
        #[arg(long)]
        subject: Option<String>,
        /// Only of this client
        #[arg(long)]
        client: Option<String>,
        /// At most so many
        #[arg(long, default_value_t = 100)]
        limit: u32,
    },
    /// End a session; all its tokens die
    Revoke {
        /// Its id
        #[arg(value_parser = an_id)]
        id: uuid::Uuid,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum AuditCommand {
    /// List alerts, newest last
    List {
        /// Only of this kind, such as refresh_reused
        #[arg(long)]
        kind: Option<String>,
        /// Only those that concern this user, by the name they type at sign-in
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
        /// Only of the last while, such as 24h or 7d
        #[arg(long, value_name = "TIME")]
        since: Option<String>,
        /// At most so many, the newest
        #[arg(long, default_value_t = 100)]
        limit: u32,
        /// Go on with each new one until interrupted; with --json, each is one JSON value on a line of its own
        #[arg(long)]
        follow: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum ApiCommand {
    /// Say what is wrong with a declaration, or what it declares
    Check {
        /// The file [default: the one that the settings name, else the demonstration]
        file: Option<std::path::PathBuf>,
    },
    /// Print the JSON Schema with which editors check a declaration
    Schema,
    /// Print the OpenAPI document of the declared API
    Openapi {
        /// The version to describe; without it the newest
        #[arg(long, value_name = "N")]
        version: Option<u32>,
    },
    /// Say what clients would notice between two declarations or OpenAPI documents
    #[command(
        after_help = "Exit codes: 0 nothing breaks, 1 something does, 2 a file cannot be read.\n\nBetween commits: \
                            git show main:api.yaml | valetkey api diff - api.yaml"
    )]
    Diff {
        /// The older file, or - for standard input
        old: std::path::PathBuf,
        /// The newer file, or - for standard input
        new: std::path::PathBuf,
        /// How to write what was found [default: text]
        #[arg(long, value_enum)]
        format: Option<super::api_diff::Format>,
        /// What makes the exit code 1
        #[arg(long, value_enum, value_name = "WHAT", default_value_t = super::api_diff::FailOn::Breaking)]
        fail_on: super::api_diff::FailOn,
    },
    /// Write down what clients of each released version see, in api.lock; a server that differs does not start
    Lock {
        /// The declaration [default: the one that the settings name]
        file: Option<std::path::PathBuf>,
        /// Write nothing; the exit code is 1 if the lock is not up to date
        #[arg(long)]
        check: bool,
        /// Write the lock though clients of a released version break
        #[arg(long)]
        accept_breaking: bool,
    },
    /// Make the tables that the declaration asks for, as `serve` does when it starts
    Apply {
        /// Only say what would be done
        #[arg(long)]
        dry_run: bool,
        /// What may be lost: a field such as orders.note, or a whole resource
        #[arg(long, value_name = "NAME")]
        accept: Vec<String>,
    },
    /// Write the columns, indexes and words of every row again, from its document
    Reindex,
    /// Say which clients still call which version
    Usage {
        /// How many days to look back, today included
        #[arg(long, default_value_t = 30)]
        days: u32,
        /// Only this version
        #[arg(long, value_name = "N")]
        version: Option<u32>,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum ConfigCommand {
    /// Say what is wrong with the settings
    Check,
    /// Print a commented settings file with every default
    Example,
    /// Print the reference page of all settings
    Reference,
}

/// The words of the library tell where a letter is wrong, and not what was wanted.
fn an_id(text: &str) -> Result<uuid::Uuid, &'static str> {
    text.parse().map_err(|_| "ids look like 01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0e; `list` shows them")
}
