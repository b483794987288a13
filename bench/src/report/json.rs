//! Everything, round by round, for other programs.

use serde_json::{Value, json};

use super::{Report, Row};
use crate::bench::engine_name;
use crate::goals;

/// The whole report.
pub fn json(report: &Report) -> anyhow::Result<String> {
    let footprint = |of: crate::fill::Footprint| json!({"rows": of.rows, "bytes": of.bytes, "bytes_each": of.each()});
    let goals: Vec<Value> = goals::judge(report)
        .into_iter()
        .map(|verdict| json!({"target": verdict.target, "measured": verdict.measured, "held": verdict.held}))
        .collect();
    let value = json!({
        "engine": engine_name(report.engine),
        "machine": report.machine,
        "connections": report.connections,
        "rounds": report.rounds,
        "seconds": report.seconds,
        "filled_in": report.filled_in,
        "started_in": report.started_in,
        "memory": {"idle": report.memory.idle, "settled": report.memory.settled, "busiest": report.memory.busiest, "empty": report.memory.empty},
        "sessions": footprint(report.sessions),
        "orders": footprint(report.orders),
        "ceilings": serde_json::to_value(&report.ceilings)?,
        "works": report.rows.iter().map(row).collect::<Vec<_>>(),
        "findings": serde_json::to_value(&report.findings)?,
        "targets": goals,
    });
    Ok(serde_json::to_string_pretty(&value)? + "\n")
}

fn row(row: &Row) -> Value {
    let party = |(name, series): &(&str, crate::measure::Series)| {
        let medians = json!({
            "rate": series.median(|sample| sample.rate),
            "p50_us": series.median(|sample| sample.p50),
            "p99_us": series.median(|sample| sample.p99),
            "most_us": series.median(|sample| sample.most),
            "cpu_us": series.median(|sample| sample.cpu),
            "database_cpu_us": series.median(|sample| sample.database_cpu),
        });
        json!({"party": name, "medians": medians, "valid": series.wrong() == 0, "rounds": series.samples})
    };
    json!({
        "work": row.work.name(),
        "title": row.work.title(),
        "cpu_against_floor": row.cpu_against("floor"),
        "rate_against_floor": row.rate_against("floor"),
        "rate_against_empty_store": row.rate_against("empty store"),
        "parties": row.parties.iter().map(party).collect::<Vec<_>>(),
    })
}
