//! Every file opens by saying what it owns.

use super::report::Finding;
use super::tree::Tree;

/// Reports each Rust file whose first line is not a `//!` sentence.
pub fn check(tree: &Tree) -> Vec<Finding> {
    tree.sources
        .iter()
        .filter(|source| !opens_with_a_sentence(&source.text))
        .map(|source| Finding {
            path: source.path.clone(),
            line: 1,
            rule: "first-line",
            message: "the first line is not `//!`: begin with what this file owns, and what it must never know".into(),
        })
        .collect()
}

fn opens_with_a_sentence(text: &str) -> bool {
    text.lines().next().and_then(|line| line.strip_prefix("//!")).is_some_and(|sentence| !sentence.trim().is_empty())
}
