//! Keeps the house in order: one file per kind of rule, each a function from the tree to its findings.

mod arrows;
mod first_line;
mod names;
mod report;
mod sizes;
mod specification;
mod tree;
mod words;

#[cfg(test)]
mod tests;

use std::path::Path;

use report::Report;
use tree::Tree;

/// Reads the workspace under `root` and holds every rule against it.
pub fn inspect(root: &Path) -> anyhow::Result<Report> {
    let tree = Tree::read(root)?;

    let mut findings = Vec::new();
    findings.extend(arrows::check(&tree)?);
    findings.extend(first_line::check(&tree));
    findings.extend(names::check(&tree));
    findings.extend(words::check(&tree));
    findings.extend(specification::check(&tree));
    let sizes = sizes::measure(&tree);
    findings.extend(sizes.findings);
    findings.sort();

    Ok(Report { findings, warnings: sizes.warnings, longest: sizes.longest, counts: sizes.counts })
}
