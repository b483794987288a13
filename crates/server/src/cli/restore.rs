//! `valetkey restore`: a store from a backup. All that can be found out is found out before anything is changed.

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};
use valetkey_oauth::keys::{KeyError, Ring};
use valetkey_store::transfer::{ArchiveReader, Verified, restore};

use super::Failure;
use super::backup::{rows, tables};
use super::output::Output;
use super::progress::Bar;
use crate::app::root_key::{self, RootKeyError};
use crate::app::system::SystemRandom;
use crate::app::transfer::{self, Arrival};
use crate::config::{Config, Database};

pub(super) async fn run(
    file: &Path,
    replace: bool,
    dry_run: bool,
    config: &Config,
    output: Output,
) -> Result<ExitCode, Failure> {
    let verified = ArchiveReader::verify(file).await?;
    let note = root_key(config, &verified)?;
    let database = config.database_or_default();
    let header = &verified.header;
    let mut value = json!({
        "file": file.display().to_string(),
        "made_at": header.made_at.to_string(),
        "engine": header.engine,
        "written_by": header.written_by,
        "schema": header.inventory.schema,
        "rows": rows(&verified.tables),
        "tables": tables(&verified.tables),
        "database": database.to_string(),
        "root_key": if note.is_some() { "missing" } else { "fits" },
    });
    let held = format!(
        "{} is whole: {} rows of {} tables, written at {} by valetkey {} on {}.",
        file.display(),
        rows(&verified.tables),
        verified.tables.len(),
        header.made_at,
        header.written_by,
        header.engine
    );
    if dry_run {
        // Who only looks makes neither a folder nor a lock.
        let there = match &database {
            Database::Sqlite(path) if !path.exists() => Vec::new(),
            _ => transfer::target(config, &database, Arrival::Backup).await?.occupants().await?,
        };
        value["replaced"] = counts(&there);
        output.print(&value, || {
            let outcome = if there.is_empty() {
                format!("{database} is empty: a restore would fill it.")
            } else {
                let list: Vec<_> = there.iter().map(|(table, rows)| format!("  {rows} in {table}")).collect();
                format!("{database} is not empty. With --replace, a restore would remove:\n{}", list.join("\n"))
            };
            lines([Some(held), Some(outcome), note])
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut target = transfer::target(config, &database, Arrival::Backup).await?;
    let mut bar = Bar::logged("restore", output);
    let mut tell = |done, total, what: &str| bar.count(done, total, what);
    let restored = restore(file, &verified, &mut *target, replace, &mut tell).await;
    bar.finish();
    let restored = restored?;
    value["replaced"] = counts(&restored.replaced);
    output.print(&value, || lines([Some(held), Some(format!("{database} holds all of it now.")), note]))?;
    Ok(ExitCode::SUCCESS)
}

/// What to do about the root key. One that does not open the keys is refused: no server would start with it.
fn root_key(config: &Config, verified: &Verified) -> Result<Option<String>, Failure> {
    if verified.keys.is_empty() {
        return Ok(None);
    }
    let root = match root_key::find(config, false, &SystemRandom) {
        Ok(root) => root,
        Err(RootKeyError::Missing(path)) => {
            return Ok(Some(format!(
                "Put the root key of the store that this backup was made of into {} (mode 600), or set VALETKEY_ROOT_KEY, \
                 before you start the server.",
                path.display()
            )));
        }
        Err(RootKeyError::NotGiven(_)) => {
            let told = "Set VALETKEY_ROOT_KEY to the root key of the store that this backup was made of, or `root_key_file` \
                        to a file that holds it, before you start the server.";
            return Ok(Some(told.to_owned()));
        }
        Err(other) => return Err(other.into()),
    };
    match Ring::open(&root, &verified.keys) {
        Ok(_) => Ok(None),
        Err(KeyError::WrongRoot) => {
            let place = config.root_key_path();
            let place = place.map_or_else(|| "VALETKEY_ROOT_KEY".to_owned(), |path| path.display().to_string());
            Err(Failure::Work(anyhow::anyhow!(
                "the root key in {place} does not open the keys in this backup. Nothing was changed. Put the root key there \
                 that belongs to the backup, then restore again"
            )))
        }
        Err(other) => Err(other.into()),
    }
}

fn counts(found: &[(String, u64)]) -> Value {
    found.iter().map(|(table, rows)| (table.clone(), json!(rows))).collect::<serde_json::Map<_, _>>().into()
}

fn lines(of: [Option<String>; 3]) -> String {
    of.into_iter().flatten().collect::<Vec<_>>().join("\n")
}
