//! Whether the system's lock of readers is held.
#![cfg(target_os = "linux")]

use std::os::unix::fs::MetadataExt;

use super::*;
use crate::sqlite::connection::open;

/// Does this process hold a lock of a reader?
fn is_locked(path: &Path) -> bool {
    let inode = std::fs::metadata(path.with_extension("db-shm")).unwrap().ino();
    let locks = std::fs::read_to_string("/proc/locks").unwrap();
    // Bytes 123 to 127 are those of readers.
    let of_readers = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.len() > 6 && words[5].ends_with(&format!(":{inode}")) && ("123".."128").contains(&words[6])
    };
    locks.lines().any(|line| of_readers(&line))
}

#[test]
fn while_it_is_down_the_lock_of_readers_is_held_and_else_it_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.db");
    let writer = open(&path).unwrap();
    writer.execute_batch("CREATE TABLE notes (number INTEGER)").unwrap();
    let anchor = Anchor::open(&path).unwrap();
    assert!(!is_locked(&path));

    anchor.drop_here();
    assert!(is_locked(&path));

    anchor.weigh();
    assert!(!is_locked(&path));
}
