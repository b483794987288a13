//! Markdown for a pull request.

use std::collections::BTreeSet;

use super::{Names, advice, summary};
use crate::diff::finding::Finding;
use crate::diff::rule::Severity;

/// As much as a comment can hold on the usual hosts.
const MOST: usize = 200;

/// The whole comment.
pub fn markdown(findings: &[Finding], names: Names<'_>) -> String {
    let sign = if findings.iter().any(Finding::is_breaking) { "🔴" } else { "🟢" };
    let mut text = format!("### {sign} {}\n\n", summary(findings));
    text.push_str(&format!("{} → {}\n", code(names.old), code(names.new)));
    for severity in Severity::ALL {
        section(severity, findings, &mut text);
    }
    // Several findings may need the same one: `changes` take it once.
    let mut known = BTreeSet::new();
    let lenses = findings.iter().filter_map(|finding| finding.lens.as_deref()).filter(|lens| known.insert(*lens));
    let lenses: Vec<&str> = lenses.take(MOST).collect();
    if !lenses.is_empty() {
        text.push_str("\nLenses that would absorb them, under `changes:` of a new version:\n\n```yaml\n");
        for lens in lenses {
            text.push_str(&format!("{lens}\n"));
        }
        text.push_str("```\n");
    }
    text.push_str(&format!("\n{}\n", advice(findings)));
    text
}

fn section(severity: Severity, findings: &[Finding], text: &mut String) {
    let these: Vec<&Finding> = findings.iter().filter(|finding| finding.severity() == severity).collect();
    if these.is_empty() {
        return;
    }
    let title = match severity {
        Severity::Breaking => "Breaking",
        Severity::Compatible => "Compatible",
        Severity::Informational => "To know of",
    };
    let is_folded = severity != Severity::Breaking;
    if is_folded {
        text.push_str(&format!("\n<details><summary>{title} ({})</summary>\n\n", these.len()));
    } else {
        text.push_str(&format!("\n#### {title} ({})\n\n", these.len()));
    }
    text.push_str("| rule | place | what |\n|---|---|---|\n");
    for finding in these.iter().take(MOST) {
        text.push_str(&format!(
            "| {} | {} | {} |\n",
            code(finding.rule.name),
            code(&finding.place),
            words(&finding.told)
        ));
    }
    if these.len() > MOST {
        text.push_str(&format!("\nAnd {} more.\n", these.len() - MOST));
    }
    if is_folded {
        text.push_str("\n</details>\n");
    }
}

/// A name that nothing in it can break out of.
fn code(name: &str) -> String {
    let name: String = name.chars().map(|sign| if sign.is_control() || sign == '`' { ' ' } else { sign }).collect();
    format!("`{}`", name.replace('|', "\\|"))
}

/// A sentence in a table. What stands in backticks is shown as it is; outside of them nothing becomes markup.
fn words(told: &str) -> String {
    let mut text = String::with_capacity(told.len());
    let mut is_code = false;
    for sign in told.chars() {
        match sign {
            '`' => {
                is_code = !is_code;
                text.push('`');
            }
            '|' => text.push_str("\\|"),
            '<' if !is_code => text.push_str("&lt;"),
            '[' | '*' | '_' if !is_code => {
                text.push('\\');
                text.push(sign);
            }
            sign if sign.is_control() => text.push(' '),
            sign => text.push(sign),
        }
    }
    if is_code {
        text.push('`');
    }
    text
}
