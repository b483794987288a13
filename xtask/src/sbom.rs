//! `cargo xtask sbom`: what the binary is made of, as a CycloneDX document. Reads what cargo knows and the sources it has
//! fetched; the same lock file gives the same document.

mod bundled;
mod graph;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use graph::{Graph, Package};

/// The package whose binary is described.
const PROGRAM: &str = "valetkey";

/// The document for the workspace at `root`, for programs of `target`.
pub fn describe(root: &Path, target: &str) -> anyhow::Result<Value> {
    let metadata: Value = serde_json::from_str(&cargo(
        root,
        &["metadata", "--format-version", "1", "--locked", "--filter-platform", target],
    )?)
    .context("cargo metadata is not JSON")?;
    // The metadata has what any feature of any crate could ask for. The tree has what the program is built from.
    let tree = &["tree", "--package", PROGRAM, "--edges", "normal,build", "--target", target, "--prefix", "none"];
    let built = built(&cargo(root, &[&tree[..], &["--locked", "--format", "{p}"]].concat())?);
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).context("Cargo.lock cannot be read")?;
    document(&metadata, &built, &checksums(&lock)?)
}

/// What cargo says when it is asked so.
fn cargo(root: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    let told =
        Command::new("cargo").args(arguments).current_dir(root).output().context("cargo could not be started")?;
    if !told.status.success() {
        bail!("cargo {} failed: {}", arguments[0], String::from_utf8_lossy(&told.stderr).trim());
    }
    Ok(String::from_utf8(told.stdout)?)
}

/// Name and version of each line such as `tokio v1.54.0 (*)`.
fn built(tree: &str) -> BTreeSet<(String, String)> {
    let read = |line: &str| {
        let mut words = line.split_whitespace();
        Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
    };
    tree.lines().filter_map(read).collect()
}

/// The SHA-256 of each package that was fetched, by name and version.
fn checksums(lock: &str) -> anyhow::Result<BTreeMap<(String, String), String>> {
    let lock: toml::Table = lock.parse().context("Cargo.lock cannot be read")?;
    let text = |package: &toml::Value, key: &str| package.get(key).and_then(|value| value.as_str()).map(str::to_owned);
    let packages = lock.get("package").and_then(|list| list.as_array()).context("Cargo.lock names no packages")?;
    Ok(packages
        .iter()
        .filter_map(|package| Some(((text(package, "name")?, text(package, "version")?), text(package, "checksum")?)))
        .collect())
}

fn document(
    metadata: &Value,
    built: &BTreeSet<(String, String)>,
    checksums: &BTreeMap<(String, String), String>,
) -> anyhow::Result<Value> {
    let graph = Graph::read(metadata, built)?;
    let program = graph.named(PROGRAM)?;
    let reached = graph.reach(program)?;
    let mut components = Vec::new();
    let mut dependencies = Vec::new();
    for (id, shipped) in &reached {
        let package = graph.package(id)?;
        let mut needs: Vec<String> = graph.needs(id).filter_map(|id| graph.reference(id)).collect();
        for code in bundled::inside(package)? {
            needs.push(code.reference());
            dependencies.push(json!({ "ref": code.reference(), "dependsOn": [] }));
            components.push(code.component());
        }
        needs.sort();
        needs.dedup();
        dependencies.push(json!({ "ref": package.reference(), "dependsOn": needs }));
        if *id != program {
            let checksum = checksums.get(&(package.name.clone(), package.version.clone()));
            components.push(component(package, *shipped, checksum));
        }
    }
    let by = |key: &'static str| move |value: &Value| value[key].as_str().unwrap_or_default().to_owned();
    components.sort_by_key(by("bom-ref"));
    dependencies.sort_by_key(by("ref"));
    let mut subject = component(graph.package(program)?, true, None);
    subject["type"] = json!("application");
    Ok(json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": { "component": subject, "lifecycles": [{ "phase": "build" }] },
        "components": components,
        "dependencies": dependencies,
    }))
}

fn component(package: &Package, shipped: bool, checksum: Option<&String>) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": package.reference(),
        "name": package.name,
        "version": package.version,
        "purl": package.reference(),
        // What only builds others is listed, and said not to be inside.
        "scope": if shipped { "required" } else { "excluded" },
    });
    if let Some(text) = &package.description {
        component["description"] = json!(text);
    }
    if let Some(licence) = package.licence() {
        component["licenses"] = json!([{ "expression": licence }]);
    }
    if let Some(repository) = &package.repository {
        component["externalReferences"] = json!([{ "type": "vcs", "url": repository }]);
    }
    if let Some(checksum) = checksum {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    component
}
