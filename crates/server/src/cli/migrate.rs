//! `valetkey migrate`

use std::process::ExitCode;

use serde_json::json;

use super::Failure;
use super::output::Output;
use super::progress::Bar;
use crate::app::engine;
use crate::config::Config;

pub(super) async fn run(dry_run: bool, config: &Config, output: Output) -> Result<ExitCode, Failure> {
    let pending = engine::pending(config).await?;
    let list: Vec<_> = pending.iter().map(|next| json!({ "version": next.version, "name": next.name })).collect();
    if dry_run {
        output.print(&json!({ "pending": list, "applied": 0 }), || {
            if pending.is_empty() {
                return "The database is up to date.".to_owned();
            }
            let shown =
                pending.iter().map(|next| format!("-- V{} {}\n{}", next.version, next.name, next.sql.trim_end()));
            shown.collect::<Vec<_>>().join("\n\n")
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut bar = Bar::new("migrating");
    let applied = engine::migrate(config, &mut |step| bar.step(step)).await?;
    bar.finish();
    output.print(&json!({ "pending": [], "applied": applied }), || match applied {
        0 => "The database is up to date.".to_owned(),
        1 => "One migration ran. The database is up to date.".to_owned(),
        many => format!("{many} migrations ran. The database is up to date."),
    })?;
    Ok(ExitCode::SUCCESS)
}
