//! `valetkey user link`, `links` and `unlink`: who people are at other providers.

use std::process::ExitCode;

use anyhow::anyhow;
use clap::Subcommand;
use serde_json::{Value, json};
use valetkey_oauth::model::{Link, LinkMaker};
use valetkey_oauth::ports::{Keep, LinkAddition, Unlinking};
use valetkey_oauth::upstream;

use super::output::{Output, table};
use super::user::named;
use super::{Failure, open};
use crate::config::Config;

#[derive(Debug, Subcommand)]
pub(super) enum LinkCommand {
    /// Let a person sign in through another provider
    Link {
        /// What they type at sign-in
        username: String,
        /// The provider: its name in the settings, or its issuer
        #[arg(long, value_name = "ID")]
        provider: String,
        /// Who they are there: `sub` in the provider's tokens
        #[arg(long, value_name = "SUB")]
        subject: String,
    },
    /// List the providers through which a person can sign in
    Links {
        /// What they type at sign-in
        username: String,
    },
    /// Take a provider away from a person; who signed in through it stays signed in
    Unlink {
        /// What they type at sign-in
        username: String,
        /// The provider: its name in the settings, or its issuer
        #[arg(long, value_name = "ID")]
        provider: String,
    },
}

pub(super) async fn run(command: LinkCommand, config: &Config, output: Output) -> Result<ExitCode, Failure> {
    match command {
        LinkCommand::Link { username, provider, subject } => link(&username, &provider, subject, config, output).await,
        LinkCommand::Links { username } => links(&username, config, output).await,
        LinkCommand::Unlink { username, provider } => unlink(&username, &provider, config, output).await,
    }
}

async fn link(
    username: &str,
    provider: &str,
    subject: String,
    config: &Config,
    output: Output,
) -> Result<ExitCode, Failure> {
    let issuer = issuer(config, provider)?;
    if subject.is_empty() || subject.len() > 255 || subject.chars().any(char::is_control) {
        return Err(Failure::Usage(
            "--subject: a subject has 1 to 255 characters, none of them a control character".into(),
        ));
    }
    let authority = open(config).await?;
    let user = named(&authority, username).await?;
    let (maker, made_at) = (LinkMaker::Operator, authority.now());
    let link = Link { user: user.id, issuer, subject, maker, made_at, used_at: None };
    let why = match authority.ports.links.link(&link).await? {
        LinkAddition::Linked => {
            upstream::made(&authority, &link, None).await;
            output.print(&description(config, &link), || {
                format!("{} can sign in through {} as {}.", user.username, name(config, &link.issuer), link.subject)
            })?;
            return Ok(ExitCode::SUCCESS);
        }
        LinkAddition::SubjectTaken => "this subject is linked already, to this or another account",
        LinkAddition::AccountLinked => "the account is linked to another subject there; unlink that one first",
        LinkAddition::AccountGone => "the account is gone",
    };
    Err(anyhow!("{username} was not linked: {why}").into())
}

async fn links(username: &str, config: &Config, output: Output) -> Result<ExitCode, Failure> {
    let authority = open(config).await?;
    let user = named(&authority, username).await?;
    let found = authority.ports.links.links_of(user.id).await?;
    let value = Value::Array(found.iter().map(|link| description(config, link)).collect());
    output.print(&value, || {
        let row = |link: &Link| {
            let used = link.used_at.map(|at| format!("{at:.0}")).unwrap_or_default();
            let (maker, since) = (link.maker.as_str().to_owned(), format!("{:.0}", link.made_at));
            vec![name(config, &link.issuer).to_owned(), link.subject.clone(), maker, since, used]
        };
        table(&["provider", "subject", "made by", "since", "last used"], found.iter().map(row).collect())
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn unlink(username: &str, provider: &str, config: &Config, output: Output) -> Result<ExitCode, Failure> {
    let issuer = issuer(config, provider)?;
    let authority = open(config).await?;
    let user = named(&authority, username).await?;
    let links = authority.ports.links.links_of(user.id).await?;
    let missing = || anyhow!("{username} is not linked there; `valetkey user links {username}` shows where");
    let link = links.into_iter().find(|link| link.issuer == issuer).ok_or_else(missing)?;
    match authority.ports.links.unlink(user.id, &issuer, &link.subject, &Keep::Nothing).await? {
        Unlinking::Unlinked => upstream::removed(&authority, &link).await,
        Unlinking::LastWay | Unlinking::Unknown => return Err(missing().into()),
    }
    output.print(&description(config, &link), || {
        let left = if user.has_password() { "" } else { " They have no password either." };
        format!("{username} cannot sign in through {} any more.{left}", name(config, &link.issuer))
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The issuer that an operator means. One that is not in the settings any more can be named itself.
fn issuer(config: &Config, given: &str) -> Result<String, Failure> {
    if let Some(known) = config.providers.iter().find(|provider| provider.id == given) {
        return Ok(known.issuer.clone());
    }
    if given.starts_with("https://") || given.starts_with("http://") {
        return Ok(given.to_owned());
    }
    let known: Vec<_> = config.providers.iter().map(|provider| provider.id.as_str()).collect();
    let known = if known.is_empty() { "there is none".to_owned() } else { format!("there are {}", known.join(", ")) };
    Err(Failure::Usage(format!("--provider {given}: no provider of the settings has this name; {known}")))
}

fn id<'a>(config: &'a Config, issuer: &str) -> Option<&'a str> {
    config.providers.iter().find(|provider| provider.issuer == issuer).map(|provider| provider.id.as_str())
}

fn name<'a>(config: &'a Config, issuer: &'a str) -> &'a str {
    id(config, issuer).unwrap_or(issuer)
}

fn description(config: &Config, link: &Link) -> Value {
    json!({
        "user": link.user.to_string(),
        "provider": id(config, &link.issuer),
        "issuer": link.issuer,
        "subject": link.subject,
        "made_by": link.maker.as_str(),
        "made_at": link.made_at.to_string(),
        "used_at": link.used_at.map(|at| at.to_string()),
    })
}
