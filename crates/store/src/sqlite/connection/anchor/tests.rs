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

#[test]
fn while_others_write_it_is_up_and_their_log_starts_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.db");
    let other = open(&path).unwrap();
    other.execute_batch("CREATE TABLE notes (text TEXT)").unwrap();
    other.pragma_update(None, "wal_autocheckpoint", 20).unwrap();
    let anchor = Anchor::open(&path).unwrap();
    anchor.look();
    anchor.look();
    assert!(is_locked(&path));

    for _ in 0..200 {
        other.execute("INSERT INTO notes VALUES (hex(randomblob(2000)))", []).unwrap();
        anchor.look();
        assert!(!is_locked(&path));
    }

    let log = std::fs::metadata(folder.path().join("notes.db-wal")).unwrap().len();
    assert!(log < 60 * 4096, "the log has {log} bytes");
    anchor.look();
    assert!(is_locked(&path));
}
