//! A page with plots, drawn here: it needs no script and nothing from elsewhere.

use std::fmt::Write as _;

use super::plot::{Bar, bars};
use super::section::sections;
use super::{Report, Row};
use crate::bench::engine_name;
use crate::goals;
use crate::measure::Sample;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1b1b1f;\
background:#fff}h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.2rem}table{border-collapse:collapse;width:100%}\
th,td{text-align:right;padding:.25rem .6rem;border-bottom:1px solid #ddd}th:first-child,td:first-child,td.left,th.left\
{text-align:left}.held{color:#0a6b2d}.missed{color:#b3261e;font-weight:600}svg{width:100%;height:auto}\
@media(prefers-color-scheme:dark){body{background:#16161a;color:#e6e6ea}th,td{border-color:#3a3a40}.held{color:#7fd89a}\
.missed{color:#ff8a80}svg text{fill:#e6e6ea}}";

/// The whole page.
pub fn html(report: &Report) -> String {
    let title = format!("What Valetkey costs on {}", engine_name(report.engine));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    let _ = writeln!(
        page,
        "<p>{}. {} sessions and {} orders in the store; {} connections; medians of {} rounds of {} s, the parties in turn.</p>",
        escape(&report.machine),
        report.sessions.rows,
        report.orders.rows,
        report.connections,
        report.rounds,
        report.seconds
    );
    if report.rows.is_empty() {
        return page + &tables(report) + &targets(report) + "</body>\n</html>\n";
    }
    page += &plot(report, "Processor time for each request, in microseconds", |sample| sample.cpu);
    page += &plot(report, "Requests a second", |sample| sample.rate);
    page += &plot(report, "Latency that 99 of 100 answers did not exceed, in microseconds", |sample| sample.p99);
    page += &table(report);
    page += &tables(report);
    page += &targets(report);
    page + "</body>\n</html>\n"
}

fn plot(report: &Report, title: &str, of: impl Fn(&Sample) -> f64 + Copy) -> String {
    let group = |row: &Row| {
        let bar = |(party, series): &(&'static str, crate::measure::Series)| Bar { party, value: series.median(of) };
        (row.work.title(), row.parties.iter().map(bar).collect::<Vec<_>>())
    };
    let groups: Vec<_> = report.rows.iter().map(group).collect();
    format!("<h2>{title}</h2>\n{}", bars(title, &groups))
}

fn table(report: &Report) -> String {
    let mut text =
        "<h2>Numbers</h2>\n<table>\n<tr><th>work</th><th class=\"left\">party</th><th>requests/s</th><th>p50 µs</th>\
                    <th>p99 µs</th><th>most µs</th><th>CPU µs</th><th>CPU of valetkey against it</th></tr>\n"
            .to_owned();
    for row in &report.rows {
        for (party, series) in &row.parties {
            let against = row.cpu_against(party).filter(|_| *party != "valetkey");
            let _ = writeln!(
                text,
                "<tr><td>{}</td><td class=\"left\">{party}{}</td><td>{:.0}</td><td>{:.0}</td><td>{:.0}</td><td>{:.0}</td><td>{:.1}</td><td>{}</td></tr>",
                row.work.title(),
                if series.wrong() > 0 { " <span class=\"missed\">invalid</span>" } else { "" },
                series.median(|sample| sample.rate),
                series.median(|sample| sample.p50),
                series.median(|sample| sample.p99),
                series.median(|sample| sample.most),
                series.median(|sample| sample.cpu),
                against.map_or_else(String::new, |ratio| format!("{ratio:.3}×")),
            );
        }
    }
    text + "</table>\n"
}

/// What was found apart from the works.
fn tables(report: &Report) -> String {
    let mut text = String::new();
    for section in sections(report) {
        let cells = |mark: &str, cells: Vec<String>| -> String {
            cells.iter().map(|cell| format!("<{mark}>{}</{mark}>", escape(cell))).collect()
        };
        let head = cells("th", section.head.into_iter().map(str::to_owned).collect());
        let _ = writeln!(text, "<h2>{}</h2>\n<table>\n<tr>{head}</tr>", escape(&section.title));
        for row in section.rows {
            let _ = writeln!(text, "<tr>{}</tr>", cells("td", row));
        }
        text += "</table>\n";
    }
    text
}

fn targets(report: &Report) -> String {
    let mut text = "<h2>Targets</h2>\n<table>\n<tr><th>target</th><th>measured</th><th></th></tr>\n".to_owned();
    for verdict in goals::judge(report) {
        let word = if verdict.held { "held" } else { "missed" };
        let (target, measured) = (escape(&verdict.target), &verdict.measured);
        let _ = writeln!(text, "<tr><td>{target}</td><td>{measured}</td><td class=\"{word}\">{word}</td></tr>");
    }
    text + "</table>\n"
}

/// Text as it may stand in a page.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
