//! `valetkey api apply` and `valetkey api reindex`: the tables of the declared API, with progress and a plan.

use std::process::ExitCode;

use serde_json::{Value, json};
use valetkey_store::ShapePlan;

use super::Failure;
use super::output::Output;
use super::progress::Bar;
use super::serve::declare;
use crate::app::engine;
use crate::config::Config;

/// Makes what the declaration asks for, or says what that would be.
pub(super) async fn apply(
    dry_run: bool,
    accept: &[String],
    config: &Config,
    output: Output,
) -> Result<ExitCode, Failure> {
    let api = declare(config)?.api;
    if dry_run {
        let plan = engine::plan_shape(config, &api).await?;
        output.print(&value(&plan, false), || text(&plan, "The tables fit the declaration."))?;
        return Ok(ExitCode::SUCCESS);
    }
    prepare(config).await?;
    let mut bar = Bar::told("declaring", output);
    let plan = engine::apply_shape(config, &api, accept, &mut |done, total, what| bar.count(done, total, what)).await?;
    bar.finish();
    let is_vain = |name: &&String| !plan.losses.iter().any(|loss| loss.name == **name);
    let vain =
        accept.iter().filter(is_vain).map(|name| format!("--accept {name}: nothing of that name would have been lost"));
    output.doubt(&vain.collect::<Vec<_>>());
    output.print(&value(&plan, true), || format!("{}\nDone.", text(&plan, "The tables fit the declaration.")))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes columns, indexes and words of every row again.
pub(super) async fn reindex(config: &Config, output: Output) -> Result<ExitCode, Failure> {
    let api = declare(config)?.api;
    prepare(config).await?;
    let mut bar = Bar::told("reindexing", output);
    engine::reindex(config, &api, &mut |done, total, what| bar.count(done, total, what)).await?;
    bar.finish();
    let names: Vec<&str> = api.resources.iter().map(|resource| resource.name.as_str()).collect();
    output.print(&json!({ "reindexed": names }), || {
        format!("Columns, indexes and words of {} are written again.", names.join(", "))
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The tables that every deployment has come first.
async fn prepare(config: &Config) -> Result<(), Failure> {
    let mut bar = Bar::new("migrating");
    engine::migrate(config, &mut |step| bar.step(step)).await?;
    bar.finish();
    Ok(())
}

fn value(plan: &ShapePlan, applied: bool) -> Value {
    let losses = plan.losses.iter().map(|loss| {
        json!({ "name": loss.name, "rows": loss.rows, "can_be_accepted": loss.can_be_accepted, "what": loss.to_string() })
    });
    json!({
        "applied": applied,
        "additions": plan.additions.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "losses": losses.collect::<Vec<_>>(),
    })
}

fn text(plan: &ShapePlan, nothing: &str) -> String {
    if plan.is_empty() { nothing.to_owned() } else { plan.to_string() }
}
