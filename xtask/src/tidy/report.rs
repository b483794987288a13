//! What tidy says: findings, warnings, the longest files and the counts, as lines for people or as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// One broken rule: where, which, and how to mend it. Ordered by place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Path from the root of the workspace, with `/`.
    pub path: String,
    /// Counted from one.
    pub line: usize,
    /// The short, stable name of the rule.
    pub rule: &'static str,
    /// What is wrong and what to do.
    pub message: String,
}

/// How long one file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Length {
    /// Path from the root of the workspace.
    pub path: String,
    /// All lines, blank ones too.
    pub lines: usize,
    /// Whether the file holds only tests.
    pub is_test: bool,
}

/// Totals over the workspace.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Counts {
    /// Manifests of members.
    pub crates: usize,
    /// Rust files that are not tests.
    pub files: usize,
    /// Their lines.
    pub lines: usize,
    /// Rust files that hold only tests.
    pub test_files: usize,
    /// Their lines.
    pub test_lines: usize,
}

/// Everything one run of tidy has to say.
#[derive(Debug)]
pub struct Report {
    /// Broken rules; any makes the run fail.
    pub findings: Vec<Finding>,
    /// Worth a look; never makes the run fail.
    pub warnings: Vec<Finding>,
    /// The longest files first.
    pub longest: Vec<Length>,
    /// Totals.
    pub counts: Counts,
}

impl Report {
    /// Whether no rule is broken.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    /// Lines for people and editors: `path:line: what and how to mend`.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for finding in &self.findings {
            let _ = writeln!(text, "{}:{}: {}", finding.path, finding.line, finding.message);
        }
        for warning in &self.warnings {
            let _ = writeln!(text, "{}:{}: warning: {}", warning.path, warning.line, warning.message);
        }
        text.push_str("longest files:\n");
        for length in &self.longest {
            let note = if length.is_test { " (tests)" } else { "" };
            let _ = writeln!(text, "{:>6}  {}{note}", length.lines, length.path);
        }
        let Counts { crates, files, lines, test_files, test_lines } = self.counts;
        let _ = writeln!(
            text,
            "{crates} crates, {files} files with {lines} lines, {test_files} test files with {test_lines} lines"
        );
        let _ = writeln!(text, "{} findings, {} warnings", self.findings.len(), self.warnings.len());
        text
    }

    /// The same as one JSON value.
    pub fn to_json(&self) -> String {
        let place = |finding: &Finding| -> Value {
            json!({
                "path": finding.path,
                "line": finding.line,
                "rule": finding.rule,
                "message": finding.message,
            })
        };
        let value = json!({
            "findings": self.findings.iter().map(place).collect::<Vec<_>>(),
            "warnings": self.warnings.iter().map(place).collect::<Vec<_>>(),
            "longest": self.longest.iter().map(|length| json!({
                "path": length.path,
                "lines": length.lines,
                "test": length.is_test,
            })).collect::<Vec<_>>(),
            "counts": {
                "crates": self.counts.crates,
                "files": self.counts.files,
                "lines": self.counts.lines,
                "test_files": self.counts.test_files,
                "test_lines": self.counts.test_lines,
            },
        });
        format!("{value:#}\n")
    }
}
