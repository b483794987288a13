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

/// Whatever stands in backticks of a row and has the form `suite::file::name`, with folders before the file if need be; or
/// `suite::file`, for all tests of that file.
fn tests(line: &str) -> impl Iterator<Item = &str> {
    let is_row = line.starts_with('|');
    line.split('`').skip(1).step_by(2).filter(move |text| is_row && text.contains("::") && !text.contains(' '))
}

fn exists(tree: &Tree, test: &str) -> bool {
    let Some((suite, place)) = test.split_once("::") else { return false };
    let (file, name) = place.rsplit_once("::").map_or((place, None), |(file, name)| (file, Some(name)));
    let ending = format!("/{}.rs", file.replace("::", "/"));
    let folder = if suite == "it" { "crates/server/tests/it/".to_owned() } else { format!("crates/{suite}/") };
    let mut sources = tree.sources.iter().filter(|source| source.path.starts_with(&folder));
    sources.any(|source| {
        let words: Vec<_> = identifiers(&source.code).map(|(_, word)| word).collect();
        let has = |name: &str| words.windows(2).any(|pair| pair == ["fn", name]);
        source.path.ends_with(&ending) && name.is_none_or(has)
    })
}
