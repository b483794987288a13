//! SQLite passes the suite.

use tempfile::TempDir;
use valetkey_oauth::ports::Ports;
use valetkey_store::sqlite::{self, Sqlite};

fn fresh() -> Option<(Ports, TempDir)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("valetkey.db");
    sqlite::migrate(&path, |_, _, _| {}).unwrap();
    Some((Sqlite::open(&path).unwrap().ports(), folder))
}

valetkey_testkit::conformance!(fresh());
