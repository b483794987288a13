//! What was found apart from the works, as tables that a terminal and a page show alike.

use super::Report;
use crate::subject::{Cost, Expiry, Storm, Waits, Worst};

/// So many of the most expensive requests are shown; JSON has all of them.
const SHOWN: usize = 15;

/// A table with a title.
pub struct Section {
    pub title: String,
    pub head: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
}

/// All that there is to show.
pub fn sections(report: &Report) -> Vec<Section> {
    let findings = &report.findings;
    let all =
        [findings.storm.as_ref().map(storm), findings.worst.as_ref().map(worst), findings.expiry.as_ref().map(expiry)];
    all.into_iter().flatten().collect()
}

fn line(name: &str, waits: Waits) -> Vec<String> {
    let [p50, p99, most] = [waits.p50, waits.p99, waits.most].map(|millis| format!("{millis:.2}"));
    vec![name.to_owned(), p50, p99, most]
}

fn storm(storm: &Storm) -> Section {
    let waits = |of: fn(&crate::subject::StormRound) -> Waits| Waits {
        p50: storm.median(|round| of(round).p50),
        p99: storm.median(|round| of(round).p99),
        most: storm.median(|round| of(round).most),
    };
    let title = format!(
        "Storm of passwords: {:.0} sign-ins a second; the cores alone hash {:.0}",
        storm.median(|round| round.sign_ins),
        storm.median(|round| round.hashes)
    );
    let rows = vec![
        line("introspection, quiet", waits(|round| round.idle)),
        line("introspection, during the storm", waits(|round| round.stormy)),
        line("sign-in", waits(|round| round.sign_in)),
    ];
    Section { title, head: vec!["", "p50 ms", "p99 ms", "most ms"], rows }
}

fn worst(worst: &Worst) -> Section {
    let row = |cost: &Cost| {
        let [whole, database, most, wait] =
            [cost.whole(), cost.database_cpu, cost.most, cost.wait].map(|millis| format!("{millis:.1}"));
        vec![cost.name.to_owned(), cost.status.to_string(), whole, database, most, wait]
    };
    Section {
        title: format!("The most expensive of {} requests", worst.costs.len()),
        head: vec!["request", "status", "CPU ms", "of it PostgreSQL", "most ms", "answered after ms"],
        rows: worst.costs.iter().take(SHOWN).map(row).collect(),
    }
}

fn expiry(expiry: &Expiry) -> Section {
    let title =
        format!("{} sessions expire at once: {} rows swept in {:.0} s", expiry.expired, expiry.swept, expiry.seconds);
    let rows = vec![
        line("introspection, before", expiry.introspection.before),
        line("introspection, during the sweep", expiry.introspection.during),
        line("refresh, before", expiry.refresh.before),
        line("refresh, during the sweep", expiry.refresh.during),
    ];
    Section { title, head: vec!["", "p50 ms", "p99 ms", "most ms"], rows }
}
