//! `valetkey copy`: from one database into another, and goes on where it was interrupted.

use std::process::ExitCode;
use std::time::Instant;

use serde_json::json;
use valetkey_store::transfer::copy;

use super::Failure;
use super::arguments::CopyTerms;
use super::backup::{rows, tables};
use super::output::{self, Output};
use super::progress::Bar;
use crate::app::transfer::{self, Arrival};
use crate::config::{Config, Database, Value};

pub(super) async fn run(terms: &CopyTerms, config: &Config, output: Output) -> Result<ExitCode, Failure> {
    let (from, to) = ends(terms, config)?;
    let begun = Instant::now();
    let mut source = transfer::source(config, &from, !terms.while_serving).await?;
    let mut target = transfer::target(config, &to, Arrival::Copy).await?;
    let mut bar = Bar::logged("copy", output);
    let mut tell = |done, total, what: &str| bar.count(done, total, what);
    let copied = copy(&mut *source, &mut *target, &from.to_string(), terms.restart, &mut tell).await;
    bar.finish();
    let copied = copied?;
    let all = rows(&copied.tables);
    let value = json!({
        "from": from.to_string(),
        "to": to.to_string(),
        "schema": copied.schema,
        "rows": all,
        "resumed": copied.resumed,
        "copied_again": copied.again,
        "tables": tables(&copied.tables),
        "seconds": begun.elapsed().as_secs_f64(),
    });
    output.print(&value, || {
        let shown = copied.tables.iter().filter(|(_, tally)| tally.rows > 0);
        let shown = shown.map(|(name, tally)| vec![name.clone(), tally.rows.to_string(), tally.hex()[..16].to_owned()]);
        let mut text = output::table(&["table", "rows", "sha256"], shown.collect());
        text += &format!("\n{all} rows are the same on both sides, by count and hash.");
        if copied.resumed > 0 {
            text += &format!(" {} of them were there from an earlier attempt.", copied.resumed);
        }
        if !copied.again.is_empty() {
            text += &format!(" Copied again, because the source had changed: {}.", copied.again.join(", "));
        }
        let key =
            config.root_key_path().map_or_else(|| "VALETKEY_ROOT_KEY".to_owned(), |path| path.display().to_string());
        text += &format!("\nStart the server with the new database, {to}, and the same root key: {key}");
        text
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The two databases. What is not named is that of the settings.
fn ends(terms: &CopyTerms, config: &Config) -> Result<(Database, Database), Failure> {
    let named = |flag: &str, text: &Option<String>| match text {
        Some(text) => Database::parse(text).map_err(|why| Failure::Usage(format!("{flag} {why}"))),
        None => Ok(config.database_or_default()),
    };
    let (from, to) = (named("--from", &terms.from)?, named("--to", &terms.to)?);
    let is_same = match (&from, &to) {
        (Database::Sqlite(one), Database::Sqlite(other)) => {
            one == other
                || std::fs::canonicalize(one).is_ok_and(|one| std::fs::canonicalize(other).is_ok_and(|it| it == one))
        }
        _ => from == to,
    };
    if is_same {
        return Err(Failure::Usage(
            "--from and --to are the same database. Name the one to read with --from, and the empty one to fill with --to"
                .to_owned(),
        ));
    }
    Ok((from, to))
}
