//! `valetkey key`

use std::process::ExitCode;

use serde_json::{Value, json};
use valetkey_oauth::Authority;
use valetkey_oauth::keys;
use valetkey_oauth::model::{KeyPurpose, StoredKey};

use super::arguments::KeyCommand;
use super::output::{Output, table};
use super::{Failure, open};
use crate::config::Config;

pub(super) async fn run(command: KeyCommand, config: &Config, output: Output) -> Result<ExitCode, Failure> {
    let purposes = match &command {
        KeyCommand::Rotate { purpose: Some(word), .. } => {
            let purpose = KeyPurpose::parse(word).ok_or_else(|| {
                Failure::Usage(format!("there is no key for {word}: write seal, es256, rs256 or eddsa"))
            })?;
            vec![purpose]
        }
        KeyCommand::Rotate { purpose: None, .. } => KeyPurpose::ALL.to_vec(),
        KeyCommand::List => Vec::new(),
    };
    let authority = open(config).await?;
    if let KeyCommand::Rotate { now, .. } = command {
        for purpose in purposes {
            keys::rotate(&authority, purpose, now).await?;
        }
    }
    show(&authority, output).await?;
    Ok(ExitCode::SUCCESS)
}

async fn show(authority: &Authority, output: Output) -> Result<(), Failure> {
    let keys = authority.ports.keys.all_keys().await?;
    let state = |key: &StoredKey| {
        let now = authority.now();
        let newer = |other: &&StoredKey| other.purpose == key.purpose && other.generation > key.generation;
        if key.active_from > now {
            "published"
        } else if keys.iter().filter(newer).any(|other| other.active_from <= now) {
            "retired"
        } else {
            "active"
        }
    };
    let value = keys.iter().map(|key| {
        json!({
            "id": key.id,
            "purpose": key.purpose.as_str(),
            "generation": key.generation,
            "state": state(key),
            "created_at": key.created_at.to_string(),
            "active_from": key.active_from.to_string(),
        })
    });
    output.print(&Value::Array(value.collect()), || {
        let rows = keys.iter().map(|key| {
            vec![
                key.purpose.as_str().to_owned(),
                key.generation.to_string(),
                state(key).to_owned(),
                format!("{:.0}", key.active_from),
                key.id.clone(),
            ]
        });
        table(&["purpose", "generation", "state", "used from", "id"], rows.collect())
    })?;
    Ok(())
}
