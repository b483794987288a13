//! SARIF 2.1.0, which code hosts show beside the changed file.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Names, Spots};
use crate::diff::finding::Finding;
use crate::diff::rule::{RULES, Rule, Severity};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The log of one run. `spots` are those of the newer file.
pub fn sarif(findings: &[Finding], names: Names<'_>, spots: &Spots, version: &str) -> Value {
    let used: BTreeSet<&str> = findings.iter().map(|finding| finding.rule.name).collect();
    let rules: Vec<&Rule> = RULES.iter().copied().filter(|rule| used.contains(rule.name)).collect();
    let results: Vec<Value> = findings.iter().map(|finding| result(finding, &rules, names, spots)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "valetkey api diff",
                "version": version,
                "rules": rules.iter().map(|rule| described(rule)).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn described(rule: &Rule) -> Value {
    json!({
        "id": rule.name,
        "shortDescription": { "text": rule.says },
        "defaultConfiguration": { "level": level(rule.severity) },
        "properties": { "severity": rule.severity.as_str() },
    })
}

fn result(finding: &Finding, rules: &[&Rule], names: Names<'_>, spots: &Spots) -> Value {
    let mut text = format!("{}: {}", finding.place, finding.told);
    if let Some(lens) = &finding.lens {
        text.push_str(&format!(" A lens would absorb it: {lens}"));
    }
    json!({
        "ruleId": finding.rule.name,
        "ruleIndex": rules.iter().position(|rule| *rule == finding.rule),
        "level": level(finding.severity()),
        "message": { "text": text },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": { "uri": uri(names.new) },
                "region": { "startLine": spots.line(&finding.place) },
            },
            "logicalLocations": [{ "fullyQualifiedName": finding.place }],
        }],
        "partialFingerprints": { "change/v1": format!("{} {} {}", finding.rule.name, finding.place, finding.told) },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Breaking => "error",
        Severity::Compatible => "note",
        Severity::Informational => "none",
    }
}

/// A path as a reference (RFC 3986).
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
