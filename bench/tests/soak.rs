//! A short soak on each engine: every flow is answered, and the verdict is reached. Whether it became slower is not looked
//! at: this is no place to measure.

#![allow(clippy::disallowed_methods, reason = "the environment says where PostgreSQL is")]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn soak(more: &[&str]) {
    let server = Path::new(env!("CARGO_BIN_EXE_valetkey-bench")).with_file_name("valetkey");
    if !server.is_file() {
        eprintln!("left out: there is no server beside the bench; cargo build -p valetkey makes one");
        return;
    }

    let run = Command::new(env!("CARGO_BIN_EXE_valetkey-bench"))
        .args(["soak", "--minutes", "0.2", "--slower", "1000", "--json"])
        .args(more)
        .arg("--binary")
        .arg(server)
        .output()
        .expect("the soak starts");

    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
    let report: Value = serde_json::from_slice(&run.stdout).expect("one JSON value");
    assert_eq!(report["good"], true, "{report}");
    assert!(report["answered"].as_u64() > Some(100), "{report}");
    assert!(report["samples"].as_array().is_some_and(|samples| samples.len() >= 6), "{report}");
}

#[test]
fn nothing_grows_in_a_short_soak_on_sqlite() {
    soak(&[]);
}

#[test]
fn nothing_grows_in_a_short_soak_on_postgresql() {
    let Ok(url) = std::env::var("VALETKEY_TEST_POSTGRES") else {
        eprintln!("left out: VALETKEY_TEST_POSTGRES names no PostgreSQL");
        return;
    };
    soak(&["--engine", "postgres", "--postgres", &url, "--seed", "2"]);
}
