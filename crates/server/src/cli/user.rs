//! `valetkey user`

use std::io::{IsTerminal, Read, stdin};
use std::process::ExitCode;

use serde_json::{Map, Value, json};
use valetkey_oauth::Authority;
use valetkey_oauth::accounts::{self, NewUser, PasswordHasher};
use valetkey_oauth::model::{Secret, User, VOUCHED_BY};
use valetkey_oauth::openid::SUPPORTED;
use valetkey_oauth::protocol::Scope;

use super::arguments::{UserCommand, UserTerms};
use super::client::words;
use super::output::{Output, table};
use super::{Failure, link, open};
use crate::config::Config;

/// Claims that have an option of their own, or that nobody chooses.
const OWN: [&str; 5] = ["sub", "name", "email", "preferred_username", "updated_at"];
/// Shorter ones are accepted from an operator, with a word of warning.
const SHORT: usize = 8;

pub(super) async fn run(command: UserCommand, config: &Config, output: Output) -> Result<ExitCode, Failure> {
    match command {
        UserCommand::Add { username, password_stdin, terms, admin } => {
            let profile = profile(&terms.claims, terms.email.is_some())?;
            let scope = ceiling(&terms)?;
            let password = password(password_stdin, output)?;
            let new = NewUser { username, password, email: terms.email, name: terms.name, profile, admin, scope };
            let authority = open(config).await?;
            let (ports, hasher) = (&authority.ports, PasswordHasher::new(1));
            let user = accounts::add(&*ports.users, &hasher, &*authority.clock, &*authority.random, new).await?;
            output.print(&description(&user), || format!("Added {} with the subject {}.", user.username, user.id))?;
        }
        UserCommand::Link(command) => return link::run(command, config, output).await,
        UserCommand::List { after, limit } => list(&open(config).await?, after.as_deref(), limit, output).await?,
        UserCommand::Edit { username, terms, any_scope, admin } => {
            let admin = words::switch("--admin", admin.as_deref())?;
            let authority = open(config).await?;
            let mut user = named(&authority, &username).await?;
            edit(&mut user, terms, any_scope, admin)?;
            if !accounts::update(&authority, &user).await? {
                return Err(unknown(&username));
            }
            output.print(&description(&user), || format!("Changed {}.", user.username))?;
        }
        UserCommand::Password { username, password_stdin } => {
            let password = password(password_stdin, output)?;
            let authority = open(config).await?;
            let user = named(&authority, &username).await?;
            if !accounts::reset_password(&authority, &PasswordHasher::new(1), user.id, password).await? {
                return Err(unknown(&username));
            }
            let name = &user.username;
            output
                .print(&description(&user), || format!("{name} has a new password, and is signed out everywhere."))?;
        }
        UserCommand::Remove { username } => {
            let authority = open(config).await?;
            let user = named(&authority, &username).await?;
            if !accounts::remove(&authority, user.id).await? {
                return Err(unknown(&username));
            }
            let value = json!({ "id": user.id.to_string(), "username": user.username, "removed": true });
            output.print(&value, || {
                format!("Removed {}: signed out everywhere, and no app has access.", user.username)
            })?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(authority: &Authority, after: Option<&str>, limit: u32, output: Output) -> Result<(), Failure> {
    let found = authority.ports.users.list_users(after, limit).await?;
    output.print(&Value::Array(found.iter().map(description).collect()), || {
        let row = |user: &User| {
            let scope = user.scope.as_ref().map_or_else(|| "any".to_owned(), Scope::to_string);
            let admin = if user.admin { "yes" } else { "" };
            let text = |value: &Option<String>| value.clone().unwrap_or_default();
            vec![
                user.username.clone(),
                text(&user.name),
                text(&user.email),
                scope,
                admin.to_owned(),
                user.id.to_string(),
            ]
        };
        table(&["user", "name", "e-mail", "may give", "admin", "subject"], found.iter().map(row).collect())
    })?;
    Ok(())
}

fn edit(user: &mut User, terms: UserTerms, any_scope: bool, admin: Option<bool>) -> Result<(), Failure> {
    user.profile.extend(profile(&terms.claims, terms.email.is_some())?);
    if let Some(scope) = ceiling(&terms)? {
        user.scope = Some(scope);
    } else if any_scope {
        user.scope = None;
    }
    if let Some(email) = terms.email {
        if !accounts::is_email(&email) {
            return Err(Failure::Usage(format!("--email {email}: this is no e-mail address")));
        }
        user.email = Some(email);
        // An operator vouches for it, whoever did before.
        user.profile.remove(VOUCHED_BY);
    }
    user.name = terms.name.or(user.name.take());
    user.admin = admin.unwrap_or(user.admin);
    Ok(())
}

pub(super) async fn named(authority: &Authority, username: &str) -> Result<User, Failure> {
    authority.ports.users.find_by_username(username).await?.ok_or_else(|| unknown(username))
}

fn unknown(username: &str) -> Failure {
    anyhow::anyhow!("there is no user {username}; `valetkey user list` shows them").into()
}

fn ceiling(terms: &UserTerms) -> Result<Option<Scope>, Failure> {
    if terms.scopes.is_empty() { Ok(None) } else { words::scope(&terms.scopes).map(Some) }
}

fn description(user: &User) -> Value {
    json!({
        "id": user.id.to_string(),
        "username": user.username,
        "email": user.email,
        "name": user.name,
        "admin": user.admin,
        "scope": user.scope.as_ref().map(Scope::as_str),
        "created_at": format!("{:.3}", user.created_at),
    })
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

fn password(from_stdin: bool, output: Output) -> Result<Secret, Failure> {
    let password = asked(from_stdin)?;
    if password.expose().chars().count() < SHORT {
        output.doubt(&[format!("the password is shorter than {SHORT} characters")]);
    }
    Ok(password)
}

fn asked(from_stdin: bool) -> Result<Secret, Failure> {
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
