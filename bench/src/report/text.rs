//! Tables for a terminal.

use std::fmt::Write as _;

use comfy_table::Table;
use comfy_table::presets::UTF8_HORIZONTAL_ONLY;

use super::section::sections;
use super::{Report, Row};
use crate::bench::engine_name;
use crate::goals;

/// One work in one line, as soon as it is measured.
pub fn line(report: &Report, row: &Row) -> String {
    let server = row.server();
    let mut line = format!(
        "{:<29} {:>8.0}/s  p50 {:>6.0} µs  p99 {:>6.0} µs  {:>6.1} µs CPU",
        row.work.title(),
        server.median(|sample| sample.rate),
        server.median(|sample| sample.p50),
        server.median(|sample| sample.p99),
        server.median(|sample| sample.cpu),
    );
    if let Some(ratio) = row.cpu_against("floor") {
        let _ = write!(line, "  {ratio:.2}× the floor");
    }
    if let Some(ratio) = row.rate_against("empty store") {
        let _ = write!(line, "  {ratio:.2}× the rate of an empty store");
    }
    if report.engine == crate::options::Engine::Postgres {
        let _ = write!(line, "  (+{:.1} µs PostgreSQL)", server.median(|sample| sample.database_cpu));
    }
    if server.wrong() > 0 {
        let _ = write!(line, "  INVALID: {}", server.complaint().unwrap_or_default());
    }
    line + "\n"
}

/// All tables.
pub fn show(report: &Report) {
    println!("\n{} · {}", engine_name(report.engine), report.machine);
    println!(
        "{} sessions, {} orders · {} connections · medians of {} rounds of {} s",
        report.sessions.rows, report.orders.rows, report.connections, report.rounds, report.seconds
    );
    let mut table = Table::new();
    table.load_style(UTF8_HORIZONTAL_ONLY);
    table.set_header([
        "work",
        "party",
        "requests/s",
        "p50 µs",
        "p99 µs",
        "most µs",
        "CPU µs",
        "CPU of valetkey against it",
        "wrong",
    ]);
    for row in &report.rows {
        for (party, series) in &row.parties {
            let against = if *party == "valetkey" { None } else { row.cpu_against(party) };
            table.add_row([
                if *party == "valetkey" { row.work.title().to_owned() } else { String::new() },
                (*party).to_owned(),
                format!("{:.0}", series.median(|sample| sample.rate)),
                format!("{:.0}", series.median(|sample| sample.p50)),
                format!("{:.0}", series.median(|sample| sample.p99)),
                format!("{:.0}", series.median(|sample| sample.most)),
                format!("{:.1}", series.median(|sample| sample.cpu)),
                against.map_or_else(String::new, |ratio| format!("{ratio:.3}×")),
                series.wrong().to_string(),
            ]);
        }
    }
    if !report.rows.is_empty() {
        println!("{table}");
    }
    for section in sections(report) {
        let mut table = Table::new();
        table.load_style(UTF8_HORIZONTAL_ONLY);
        table.set_header(section.head);
        table.add_rows(section.rows);
        println!("\n{}\n{table}", section.title);
    }
    show_rest(report);
}

#[expect(clippy::cast_precision_loss)]
fn show_rest(report: &Report) {
    let (ceilings, memory) = (&report.ceilings, report.memory);
    println!("start-up to the first 200: {:.0} ms", report.started_in * 1e3);
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    println!(
        "memory (RssAnon): {:.1} MB idle, {:.1} MB on the full store, {:.1} MB at most under load",
        megabytes(memory.idle),
        megabytes(memory.settled),
        megabytes(memory.busiest)
    );
    if let Some(empty) = memory.empty {
        println!("memory of a server with an empty store, at most under load: {:.1} MB", megabytes(empty));
    }
    println!("filled in {:.0} s", report.filled_in);
    println!("on disk: {:.0} bytes a session, {:.0} bytes an order", report.sessions.each(), report.orders.each());
    println!("one ES256 signature: {:.1} µs", ceilings.signature);
    let rates = [
        ("group-commit inserts, SQLite", ceilings.sqlite_inserts),
        ("group-commit inserts, PostgreSQL", ceilings.postgres_inserts),
        ("point reads, PostgreSQL", ceilings.postgres_reads),
    ];
    for (what, rate) in rates {
        if let Some(rate) = rate {
            println!("ceiling of {what}: {rate:.0}/s");
        }
    }
    let mut table = Table::new();
    table.load_style(UTF8_HORIZONTAL_ONLY);
    table.set_header(["target", "measured", ""]);
    for verdict in goals::judge(report) {
        table.add_row([verdict.target, verdict.measured, if verdict.held { "held" } else { "MISSED" }.to_owned()]);
    }
    println!("{table}");
}
