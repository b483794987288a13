//! `valetkey client`

use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Value, json};
use valetkey_oauth::clients::{self, NewClient};
use valetkey_oauth::model::{AccessTokenFormat, Algorithm, Client, ClientId, ClientKind, IntrospectionReach};
use valetkey_oauth::protocol::{GrantType, Scope};

use super::arguments::{ClientCommand, ClientTerms};
use super::output::{Output, table};
use super::{Failure, open};
use crate::app::authority::policy;
use crate::config::{Config, Span, Value as _};

pub(super) async fn run(command: ClientCommand, config: &Config, output: Output) -> Result<ExitCode, Failure> {
    match command {
        ClientCommand::Add { name, id, public, terms } => add(config, output, name, id, public, &terms).await,
        ClientCommand::List => list(config, output).await,
        ClientCommand::Edit { id, name, terms } => edit(config, output, id, name, &terms).await,
        ClientCommand::RotateSecret { id, overlap } => rotate_secret(config, output, id, &overlap).await,
        ClientCommand::Remove { id } => remove(config, output, id).await,
    }
}

async fn add(
    config: &Config,
    output: Output,
    name: String,
    id: Option<String>,
    public: bool,
    terms: &ClientTerms,
) -> Result<ExitCode, Failure> {
    let kind = if public { ClientKind::Public } else { ClientKind::Confidential };
    let grants = match grants(&terms.grants)? {
        // What most people mean when they name none.
        none if none.is_empty() && terms.redirect_uris.is_empty() && !public => vec![GrantType::ClientCredentials],
        none if none.is_empty() => vec![GrantType::AuthorizationCode, GrantType::RefreshToken],
        named => named,
    };
    let new = NewClient {
        id,
        name,
        kind,
        redirect_uris: terms.redirect_uris.clone(),
        grants,
        scope: scope(&terms.scopes)?,
        access_token_format: format(terms.access_token.as_deref(), policy(config, true).signing)?,
        id_token_algorithm: algorithm(terms.id_token.as_deref())?.unwrap_or(Algorithm::Rs256),
        rotates_refresh_tokens: switch(terms.refresh_rotation.as_deref())?.unwrap_or(true),
        refresh_retry_window: window(terms.refresh_retry_window.as_deref())?.unwrap_or_default(),
        introspection: reach(terms.introspect.as_deref())?.unwrap_or_default(),
    };
    let authority = open(config).await?;
    let registered = clients::register(&authority, new).await?;
    let mut value = description(&registered.client);
    value["client_secret"] = json!(registered.secret.as_ref().map(|secret| secret.expose()));
    output.print(&value, || match &registered.secret {
        Some(secret) => format!(
            "client_id      {}\nclient_secret  {}\n\nThe secret is not stored and is not shown again.",
            registered.client.id,
            secret.expose()
        ),
        None => format!("client_id  {}\n\nA public client has no secret.", registered.client.id),
    });
    Ok(ExitCode::SUCCESS)
}

async fn list(config: &Config, output: Output) -> Result<ExitCode, Failure> {
    let clients = open(config).await?.ports.clients.list().await?;
    let value = Value::Array(clients.iter().map(description).collect());
    output.print(&value, || {
        let rows = clients.iter().map(|client| {
            let grants: Vec<_> = client.grants.iter().map(|grant| short(*grant)).collect();
            let kind = if client.kind == ClientKind::Public { "public" } else { "confidential" };
            vec![
                client.id.to_string(),
                client.name.clone(),
                kind.to_owned(),
                grants.join(" "),
                client.scope.to_string(),
            ]
        });
        table(&["id", "name", "kind", "grants", "scope"], rows.collect())
    });
    Ok(ExitCode::SUCCESS)
}

async fn edit(
    config: &Config,
    output: Output,
    id: String,
    name: Option<String>,
    terms: &ClientTerms,
) -> Result<ExitCode, Failure> {
    let authority = open(config).await?;
    let id = ClientId::new(id);
    let known = authority.ports.clients.find(&id).await?;
    let mut client = (*known.ok_or(clients::RegistrationError::Unknown(id))?).clone();
    if let Some(name) = name {
        client.name = name;
    }
    if !terms.redirect_uris.is_empty() {
        client.redirect_uris = terms.redirect_uris.clone();
    }
    if !terms.grants.is_empty() {
        client.grants = grants(&terms.grants)?;
    }
    if !terms.scopes.is_empty() {
        client.scope = scope(&terms.scopes)?;
    }
    if let Some(format) = format(terms.access_token.as_deref(), policy(config, true).signing)? {
        client.access_token_format = Some(format);
    }
    if let Some(algorithm) = algorithm(terms.id_token.as_deref())? {
        client.id_token_algorithm = algorithm;
    }
    if let Some(rotates) = switch(terms.refresh_rotation.as_deref())? {
        client.rotates_refresh_tokens = rotates;
    }
    if let Some(window) = window(terms.refresh_retry_window.as_deref())? {
        client.refresh_retry_window = window;
    }
    if let Some(reach) = reach(terms.introspect.as_deref())? {
        client.introspection = reach;
    }
    clients::update(&authority, &client).await?;
    output.print(&description(&client), || format!("Changed {}.", client.id));
    Ok(ExitCode::SUCCESS)
}

async fn rotate_secret(config: &Config, output: Output, id: String, overlap: &str) -> Result<ExitCode, Failure> {
    let overlap = Span::parse(overlap).map_err(|why| Failure::Usage(format!("--overlap {overlap}: {why}")))?;
    let authority = open(config).await?;
    let id = ClientId::new(id);
    let secret = clients::renew_secret(&authority, &id, overlap.duration()).await?;
    let value = json!({ "client_id": id.as_str(), "client_secret": secret.expose() });
    output.print(&value, || {
        format!("client_id      {id}\nclient_secret  {}\n\nThe old secret works on for {overlap}.", secret.expose())
    });
    Ok(ExitCode::SUCCESS)
}

async fn remove(config: &Config, output: Output, id: String) -> Result<ExitCode, Failure> {
    let authority = open(config).await?;
    clients::remove(&authority, &ClientId::new(id.as_str())).await?;
    output.print(&json!({ "client_id": id, "removed": true }), || format!("Removed {id}. Its tokens are dead."));
    Ok(ExitCode::SUCCESS)
}

fn description(client: &Client) -> Value {
    json!({
        "client_id": client.id.as_str(),
        "name": client.name,
        "public": client.kind == ClientKind::Public,
        "redirect_uris": client.redirect_uris,
        "grant_types": client.grants.iter().map(|grant| grant.as_str()).collect::<Vec<_>>(),
        "scope": client.scope.as_str(),
        "access_token": client.access_token_format,
        "introspect": client.introspection,
        "id_token": client.id_token_algorithm,
        "refresh_rotation": client.rotates_refresh_tokens,
        "refresh_retry_window": client.refresh_retry_window.as_secs(),
        "created_at": client.created_at.to_string(),
    })
}

fn grants(words: &[String]) -> Result<Vec<GrantType>, Failure> {
    let read = |word: &String| {
        GrantType::parse(word).ok_or_else(|| {
            let known: Vec<_> = GrantType::ALL.into_iter().map(short).collect();
            Failure::Usage(format!("--grant {word}: there is no such grant; the grants are {}", known.join(", ")))
        })
    };
    words.iter().map(read).collect()
}

fn short(grant: GrantType) -> &'static str {
    if grant == GrantType::DeviceCode { "device_code" } else { grant.as_str() }
}

fn scope(words: &[String]) -> Result<Scope, Failure> {
    Scope::parse(&words.join(" ")).map_err(|error| Failure::Usage(format!("--scope: {error}")))
}

fn format(word: Option<&str>, signing: Algorithm) -> Result<Option<AccessTokenFormat>, Failure> {
    match word {
        None => Ok(None),
        Some("opaque") => Ok(Some(AccessTokenFormat::Opaque)),
        Some("jwt") => Ok(Some(AccessTokenFormat::Jwt(signing))),
        Some("es256") => Ok(Some(AccessTokenFormat::Jwt(Algorithm::Es256))),
        Some("rs256") => Ok(Some(AccessTokenFormat::Jwt(Algorithm::Rs256))),
        Some("eddsa") => Ok(Some(AccessTokenFormat::Jwt(Algorithm::EdDsa))),
        Some(other) => Err(Failure::Usage(format!(
            "--access-token {other}: write opaque, or jwt, or the algorithm that signs it: es256, rs256, eddsa"
        ))),
    }
}

fn algorithm(word: Option<&str>) -> Result<Option<Algorithm>, Failure> {
    let Some(word) = word else { return Ok(None) };
    let known = Algorithm::ALL.into_iter().find(|algorithm| algorithm.as_str().eq_ignore_ascii_case(word));
    known.map(Some).ok_or_else(|| Failure::Usage(format!("--id-token {word}: write rs256, es256 or eddsa")))
}

fn switch(word: Option<&str>) -> Result<Option<bool>, Failure> {
    match word {
        None => Ok(None),
        Some("on") => Ok(Some(true)),
        Some("off") => Ok(Some(false)),
        Some(other) => Err(Failure::Usage(format!("--refresh-rotation {other}: write on or off"))),
    }
}

fn window(text: Option<&str>) -> Result<Option<Duration>, Failure> {
    let Some(text) = text else { return Ok(None) };
    let span = Span::parse(text).map_err(|why| Failure::Usage(format!("--refresh-retry-window {text}: {why}")))?;
    Ok(Some(span.duration()))
}

fn reach(word: Option<&str>) -> Result<Option<IntrospectionReach>, Failure> {
    match word {
        None => Ok(None),
        Some("own") => Ok(Some(IntrospectionReach::Own)),
        Some("any") => Ok(Some(IntrospectionReach::Any)),
        Some(other) => Err(Failure::Usage(format!("--introspect {other}: write own or any"))),
    }
}
