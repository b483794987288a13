//! What the dashboard and the alert rules ask for exists, under that name and with those labels.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::super::labels::{Active, ApiUse, Attempt, Code, Grant, Kind, Outcome, Purpose, Request, Route, Why};
use super::*;

/// What whoever collects adds, and what a histogram has.
const ADDED: [&str; 3] = ["job", "instance", "le"];

/// Every metric, with at least one series each.
fn everything() -> String {
    let metrics = Metrics::default();
    let (method, route, kind, outcome) = ("GET", Arc::<str>::from("/"), "a", "b");
    metrics.requests.get_or_create(&Request { method, route: route.clone(), status: 200 }).inc();
    metrics.durations.get_or_create(&Route { route }).observe(1.0);
    metrics.tokens_issued.get_or_create(&Grant::from(GrantType::RefreshToken)).inc();
    metrics.refusals.get_or_create(&Code { code: "a" }).inc();
    metrics.introspections.get_or_create(&Active { active: true }).inc();
    metrics.sessions_ended.get_or_create(&Why { why: "a" }).inc();
    metrics.sign_ins.get_or_create(&Outcome { outcome }).inc();
    metrics.user_codes.get_or_create(&Outcome { outcome }).inc();
    metrics.keys_made.get_or_create(&Purpose { purpose: "a" }).inc();
    metrics.alerts.get_or_create(&Kind { kind }).inc();
    metrics.deliveries.get_or_create(&Attempt { kind, outcome }).inc();
    metrics.api_requests.get_or_create(&ApiUse { version: 1, client: "a".to_owned() }).inc();
    metrics.render()
}

/// The labels of each name that a line of the text begins with.
fn known(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut known = BTreeMap::from([("up".to_owned(), BTreeSet::new())]);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        for (name, labels) in asked(line) {
            known.entry(name).or_default().extend(labels);
        }
    }
    known
}

/// The metrics that an expression names, and the labels it selects them by. What stands in quotes is a value.
fn asked(text: &str) -> Vec<(String, Vec<String>)> {
    let bare: String = text.split('"').step_by(2).collect::<Vec<_>>().join("\"\"");
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut found = Vec::new();
    for (at, _) in bare.match_indices(['v', 'p', 'u']) {
        let rest = &bare[at..];
        let name = &rest[..rest.find(|letter| !is_word(letter)).unwrap_or(rest.len())];
        let begins = !bare[..at].ends_with(is_word);
        let ours = name.starts_with("valetkey_") || name.starts_with("process_") || rest.starts_with("up{");
        if begins && ours {
            let selected = rest[name.len()..].strip_prefix('{').and_then(|rest| rest.split('}').next()).unwrap_or("");
            let labels = selected.split(',').filter_map(|pair| pair.split(['=', '!']).next());
            let labels = labels.map(|label| label.trim().to_owned()).filter(|label| !label.is_empty());
            found.push((name.to_owned(), labels.collect()));
        }
    }
    found
}

/// What is asked for and does not exist.
fn strangers(text: &str) -> Vec<String> {
    let known = known(&everything());
    let mut strangers = Vec::new();
    for (name, labels) in asked(text) {
        let Some(has) = known.get(&name) else {
            strangers.push(name);
            continue;
        };
        let unknown = |label: &&String| !has.contains(*label) && !ADDED.contains(&label.as_str());
        strangers.extend(labels.iter().filter(unknown).map(|label| format!("{name}{{{label}}}")));
    }
    // What sums are kept apart by must be a label of something.
    let labels: BTreeSet<&str> = known.values().flatten().map(String::as_str).chain(ADDED).collect();
    for (_, rest) in text.match_indices("by (").map(|(at, mark)| text.split_at(at + mark.len())) {
        let kept = rest.split(')').next().unwrap_or("").split(',').map(str::trim);
        strangers.extend(kept.filter(|label| !labels.contains(label)).map(|label| format!("by ({label})")));
    }
    strangers
}

fn packaged(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../../packaging/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Every expression of a dashboard, however deep it stands.
fn expressions(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                match member {
                    Value::String(text) if ["expr", "query", "definition"].contains(&key.as_str()) => {
                        found.push(text.clone());
                    }
                    deeper => expressions(deeper, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| expressions(item, found)),
        _ => {}
    }
}

#[test]
fn the_dashboard_asks_only_for_what_is_counted() {
    let dashboard: Value = serde_json::from_str(&packaged("grafana/valetkey.json")).unwrap();
    let mut found = Vec::new();
    expressions(&dashboard, &mut found);

    assert!(found.len() > 30, "{found:?}");
    for expression in found {
        assert_eq!(strangers(&expression), [""; 0], "in {expression}");
    }
}

#[test]
fn the_alert_rules_ask_only_for_what_is_counted() {
    let rules = packaged("prometheus/valetkey.rules.yml");
    let expressions: String =
        rules.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join("\n");

    assert!(asked(&expressions).len() > 20);
    assert_eq!(strangers(&expressions), [""; 0]);
}

#[test]
fn everything_that_is_counted_can_be_seen_on_the_dashboard() {
    let dashboard = packaged("grafana/valetkey.json");

    for name in known(&everything()).keys().filter(|name| !name.ends_with("_sum") && !name.ends_with("_count")) {
        assert!(dashboard.contains(name.as_str()), "{name} is on no panel");
    }
}

#[test]
fn a_kind_of_alert_that_a_rule_names_exists() {
    let rules = packaged("prometheus/valetkey.rules.yml");
    let named = rules.match_indices("valetkey_alerts_total{kind=~\"").map(|(at, mark)| &rules[at + mark.len()..]);
    let kinds: Vec<&str> = named.flat_map(|rest| rest.split('"').next().unwrap_or("").split('|')).collect();

    assert!(!kinds.is_empty());
    for kind in kinds {
        assert!(AlertKind::parse(kind).is_some(), "{kind}");
    }
}

#[test]
fn a_name_or_label_that_does_not_exist_is_found() {
    let good = r#"sum by (grant) (rate(valetkey_tokens_issued_total{job="valetkey_nothing", grant!="x"}[5m]))"#;

    assert_eq!(strangers(good), [""; 0]);
    assert_eq!(strangers("rate(valetkey_tokens_issued[5m])"), ["valetkey_tokens_issued"]);
    assert_eq!(strangers(r#"valetkey_store_up{grant="x"}"#), ["valetkey_store_up{grant}"]);
    assert_eq!(strangers("sum by (le, rout) (valetkey_connections)"), ["by (rout)"]);
}
