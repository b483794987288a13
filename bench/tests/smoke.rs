//! The bench runs from start to report on a small store, in seconds, so that it cannot rot unnoticed. Its numbers are not
//! looked at: this is no place to measure.

#![allow(clippy::disallowed_methods, reason = "the environment says where PostgreSQL is")]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The server as the tests of the workspace build it; absent if only this crate is tested.
fn server() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_BIN_EXE_valetkey-bench")).with_file_name("valetkey");
    beside.is_file().then_some(beside)
}

fn bench(more: &[&str]) -> Option<Value> {
    let Some(server) = server() else {
        eprintln!("left out: there is no server beside the bench; cargo build -p valetkey makes one");
        return None;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let (json, html) = (folder.path().join("report.json"), folder.path().join("report.html"));

    let run = Command::new(env!("CARGO_BIN_EXE_valetkey-bench"))
        .args(["bench", "--resources", "200", "--seconds", "0.05", "--rounds", "1", "--connections", "4"])
        .args(if more.contains(&"--sessions") { &[][..] } else { &["--sessions", "200"] })
        .args(more)
        .arg("--binary")
        .arg(server)
        .arg("--json")
        .arg(&json)
        .arg("--html")
        .arg(&html)
        .output()
        .expect("the bench starts");

    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
    let page = std::fs::read_to_string(&html).expect("a page");
    assert!(page.contains("<table>") && !page.contains("<script"));
    assert!(page.contains("<svg") || more.contains(&"--only"));
    Some(serde_json::from_str(&std::fs::read_to_string(&json).expect("a report")).expect("JSON"))
}

fn assert_complete(report: &Value) {
    let works = report["works"].as_array().expect("works");
    assert_eq!(works.len(), 16);
    for work in works {
        let parties = work["parties"].as_array().expect("parties");
        assert!(parties.iter().all(|party| party["valid"] == true), "{work}");
        assert!(parties.iter().all(|party| party["rounds"][0]["answered"].as_u64() > Some(0)), "{work}");
        let waits = |party: &Value| ["p50_us", "p99_us", "most_us"].map(|wait| party["medians"][wait].as_f64());
        assert!(parties.iter().all(|party| waits(party)[0] > Some(0.0) && waits(party).is_sorted()), "{work}");
    }
}

/// The storm let people in, and each of the expensive requests was answered.
fn assert_found(report: &Value) {
    let findings = &report["findings"];
    let round = &findings["storm"]["rounds"][0];
    assert!(round["sign_ins"].as_f64() > Some(0.0), "{round}");
    assert!(round["hashes"].as_f64() > Some(0.0), "{round}");
    assert_eq!(findings["storm"]["complaint"], Value::Null);
    let costs = findings["worst"]["costs"].as_array().expect("costs");
    assert!(costs.len() > 100);
    for cost in costs {
        assert!((200..500).contains(&cost["status"].as_u64().unwrap_or(0)), "{cost}");
    }
}

#[test]
fn every_work_is_answered_as_expected_on_sqlite() {
    let Some(report) = bench(&[]) else { return };

    assert_complete(&report);
    assert_found(&report);
    assert!(report["ceilings"]["sqlite_inserts"].as_f64() > Some(0.0));
    assert!(report["sessions"]["rows"].as_u64() >= Some(200));
}

#[test]
fn every_work_is_answered_as_expected_on_postgresql() {
    let Ok(url) = std::env::var("VALETKEY_TEST_POSTGRES") else {
        eprintln!("left out: VALETKEY_TEST_POSTGRES names no PostgreSQL");
        return;
    };
    let Some(report) = bench(&["--engine", "postgres", "--postgres", &url]) else { return };

    assert_complete(&report);
    assert_found(&report);
    assert!(report["ceilings"]["postgres_reads"].as_f64() > Some(0.0));
}

#[test]
fn a_store_that_has_grown_is_compared_with_an_empty_one() {
    let Some(report) = bench(&["--growth", "--sessions", "1000"]) else { return };

    let works = report["works"].as_array().expect("works");
    let names: Vec<&str> = works.iter().filter_map(|work| work["work"].as_str()).collect();
    assert_eq!(names, ["introspection", "refresh", "get", "list", "list-new"]);
    assert!(works.iter().all(|work| work["rate_against_empty_store"].as_f64() > Some(0.0)), "{report}");
}

#[test]
fn a_subject_can_be_measured_alone() {
    let Some(report) = bench(&["--only", "worst"]) else { return };

    assert_eq!(report["works"].as_array().map(Vec::len), Some(0));
    assert_eq!(report["findings"]["storm"], Value::Null);
}
