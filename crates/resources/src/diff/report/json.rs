//! For programs.

use serde_json::{Value, json};

use super::{Names, advice};
use crate::diff::finding::{Counts, Finding};

/// Everything, as one value.
pub fn json(findings: &[Finding], names: Names<'_>) -> Value {
    let Counts { breaking, compatible, informational } = Counts::of(findings);
    json!({
        "old": names.old,
        "new": names.new,
        "breaking": breaking,
        "compatible": compatible,
        "informational": informational,
        "findings": findings.iter().map(finding).collect::<Vec<_>>(),
        "advice": advice(findings),
    })
}

/// One finding.
pub fn finding(finding: &Finding) -> Value {
    json!({
        "rule": finding.rule.name,
        "severity": finding.severity().as_str(),
        "place": finding.place,
        "told": finding.told,
        "lens": finding.lens,
    })
}
