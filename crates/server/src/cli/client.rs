//! `valetkey client`

pub(super) mod certificate;
pub(super) mod doubts;
pub(super) mod pin;
pub(super) mod words;

use std::process::ExitCode;

use serde_json::{Value, json};
use valetkey_oauth::clients::{self, NewClient};
use valetkey_oauth::model::{Algorithm, Client, ClientId, ClientKind, SubjectNames};
use valetkey_oauth::protocol::GrantType;

use super::arguments::{ClientCommand, ClientTerms};
use super::output::{Output, table};
use super::{Failure, open};
use crate::app::authority::signing;
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
    let grants = match words::grants(&terms.grants)? {
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
        loopback_any_port: words::switch("--loopback-any-port", terms.loopback_any_port.as_deref())?.unwrap_or(false),
        grants,
        scope: words::scope(&terms.scopes)?,
        access_token_format: words::format(terms.access_token.as_deref(), signing(config))?,
        id_token_algorithm: words::algorithm(terms.id_token.as_deref())?.unwrap_or(Algorithm::Rs256),
        rotates_refresh_tokens: words::switch("--refresh-rotation", terms.refresh_rotation.as_deref())?.unwrap_or(true),
        refresh_retry_window: words::window(terms.refresh_retry_window.as_deref())?.unwrap_or_default(),
        introspection: words::reach(terms.introspect.as_deref())?.unwrap_or_default(),
        subject_names: subject_names(terms, &terms.redirect_uris)?.unwrap_or_default(),
        origins: terms.origins.clone(),
        post_logout_redirect_uris: terms.post_logout_redirect_uris.clone(),
        backchannel_logout_uri: terms.backchannel_logout_uri.clone(),
        version_pin: pin::pin(config, terms.api_version.as_deref())?.flatten(),
        tls: terms.certificate.identity()?.flatten(),
        binds_tokens: terms.certificate.binds_tokens()?.unwrap_or(false),
    };
    let authority = open(config).await?;
    let registered = clients::register(&authority, new).await?;
    output.doubt(&doubts::doubts(config, &registered.client));
    let mut value = description(&registered.client);
    value["client_secret"] = json!(registered.secret.as_ref().map(|secret| secret.expose()));
    output.print(&value, || match &registered.secret {
        Some(secret) => format!(
            "client_id      {}\nclient_secret  {}\n\nThe secret is not stored and is not shown again.",
            registered.client.id,
            secret.expose()
        ),
        None if registered.client.tls.is_some() => {
            format!("client_id  {}\n\nIt proves itself by its certificate and has no secret.", registered.client.id)
        }
        None => format!("client_id  {}\n\nA public client has no secret.", registered.client.id),
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn list(config: &Config, output: Output) -> Result<ExitCode, Failure> {
    let clients = open(config).await?.ports.clients.list().await?;
    let value = Value::Array(clients.iter().map(description).collect());
    output.print(&value, || {
        let rows = clients.iter().map(|client| {
            let grants: Vec<_> = client.grants.iter().map(|grant| words::short(*grant)).collect();
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
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn edit(
    config: &Config,
    output: Output,
    id: String,
    name: Option<String>,
    terms: &ClientTerms,
) -> Result<ExitCode, Failure> {
    let pin = pin::pin(config, terms.api_version.as_deref())?;
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
    if let Some(any_port) = words::switch("--loopback-any-port", terms.loopback_any_port.as_deref())? {
        client.loopback_any_port = any_port;
    }
    if !terms.grants.is_empty() {
        client.grants = words::grants(&terms.grants)?;
    }
    if !terms.scopes.is_empty() {
        client.scope = words::scope(&terms.scopes)?;
    }
    if let Some(format) = words::format(terms.access_token.as_deref(), signing(config))? {
        client.access_token_format = Some(format);
    }
    if let Some(algorithm) = words::algorithm(terms.id_token.as_deref())? {
        client.id_token_algorithm = algorithm;
    }
    if let Some(rotates) = words::switch("--refresh-rotation", terms.refresh_rotation.as_deref())? {
        client.rotates_refresh_tokens = rotates;
    }
    if let Some(window) = words::window(terms.refresh_retry_window.as_deref())? {
        client.refresh_retry_window = window;
    }
    if let Some(reach) = words::reach(terms.introspect.as_deref())? {
        client.introspection = reach;
    }
    if let Some(names) = subject_names(terms, &client.redirect_uris)? {
        client.subject_names = names;
    }
    if !terms.origins.is_empty() {
        client.origins = named(&terms.origins);
    }
    if !terms.post_logout_redirect_uris.is_empty() {
        client.post_logout_redirect_uris = named(&terms.post_logout_redirect_uris);
    }
    if let Some(uri) = &terms.backchannel_logout_uri {
        client.backchannel_logout_uri = Some(uri.clone()).filter(|uri| !uri.is_empty());
    }
    if let Some(pin) = pin {
        client.version_pin = pin;
    }
    if let Some(identity) = terms.certificate.identity()? {
        client.tls = identity;
    }
    if let Some(binds) = terms.certificate.binds_tokens()? {
        client.binds_tokens = binds;
    }
    clients::update(&authority, &client).await?;
    output.doubt(&doubts::doubts(config, &client));
    output.print(&description(&client), || format!("Changed {}.", client.id))?;
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
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn remove(config: &Config, output: Output, id: String) -> Result<ExitCode, Failure> {
    let authority = open(config).await?;
    clients::remove(&authority, &ClientId::new(id.as_str())).await?;
    tokio::time::sleep(clients::KNOWN_EVERYWHERE).await;
    output.print(&json!({ "client_id": id, "removed": true }), || format!("Removed {id}. Its tokens are dead."))?;
    Ok(ExitCode::SUCCESS)
}

/// What a flag that may be repeated names. An empty one takes all away.
fn named(values: &[String]) -> Vec<String> {
    values.iter().filter(|value| !value.is_empty()).cloned().collect()
}

fn subject_names(terms: &ClientTerms, redirect_uris: &[String]) -> Result<Option<SubjectNames>, Failure> {
    words::subjects(terms.subject.as_deref(), terms.sector.as_deref(), redirect_uris)
}

fn description(client: &Client) -> Value {
    json!({
        "client_id": client.id.as_str(),
        "name": client.name,
        "public": client.kind == ClientKind::Public,
        "redirect_uris": client.redirect_uris,
        "loopback_any_port": client.loopback_any_port,
        "grant_types": client.grants.iter().map(|grant| grant.as_str()).collect::<Vec<_>>(),
        "scope": client.scope.as_str(),
        "access_token": client.access_token_format,
        "introspect": client.introspection,
        "id_token": client.id_token_algorithm,
        "refresh_rotation": client.rotates_refresh_tokens,
        "refresh_retry_window": client.refresh_retry_window.as_secs(),
        "subject": if client.subject_names == SubjectNames::Public { "public" } else { "pairwise" },
        "sector": match &client.subject_names {
            SubjectNames::Public => None,
            SubjectNames::Pairwise { sector } => Some(sector),
        },
        "post_logout_redirect_uris": client.post_logout_redirect_uris,
        "backchannel_logout_uri": client.backchannel_logout_uri,
        "api_version": client.version_pin,
        "tls": client.tls,
        "bind_tokens": client.binds_tokens,
        "origins": client.origins,
        "created_at": format!("{:.3}", client.created_at),
    })
}
