//! The page that maps the specification to tests: each test that it names exists.

use super::report::Finding;
use super::tree::{Tree, identifiers};

/// The page.
const PAGE: &str = "docs/specification.md";

/// Reports rows of the page whose test is not there.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let lines = tree.specification.lines().enumerate();
    let named = lines.flat_map(|(at, line)| tests(line).map(move |test| (at + 1, test)));
    let missing = named.filter(|(_, test)| !exists(tree, test));
    missing
        .map(|(line, test)| Finding {
            path: PAGE.to_owned(),
            line,
            rule: "specification",
            message: format!("there is no test {test}: name the one that shows this"),
        })
        .collect()
}

/// Whatever stands in backticks and has the form `suite::file::name`.
fn tests(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2).filter(|text| text.matches("::").count() == 2 && !text.contains(' '))
}

fn exists(tree: &Tree, test: &str) -> bool {
    let mut parts = test.split("::");
    let (Some(suite), Some(file), Some(name)) = (parts.next(), parts.next(), parts.next()) else { return false };
    let ending = format!("/{file}.rs");
    let folder = if suite == "it" { "crates/server/tests/it/".to_owned() } else { format!("crates/{suite}/") };
    let mut sources = tree.sources.iter().filter(|source| source.path.starts_with(&folder));
    sources.any(|source| {
        let words: Vec<_> = identifiers(&source.code).map(|(_, word)| word).collect();
        source.path.ends_with(&ending) && words.windows(2).any(|pair| pair == ["fn", name])
    })
}
