//! The public vectors of JSON Patch: npm's `json-patch-test-suite`, unpacked where `VALETKEY_TEST_JSON_PATCH` says.

use std::{
    fs,
    io::{Write, stderr},
    path::PathBuf,
};

use http::{HeaderMap, HeaderValue, header};
use serde_json::Value;
use valetkey_rest::patch::Patch;

/// The folder of the vectors; `None` says why on standard error.
#[expect(clippy::disallowed_methods, reason = "tests are told by the environment which vectors are there")]
fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("VALETKEY_TEST_JSON_PATCH").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    if folder.is_none() {
        let _ = writeln!(stderr(), "skipped: needs npm's json-patch-test-suite; set VALETKEY_TEST_JSON_PATCH");
    }
    folder
}

fn patched(document: &Value, patch: &Value) -> Option<Value> {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json-patch+json"));
    Patch::read(&headers, patch.to_string().as_bytes()).ok()?.apply(document).ok()
}

#[test]
fn every_public_vector_gives_the_expected_document_or_none() {
    let Some(folder) = folder() else { return };
    let mut seen = 0;
    for file in ["spec_tests.json", "tests.json"] {
        let vectors: Vec<Value> = serde_json::from_slice(&fs::read(folder.join(file)).unwrap()).unwrap();
        // Two of the disabled ones repeat a key, which is gone once the file is read; that is `json`'s to test.
        for vector in vectors.iter().filter(|vector| vector["disabled"] != true && vector.get("patch").is_some()) {
            let result = patched(&vector["doc"], &vector["patch"]);

            match (vector.get("error"), vector.get("expected")) {
                (Some(_), _) => assert_eq!(result, None, "{vector}"),
                (None, Some(expected)) => assert_eq!(result.as_ref(), Some(expected), "{vector}"),
                (None, None) => assert!(result.is_some(), "{vector}"),
            }
            seen += 1;
        }
    }
    let _ = writeln!(stderr(), "{seen} vectors");
    assert!(seen > 90, "only {seen} vectors");
}
