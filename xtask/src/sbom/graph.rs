//! Which packages a program is made of, as `cargo metadata` tells it.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;
use serde_json::Value;

/// One package, with what a reader of the document asks for.
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) description: Option<String>,
    pub(super) repository: Option<String>,
    pub(super) manifest: String,
    pub(super) features: Vec<String>,
    licence: Option<String>,
}

impl Package {
    /// The package URL, which is also its name in the document.
    pub(super) fn reference(&self) -> String {
        // A `+` of build metadata has a meaning in a URL.
        format!("pkg:cargo/{}@{}", self.name, self.version.replace('+', "%2B"))
    }

    /// The licence as an SPDX expression. Older manifests write `/` where they mean `OR`.
    pub(super) fn licence(&self) -> Option<String> {
        self.licence.as_ref().map(|text| text.split('/').map(str::trim).collect::<Vec<_>>().join(" OR "))
    }
}

/// What needs what.
pub(super) struct Graph {
    packages: BTreeMap<String, Package>,
    /// For each package, those it needs to run and those it needs to be built.
    edges: BTreeMap<String, (Vec<String>, Vec<String>)>,
}

impl Graph {
    /// The packages that are `built`, by name and version, and what they need of each other.
    pub(super) fn read(metadata: &Value, built: &BTreeSet<(String, String)>) -> anyhow::Result<Self> {
        let nodes = metadata["resolve"]["nodes"].as_array().context("cargo metadata resolved nothing")?;
        let mut edges: BTreeMap<String, (Vec<String>, Vec<String>)> = BTreeMap::new();
        let mut features = BTreeMap::new();
        for node in nodes {
            let id = text(&node["id"]).context("a node without a name")?;
            let (mut runs, mut builds) = (Vec::new(), Vec::new());
            for need in node["deps"].as_array().into_iter().flatten() {
                let Some(other) = text(&need["pkg"]) else { continue };
                let kinds: Vec<_> =
                    need["dep_kinds"].as_array().into_iter().flatten().map(|kind| &kind["kind"]).collect();
                if kinds.iter().any(|kind| kind.is_null()) {
                    runs.push(other);
                } else if kinds.iter().any(|kind| kind.as_str() == Some("build")) {
                    builds.push(other);
                }
            }
            let named = node["features"].as_array().into_iter().flatten().filter_map(text).collect();
            features.insert(id.clone(), named);
            edges.insert(id, (runs, builds));
        }
        let mut packages = BTreeMap::new();
        for package in metadata["packages"].as_array().context("cargo metadata names no packages")? {
            let id = text(&package["id"]).context("a package without a name")?;
            let read = Package {
                name: text(&package["name"]).context("a package without a name")?,
                version: text(&package["version"]).context("a package without a version")?,
                description: text(&package["description"])
                    .map(|words| words.split_whitespace().collect::<Vec<_>>().join(" ")),
                repository: text(&package["repository"]),
                manifest: text(&package["manifest_path"]).unwrap_or_default(),
                features: features.remove(&id).unwrap_or_default(),
                licence: text(&package["license"]),
            };
            if built.contains(&(read.name.clone(), read.version.clone())) {
                packages.insert(id, read);
            }
        }
        for (runs, builds) in edges.values_mut() {
            runs.retain(|id| packages.contains_key(id));
            builds.retain(|id| packages.contains_key(id));
        }
        Ok(Self { packages, edges })
    }

    pub(super) fn named(&self, name: &str) -> anyhow::Result<&str> {
        let found = self.packages.iter().find(|(_, package)| package.name == name);
        found.map(|(id, _)| id.as_str()).with_context(|| format!("there is no package {name}"))
    }

    pub(super) fn package(&self, id: &str) -> anyhow::Result<&Package> {
        self.packages.get(id).with_context(|| format!("cargo metadata does not describe {id}"))
    }

    pub(super) fn reference(&self, id: &str) -> Option<String> {
        self.packages.get(id).map(Package::reference)
    }

    /// What a package needs, to run and to be built.
    pub(super) fn needs(&self, id: &str) -> impl Iterator<Item = &str> {
        self.edges.get(id).into_iter().flat_map(|(runs, builds)| runs.iter().chain(builds)).map(String::as_str)
    }

    /// Everything below `program`, itself included, and whether it ends up inside the binary.
    pub(super) fn reach<'a>(&'a self, program: &'a str) -> anyhow::Result<BTreeMap<&'a str, bool>> {
        let mut reached: BTreeMap<&str, bool> = BTreeMap::new();
        let mut open = vec![(program, true)];
        while let Some((id, shipped)) = open.pop() {
            match reached.get(id) {
                Some(true) => continue,
                Some(false) if !shipped => continue,
                _ => {}
            }
            reached.insert(id, shipped);
            let (runs, builds) = self.edges.get(id).with_context(|| format!("cargo metadata does not resolve {id}"))?;
            open.extend(runs.iter().map(|other| (other.as_str(), shipped)));
            open.extend(builds.iter().map(|other| (other.as_str(), false)));
        }
        Ok(reached)
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}
