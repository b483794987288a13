//! `valetkey user`

use std::io::{IsTerminal, Read, stdin};
use std::process::ExitCode;

use serde_json::{Map, Value, json};
use valetkey_oauth::accounts::{self, NewUser, PasswordHasher};
use valetkey_oauth::model::Secret;
use valetkey_oauth::openid::SUPPORTED;

use super::arguments::UserCommand;
use super::output::Output;
use super::{Failure, link, open};
use crate::config::Config;

/// Claims that have an option of their own, or that nobody chooses.
const OWN: [&str; 5] = ["sub", "name", "email", "preferred_username", "updated_at"];
/// Shorter ones are accepted from an operator, with a word of warning.
const SHORT: usize = 8;

pub(super) async fn run(command: UserCommand, config: &Config, output: Output) -> Result<ExitCode, Failure> {
    let (username, password_stdin, email, name, claims, admin) = match command {
        UserCommand::Link(command) => return link::run(command, config, output).await,
        UserCommand::Add { username, password_stdin, email, name, claims, admin } => {
            (username, password_stdin, email, name, claims, admin)
        }
    };
    let profile = profile(&claims, email.is_some())?;
    let password = password(password_stdin)?;
    if password.expose().chars().count() < SHORT {
        eprintln!("valetkey: warning: the password is shorter than {SHORT} characters");
    }
    let authority = open(config).await?;
    let new = NewUser { username, password, email, name, profile, admin };
    let hasher = PasswordHasher::new(1);
    let user = accounts::add(&*authority.ports.users, &hasher, &*authority.clock, &*authority.random, new).await?;
    let value = json!({
        "id": user.id.to_string(),
        "username": user.username,
        "email": user.email,
        "name": user.name,
        "admin": user.admin,
    });
    output.print(&value, || format!("Added {} with the subject {}.", user.username, user.id));
    Ok(ExitCode::SUCCESS)
}

/// Claims as an operator writes them: text, or JSON where it is JSON. An operator vouches for the address.
fn profile(claims: &[String], has_email: bool) -> Result<Map<String, Value>, Failure> {
    let mut profile = Map::new();
    if has_email {
        profile.insert("email_verified".to_owned(), Value::Bool(true));
    }
    for claim in claims {
        let (name, text) =
            claim.split_once('=').filter(|(name, _)| SUPPORTED.contains(name) && !OWN.contains(name)).ok_or_else(
                || Failure::Usage(format!("--claim {claim}: write NAME=VALUE with a standard claim of OpenID Connect")),
            )?;
        profile.insert(name.to_owned(), serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned())));
    }
    Ok(profile)
}

fn password(from_stdin: bool) -> Result<Secret, Failure> {
    if from_stdin {
        let mut text = zeroize::Zeroizing::new(String::new());
        stdin().lock().take(16 * 1024).read_to_string(&mut text)?;
        return Ok(Secret::new(text.trim_end_matches(['\n', '\r'])));
    }
    if !stdin().is_terminal() {
        return Err(Failure::Usage(
            "there is no terminal to ask for a password: pipe it in with --password-stdin".into(),
        ));
    }
    let first = Secret::new(rpassword::prompt_password("Password: ")?);
    let second = Secret::new(rpassword::prompt_password("Again: ")?);
    if first.expose() == second.expose() {
        Ok(first)
    } else {
        Err(Failure::Usage("the two passwords differ; nothing was changed".into()))
    }
}
