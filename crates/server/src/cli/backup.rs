//! `valetkey backup`: one file, beside a running server.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use jiff::Timestamp;
use serde_json::{Value, json};
use valetkey_oauth::ports::Clock;
use valetkey_store::transfer::{Tally, TransferError, back_up};

use super::Failure;
use super::output::Output;
use super::progress::Bar;
use crate::app::system::SystemClock;
use crate::app::transfer;
use crate::config::{Config, Loaded};

pub(super) async fn run(file: &Path, force: bool, loaded: &Loaded, output: Output) -> Result<ExitCode, Failure> {
    let (config, now) = (&loaded.config, SystemClock.now());
    let file = named(file, now);
    match std::fs::symlink_metadata(&file) {
        // Whatever it is, it is not there to be replaced: a device, a pipe, a link that leads elsewhere.
        Ok(there) if !there.is_file() => {
            return Err(Failure::Usage(format!("{} is no ordinary file. Choose another name", file.display())));
        }
        Ok(_) if !force => return Err(taken(&file)),
        Ok(_) | Err(_) => {}
    }
    let database = config.database_or_default();
    let mut source = transfer::source(config, &database, false).await?;
    let mut bar = Bar::logged("backup", output);
    let about = (transfer::engine(&database), env!("CARGO_PKG_VERSION"), now);
    let backup =
        back_up(&mut *source, &file, about, force, &mut |done, total, what| bar.count(done, total, what)).await;
    bar.finish();
    let backup = match backup {
        Err(TransferError::File { error, .. }) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            return Err(taken(&file));
        }
        other => other?,
    };
    let needed = needed(config, loaded.file.as_deref());
    let rows: u64 = rows(&backup.tables);
    let value = json!({
        "file": file.display().to_string(),
        "bytes": backup.bytes,
        "made_at": now.to_string(),
        "database": database.to_string(),
        "schema": backup.schema,
        "rows": rows,
        "tables": tables(&backup.tables),
        "not_included": needed.iter().map(|(what, place)| ((*what).to_owned(), json!(place))).collect::<serde_json::Map<_, _>>(),
    });
    output.print(&value, || {
        let list: Vec<_> = needed.iter().map(|(what, place)| format!("  {what:<12} {place}")).collect();
        format!(
            "{} holds {rows} rows of {} tables as they were at {now}, in {} bytes. It was read again, and is whole.\n\n\
             Not in it, and needed when it is restored:\n{}\n\n\
             The root key opens every key in the backup, so keep it in another place than the backup.",
            file.display(),
            backup.tables.len(),
            backup.bytes,
            list.join("\n")
        )
    })?;
    Ok(ExitCode::SUCCESS)
}

/// A folder stands for a new file in it.
fn named(file: &Path, now: Timestamp) -> PathBuf {
    if file.is_dir() {
        file.join(format!("valetkey-{}.backup", now.strftime("%Y%m%dT%H%M%SZ")))
    } else {
        file.to_owned()
    }
}

fn taken(file: &Path) -> Failure {
    Failure::Usage(format!("{} is there already. Choose another name, or give --force to replace it", file.display()))
}

/// What a restored system needs beside the backup, and where it is now.
fn needed(config: &Config, settings: Option<&Path>) -> Vec<(&'static str, String)> {
    let root = config.root_key_path().map_or_else(|| "VALETKEY_ROOT_KEY".to_owned(), |path| path.display().to_string());
    let show = |path: &Path| path.display().to_string();
    let mut found = vec![("root_key", root)];
    found.extend(settings.map(|path| ("settings", show(path))));
    found.extend(config.api.as_deref().map(|path| ("declaration", show(path))));
    found.extend(config.tls.certificate.as_deref().map(|path| ("certificate", show(path))));
    found.extend(config.tls.key.as_deref().map(|path| ("private_key", show(path))));
    found
}

/// All rows.
pub(super) fn rows(tables: &[(String, Tally)]) -> u64 {
    tables.iter().map(|(_, tally)| tally.rows).sum()
}

/// Each table with what it was verified by.
pub(super) fn tables(tables: &[(String, Tally)]) -> Vec<Value> {
    tables.iter().map(|(name, tally)| json!({ "name": name, "rows": tally.rows, "sha256": tally.hex() })).collect()
}
