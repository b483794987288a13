//! The document for a small world of packages, and for this workspace.

use std::path::Path;

use super::*;

fn package(name: &str, more: Value) -> Value {
    let mut package = json!({ "id": name, "name": name, "version": "1.0.0", "manifest_path": "/nowhere/Cargo.toml" });
    package.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    package
}

fn need(name: &str, kind: Value) -> Value {
    json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] })
}

/// valetkey runs with `engine`, is built with `tool` and tested with `bench`; `tool` itself runs with `part`.
fn world() -> Value {
    json!({
        "packages": [
            package("valetkey", json!({ "license": "Apache-2.0 OR MIT" })),
            package("engine", json!({ "license": "MIT/Apache-2.0", "version": "2.0.0+c1" })),
            package("tool", json!({})),
            package("part", json!({})),
            package("bench", json!({})),
        ],
        "resolve": { "nodes": [
            { "id": "valetkey", "deps": [need("engine", Value::Null), need("tool", json!("build")), need("bench", json!("dev"))] },
            { "id": "engine", "deps": [] },
            { "id": "tool", "deps": [need("part", Value::Null)] },
            { "id": "part", "deps": [] },
            { "id": "bench", "deps": [] },
        ] },
    })
}

fn everything() -> BTreeSet<(String, String)> {
    built("valetkey v1.0.0 (/house)\nengine v2.0.0+c1\ntool v1.0.0 (*)\npart v1.0.0 (proc-macro)\nbench v1.0.0\n")
}

fn find<'a>(document: &'a Value, name: &str) -> Option<&'a Value> {
    document["components"].as_array().unwrap().iter().find(|component| component["name"] == name)
}

#[test]
fn what_runs_is_inside_what_builds_is_not_and_what_tests_is_left_out() {
    let document = document(&world(), &everything(), &BTreeMap::new()).unwrap();

    assert_eq!(find(&document, "engine").unwrap()["scope"], "required");
    assert_eq!(find(&document, "tool").unwrap()["scope"], "excluded");
    assert_eq!(find(&document, "part").unwrap()["scope"], "excluded");
    assert!(find(&document, "bench").is_none());
    assert!(find(&document, "valetkey").is_none(), "it is what the document is about");
    assert_eq!(document["metadata"]["component"]["name"], "valetkey");
}

#[test]
fn what_no_feature_asks_for_is_left_out() {
    let mut built = everything();
    built.retain(|(name, _)| name != "engine");

    let document = document(&world(), &built, &BTreeMap::new()).unwrap();

    assert!(find(&document, "engine").is_none());
    assert!(!document["dependencies"].to_string().contains("engine"));
}

#[test]
fn a_component_has_a_package_url_an_spdx_expression_and_the_checksum_of_the_lock_file() {
    let checksums = checksums("[[package]]\nname = \"engine\"\nversion = \"2.0.0+c1\"\nchecksum = \"abc\"\n").unwrap();

    let document = document(&world(), &everything(), &checksums).unwrap();

    let engine = find(&document, "engine").unwrap();
    assert_eq!(engine["purl"], "pkg:cargo/engine@2.0.0%2Bc1");
    assert_eq!(engine["licenses"], json!([{ "expression": "MIT OR Apache-2.0" }]));
    assert_eq!(engine["hashes"], json!([{ "alg": "SHA-256", "content": "abc" }]));
}

#[test]
fn versions_of_c_code_are_read_in_either_notation() {
    let header = "#define SQLITE_VERSION        \"3.54.1\"\n#define MI_MALLOC_VERSION 30302   // digits\n";

    assert_eq!(bundled::version(header, "SQLITE_VERSION").as_deref(), Some("3.54.1"));
    assert_eq!(bundled::version(header, "MI_MALLOC_VERSION").as_deref(), Some("3.3.2"));
    assert_eq!(bundled::version(header, "SQLITE"), None);
}

#[test]
fn this_workspace_is_described_whole_and_alike_each_time() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();

    let first = describe(root, "x86_64-unknown-linux-gnu").unwrap();
    let second = describe(root, "x86_64-unknown-linux-gnu").unwrap();

    assert_eq!(first, second);
    for name in ["sqlite", "aws-lc", "mimalloc", "tokio", "rustls", "valetkey-oauth"] {
        assert_eq!(find(&first, name).unwrap_or_else(|| panic!("{name} is missing"))["scope"], "required");
    }
    assert!(find(&first, "ring").is_none(), "an optional dependency of others is not in the binary");
    let components = first["components"].as_array().unwrap();
    let references: Vec<_> = components.iter().map(|component| component["bom-ref"].as_str().unwrap()).collect();
    assert!(references.is_sorted() && references.windows(2).all(|pair| pair[0] != pair[1]));
    for component in components {
        assert!(component["licenses"][0]["expression"].is_string(), "{component} has no licence");
    }
    for entry in first["dependencies"].as_array().unwrap() {
        for need in entry["dependsOn"].as_array().unwrap() {
            assert!(references.contains(&need.as_str().unwrap()), "{need} is needed and not described");
        }
    }
}
