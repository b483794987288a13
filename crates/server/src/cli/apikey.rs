//! `valetkey apikey`

use std::net::IpAddr;
use std::process::ExitCode;

use ipnet::IpNet;
use serde_json::{Value, json};
use valetkey_oauth::Authority;
use valetkey_oauth::api_keys::{self, NewApiKey};
use valetkey_oauth::model::{ApiKey, ApiKeyId, ApiKeyState};

use super::arguments::ApiKeyCommand;
use super::client::doubts::unknown_scopes;
use super::client::{pin, words};
use super::output::{Output, table};
use super::{Failure, open};
use crate::config::{Config, Span, Value as _};

pub(super) async fn run(command: ApiKeyCommand, config: &Config, output: Output) -> Result<ExitCode, Failure> {
    match command {
        ApiKeyCommand::Add { name, scopes, from, expires, api_version } => {
            let new = NewApiKey {
                name,
                scope: words::scope(&scopes)?,
                networks: from.iter().map(|text| network(text)).collect::<Result<_, _>>()?,
                version_pin: pin::pin(config, api_version.as_deref())?.flatten(),
                lifetime: expires.as_deref().map(|text| span("--expires", text)).transpose()?.map(Span::duration),
            };
            add(&open(config).await?, config, new, output).await
        }
        ApiKeyCommand::List => list(&open(config).await?, output).await,
        ApiKeyCommand::Rotate { id, overlap } => {
            let overlap = span("--overlap", &overlap)?;
            rotate(&open(config).await?, ApiKeyId(id), overlap, output).await
        }
        ApiKeyCommand::Revoke { id } => {
            api_keys::revoke(&open(config).await?, ApiKeyId(id)).await?;
            output
                .print(&json!({ "id": id, "revoked": true }), || format!("Revoked {id}. It opens nothing any more."))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

async fn add(authority: &Authority, config: &Config, new: NewApiKey, output: Output) -> Result<ExitCode, Failure> {
    let made = api_keys::make(authority, new).await?;
    output.doubt(&unknown_scopes(config, made.key.scope.as_str()));
    let mut value = description(authority, &made.key);
    value["key"] = json!(made.secret.expose());
    output.print(&value, || {
        let hint = if made.key.scope.is_empty() {
            "\nIt has no scope, so it opens nothing that needs one: name them with --scope."
        } else {
            ""
        };
        let (id, key) = (made.key.id, made.secret.expose());
        format!("id   {id}\nkey  {key}\n\nThe key is not stored and is not shown again.{hint}")
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn list(authority: &Authority, output: Output) -> Result<ExitCode, Failure> {
    let keys = authority.ports.api_keys.list_api_keys().await?;
    let value = keys.iter().map(|key| description(authority, key));
    output.print(&Value::Array(value.collect()), || {
        let moment = |moment: Option<jiff::Timestamp>, none: &str| {
            moment.map_or_else(|| none.to_owned(), |moment| format!("{moment:.0}"))
        };
        let rows = keys.iter().map(|key| {
            vec![
                key.id.to_string(),
                key.name.clone(),
                state(authority, key).to_owned(),
                key.scope.to_string(),
                key.networks.iter().map(IpNet::to_string).collect::<Vec<_>>().join(" "),
                moment(key.last_used_at, "never"),
                moment(key.expires_at, "never"),
            ]
        });
        table(&["id", "name", "state", "scope", "from", "last used", "expires"], rows.collect())
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn rotate(authority: &Authority, id: ApiKeyId, overlap: Span, output: Output) -> Result<ExitCode, Failure> {
    let secret = api_keys::rotate(authority, id, overlap.duration()).await?;
    output.print(&json!({ "id": id.to_string(), "key": secret.expose() }), || {
        format!("id   {id}\nkey  {}\n\nThe old key works on for {overlap}.", secret.expose())
    })?;
    Ok(ExitCode::SUCCESS)
}

fn description(authority: &Authority, key: &ApiKey) -> Value {
    let moment = |moment: Option<jiff::Timestamp>| moment.map(|moment| moment.to_string());
    json!({
        "id": key.id.to_string(),
        "name": key.name,
        "state": state(authority, key),
        "scope": key.scope.as_str(),
        "from": key.networks,
        "api_version": key.version_pin,
        "created_at": format!("{:.3}", key.created_at),
        "expires_at": moment(key.expires_at),
        "revoked_at": moment(key.revoked_at),
        "last_used_at": moment(key.last_used_at),
    })
}

fn state(authority: &Authority, key: &ApiKey) -> &'static str {
    match key.state(authority.now()) {
        ApiKeyState::Active => "active",
        ApiKeyState::Expired => "expired",
        ApiKeyState::Revoked => "revoked",
    }
}

/// A network, or one address.
fn network(text: &str) -> Result<IpNet, Failure> {
    let address = text.parse::<IpAddr>().map(IpNet::from);
    address.or_else(|_| text.parse::<IpNet>().map(|network| network.trunc())).map_err(|_| {
        Failure::Usage(format!("--from {text}: write an address such as 10.1.2.3 or a network such as 10.1.0.0/16"))
    })
}

fn span(flag: &str, text: &str) -> Result<Span, Failure> {
    Span::parse(text).map_err(|why| Failure::Usage(format!("{flag} {text}: {why}")))
}
