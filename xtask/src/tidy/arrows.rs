//! Which crate may lean on which: ours on ours, and the few foreign crates that belong to one room. In manifests and in code.

use anyhow::Context;
use toml::de::{DeTable, DeValue};

use super::report::Finding;
use super::tree::{Manifest, Source, Tree, identifiers, line_at, room_of};

const RULE: &str = "arrow";

/// Each room and the rooms it may depend on. All other arrows are errors; `testkit` is for dev-dependencies alone.
const ARROWS: [(&str, &[&str]); 9] = [
    ("oauth", &[]),
    ("rest", &[]),
    ("resources", &["rest"]),
    ("store", &["oauth", "rest", "resources"]),
    ("endpoints", &["oauth", "rest"]),
    ("pages", &["oauth"]),
    ("server", &["oauth", "rest", "resources", "store", "endpoints", "pages"]),
    ("testkit", &["oauth", "rest", "resources"]),
    ("xtask", &[]),
];

/// A foreign crate that may not be used everywhere.
struct Fence {
    krate: &'static str,
    allows: fn(&str) -> bool,
    mend: &'static str,
}

/// SQL lives in the store, and the rules of authorization know no HTTP.
const FENCES: [Fence; 9] = [
    in_store_only("rusqlite"),
    in_store_only("tokio-postgres"),
    in_store_only("tokio-postgres-rustls"),
    in_store_only("deadpool-postgres"),
    in_store_only("refinery"),
    never_in_oauth("axum"),
    never_in_oauth("hyper"),
    never_in_oauth("tower-http"),
    never_in_oauth("reqwest"),
];

const fn in_store_only(krate: &'static str) -> Fence {
    Fence {
        krate,
        allows: |room| room == "store",
        mend: "only crates/store talks to a database: ask it through a port",
    }
}

const fn never_in_oauth(krate: &'static str) -> Fence {
    Fence { krate, allows: |room| room != "oauth", mend: "crates/oauth knows no HTTP: move this to crates/endpoints" }
}

/// Reports every forbidden dependency and every forbidden path in code that is not a test.
pub fn check(tree: &Tree) -> anyhow::Result<Vec<Finding>> {
    let root = DeTable::parse(&tree.root_manifest).context("Cargo.toml is not valid TOML")?;
    let mut findings = Vec::new();
    for manifest in &tree.manifests {
        findings.extend(check_manifest(manifest, root.get_ref())?);
    }
    for source in &tree.sources {
        findings.extend(check_source(source));
    }
    Ok(findings)
}

fn check_manifest(manifest: &Manifest, root: &DeTable<'_>) -> anyhow::Result<Vec<Finding>> {
    let Some(room) = room_of(&manifest.path) else { return Ok(Vec::new()) };
    let table = DeTable::parse(&manifest.text).with_context(|| format!("{} is not valid TOML", manifest.path))?;
    let mut findings = Vec::new();
    if allowed_from(room).is_none() {
        findings.push(Finding {
            path: manifest.path.clone(),
            line: 1,
            rule: RULE,
            message: format!("`{room}` is a room without arrows: add it to the table in xtask/src/tidy/arrows.rs"),
        });
    }
    for (offset, package) in dependencies(table.get_ref(), root) {
        if let Some(message) = objection(room, &package) {
            let line = line_at(&manifest.text, offset);
            findings.push(Finding { path: manifest.path.clone(), line, rule: RULE, message });
        }
    }
    Ok(findings)
}

/// What a finished build links: normal and build dependencies, also those of one target. Dev-dependencies are free.
fn dependencies(manifest: &DeTable<'_>, root: &DeTable<'_>) -> Vec<(usize, String)> {
    let per_target = manifest.get("target").and_then(|targets| targets.get_ref().as_table());
    let tables = std::iter::once(manifest)
        .chain(per_target.into_iter().flat_map(|targets| targets.values().filter_map(|t| t.get_ref().as_table())));
    tables
        .flat_map(|table| ["dependencies", "build-dependencies"].into_iter().filter_map(|kind| table.get(kind)))
        .filter_map(|dependencies| dependencies.get_ref().as_table())
        .flatten()
        .map(|(name, entry)| (name.span().start, package_of(name.get_ref(), entry.get_ref(), root)))
        .collect()
}

/// The package behind a dependency's name: a rename here, a rename in the workspace, or the name itself.
fn package_of(name: &str, entry: &DeValue<'_>, root: &DeTable<'_>) -> String {
    let rename = |entry: &DeValue<'_>| Some(entry.as_table()?.get("package")?.get_ref().as_str()?.to_owned());
    let in_workspace = || {
        let shared = root.get("workspace")?.get_ref().as_table()?.get("dependencies")?.get_ref().as_table()?;
        rename(shared.get(name)?.get_ref())
    };
    rename(entry).or_else(in_workspace).unwrap_or_else(|| name.to_owned())
}

fn check_source(source: &Source) -> Vec<Finding> {
    let Some(room) = room_of(&source.path) else { return Vec::new() };
    let code = &source.product_code;
    identifiers(code)
        .filter(|(offset, word)| names_a_crate(code, *offset, word))
        .filter_map(|(offset, word)| {
            let message = objection(room, &word.replace('_', "-"))?;
            Some(Finding { path: source.path.clone(), line: line_at(code, offset), rule: RULE, message })
        })
        .collect()
}

/// Whether the word starts a path (`word::`) or is imported (`use word`), and is not itself inside a longer path.
fn names_a_crate(code: &str, offset: usize, word: &str) -> bool {
    let before = code[..offset].trim_end();
    let after = code[offset + word.len()..].trim_start();
    let inside_a_path = before
        .strip_suffix("::")
        .is_some_and(|outer| outer.trim_end().ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '>'));
    let imported = matches!(before.rsplit(|c: char| !c.is_alphanumeric()).next(), Some("use" | "crate"));
    !inside_a_path && (after.starts_with("::") || imported)
}

/// Why `room` may not use `package`, if it may not.
fn objection(room: &str, package: &str) -> Option<String> {
    if let Some(target) = room_of_package(package) {
        let allowed = allowed_from(room)?;
        if target == room || allowed.contains(&target) {
            return None;
        }
        if target == "testkit" {
            return Some(format!("{room} → testkit: it serves tests only, make it a dev-dependency"));
        }
        let rooms = if allowed.is_empty() { "nothing of ours".to_owned() } else { allowed.join(", ") };
        return Some(format!(
            "{room} → {target} is forbidden, {room} may depend on {rooms}: move the code, or let crates/server join the two"
        ));
    }
    let fence = FENCES.iter().find(|fence| fence.krate == package)?;
    (!(fence.allows)(room)).then(|| format!("`{package}` in {room}: {}", fence.mend))
}

fn allowed_from(room: &str) -> Option<&'static [&'static str]> {
    ARROWS.iter().find(|(from, _)| *from == room).map(|(_, to)| *to)
}

/// The binary crate is called `valetkey`, every other room carries the prefix.
fn room_of_package(package: &str) -> Option<&str> {
    match package {
        "valetkey" => Some("server"),
        "xtask" => Some("xtask"),
        _ => package.strip_prefix("valetkey-"),
    }
}
