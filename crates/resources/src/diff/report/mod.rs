//! Findings as JSON, SARIF and Markdown. What a terminal shows is made where terminals are known.

mod json;
mod markdown;
mod sarif;
mod spots;
#[cfg(test)]
mod tests;

use super::finding::{Counts, Finding};

pub use json::{finding, json};
pub use markdown::markdown;
pub use sarif::sarif;
pub use spots::Spots;

/// What was compared, as the reader calls it.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// The older side.
    pub old: &'a str,
    /// The newer side.
    pub new: &'a str,
}

/// How many there are of each, in a sentence.
pub fn summary(findings: &[Finding]) -> String {
    let Counts { breaking, compatible, informational } = Counts::of(findings);
    if findings.is_empty() {
        return "Clients notice nothing.".to_owned();
    }
    let changes = |count: usize| if count == 1 { "change" } else { "changes" };
    let mut words = format!("{breaking} breaking {}, {compatible} compatible", changes(breaking));
    if informational > 0 {
        words.push_str(&format!(", {informational} to know of"));
    }
    format!("{words}.")
}

/// What to do now.
pub fn advice(findings: &[Finding]) -> &'static str {
    let has_lens = findings.iter().any(|finding| finding.is_breaking() && finding.lens.is_some());
    match Counts::of(findings) {
        Counts { breaking: 0, compatible: 0, informational: 0 } => "There is nothing to do.",
        Counts { breaking: 0, .. } => "Release it as the same version; clients work on.",
        _ if has_lens => {
            "Release it as a new version: add one under `versions:`, with these items under its `changes:`, so that clients \
             of the older one work on. Or take the breaking changes back."
        }
        _ => "Release it as a new version beside the older one, or take the breaking changes back.",
    }
}
