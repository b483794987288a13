//! What was found: a change, the rule it falls under, and how it could be absorbed.

use super::rule::{Rule, Severity};

/// One change that a client can notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule it falls under.
    pub rule: &'static Rule,
    /// Where, such as `orders.amount`, `orders.actions.cancel` or `GET /users/{id}`.
    pub place: String,
    /// What changed, from what to what, in a sentence.
    pub told: String,
    /// The item for `changes:` of a new version that would spare older clients this change.
    pub lens: Option<String>,
}

/// How many there are of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Changes that break clients.
    pub breaking: usize,
    /// Changes that do not.
    pub compatible: usize,
    /// Changes that need not interest them.
    pub informational: usize,
}

impl Finding {
    pub(super) fn new(rule: &'static Rule, place: impl Into<String>, told: impl Into<String>) -> Self {
        Self { rule, place: place.into(), told: told.into(), lens: None }
    }

    pub(super) fn with_lens(mut self, lens: impl Into<Option<String>>) -> Self {
        self.lens = lens.into();
        self
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.rule.severity
    }

    /// Does it break clients?
    pub fn is_breaking(&self) -> bool {
        self.severity() == Severity::Breaking
    }
}

impl Counts {
    /// Counts them.
    pub fn of(findings: &[Finding]) -> Self {
        let count = |severity| findings.iter().filter(|finding| finding.severity() == severity).count();
        Self {
            breaking: count(Severity::Breaking),
            compatible: count(Severity::Compatible),
            informational: count(Severity::Informational),
        }
    }

    /// The count of one severity.
    pub fn get(self, severity: Severity) -> usize {
        match severity {
            Severity::Breaking => self.breaking,
            Severity::Compatible => self.compatible,
            Severity::Informational => self.informational,
        }
    }
}

/// The worst first, then by place; what was found twice is told once.
pub(super) fn in_order(mut findings: Vec<Finding>) -> Vec<Finding> {
    let key = |finding: &Finding| (finding.severity(), finding.place.clone(), finding.rule.name, finding.told.clone());
    findings.sort_by_cached_key(key);
    findings.dedup();
    findings
}
