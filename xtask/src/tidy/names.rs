//! Names: no drawers for everything, and two engines whose files mirror each other.

use super::report::Finding;
use super::tree::{Source, Tree, identifiers, line_at};

/// Names that say nothing about what is inside.
const DRAWERS: [&str; 8] = ["util", "utils", "helper", "helpers", "common", "manager", "managers", "misc"];
const DRAWER_ENDINGS: [&str; 5] = ["_util", "_utils", "_helper", "_helpers", "_manager"];

/// Below these folders an engine keeps what no other has: a writer thread here, a pool there, statements for many callers at
/// once, and a table for words.
const MECHANICS: [&str; 3] = ["connection/", "together/", "words/"];

/// The folders that must hold the same file names.
const ENGINES: [&str; 2] = ["crates/store/src/sqlite", "crates/store/src/postgres"];

/// Reports drawers, and files of one engine that the other lacks.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings: Vec<Finding> = tree.sources.iter().flat_map(drawers).collect();
    findings.extend(missing_twins(tree));
    findings
}

fn drawers(source: &Source) -> Vec<Finding> {
    let finding = |line, name: &str| Finding {
        path: source.path.clone(),
        line,
        rule: "name",
        message: format!("`{name}` says nothing: name the module after the noun it owns"),
    };
    let parts = source.path.split('/').map(|part| part.strip_suffix(".rs").unwrap_or(part));
    let in_path = parts.filter(|part| is_drawer(part)).map(|part| finding(1, part));

    let words: Vec<(usize, &str)> = identifiers(&source.code).collect();
    let inline = words.windows(2).filter_map(|pair| match pair {
        [(_, "mod"), (offset, name)] if is_drawer(name) && opens_a_block(&source.code[offset + name.len()..]) => {
            Some(finding(line_at(&source.code, *offset), name))
        }
        _ => None,
    });

    in_path.chain(inline).collect()
}

/// `mod x;` is reported once, by the path of its file; `mod x {` has no file.
fn opens_a_block(after: &str) -> bool {
    after.trim_start().starts_with('{')
}

fn is_drawer(name: &str) -> bool {
    DRAWERS.contains(&name) || DRAWER_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

fn missing_twins(tree: &Tree) -> Vec<Finding> {
    let [first, second] = ENGINES;
    [(first, second), (second, first)].into_iter().flat_map(|(mine, other)| only_in(tree, mine, other)).collect()
}

fn only_in(tree: &Tree, mine: &str, other: &str) -> Vec<Finding> {
    tree.sources
        .iter()
        .filter_map(|source| Some((source, below(&source.path, mine)?)))
        .filter(|(_, name)| !MECHANICS.iter().any(|folder| name.starts_with(folder)))
        .filter(|(_, name)| !tree.sources.iter().any(|twin| below(&twin.path, other) == Some(*name)))
        .map(|(source, name)| Finding {
            path: source.path.clone(),
            line: 1,
            rule: "twin",
            message: format!("{other} has no {name}: both engines use the same file names, add it or rename this one"),
        })
        .collect()
}

/// The path inside `folder`. The engine's own root file, `sqlite.rs` or `sqlite/mod.rs`, is `mod.rs` for both.
fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(folder)?;
    if rest == ".rs" { Some("mod.rs") } else { rest.strip_prefix('/') }
}
