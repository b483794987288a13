//! Whether the system's lock of readers is held, and what is in the file.
#![cfg(target_os = "linux")]

use std::ops::RangeInclusive;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::sqlite::connection::generation::Generation;
use crate::sqlite::connection::open;
use crate::sqlite::connection::outside::Outside;
use crate::sqlite::connection::writer::{Errand, run};

/// Does somebody hold a lock of one of these bytes? Those beside each other are told as one.
fn is_held(path: &Path, bytes: RangeInclusive<u32>) -> bool {
    let inode = std::fs::metadata(path.with_extension("db-shm")).unwrap().ino();
    let locks = std::fs::read_to_string("/proc/locks").unwrap();
    let is_one = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let byte = |place: usize| words.get(place).and_then(|word| word.parse::<u32>().ok());
        let is_ours = words.get(5).is_some_and(|file| file.ends_with(&format!(":{inode}")));
        let touches = |(first, last)| first <= *bytes.end() && last >= *bytes.start();
        is_ours && byte(6).zip(byte(7)).is_some_and(touches)
    };
    locks.lines().any(is_one)
}

/// That of a reader?
fn is_locked(path: &Path) -> bool {
    is_held(path, 123..=127)
}

/// That of who brings the log into the file?
fn is_brought_by_another(path: &Path) -> bool {
    is_held(path, 121..=121)
}

#[test]
fn while_it_is_down_the_lock_of_readers_is_held_and_else_it_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.db");
    let writer = open(&path).unwrap();
    writer.execute_batch("CREATE TABLE notes (number INTEGER)").unwrap();
    let anchor = Anchor::open(&path, Log::open(&path).unwrap()).unwrap();
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
    let anchor = Anchor::open(&path, Log::open(&path).unwrap()).unwrap();
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

/// Somebody has written a table, and an anchor is there.
fn written() -> (TempDir, PathBuf, Connection, Anchor) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.db");
    let writer = open(&path).unwrap();
    let anchor = Anchor::open(&path, Log::open(&path).unwrap()).unwrap();
    writer.execute_batch("CREATE TABLE notes (number INTEGER)").unwrap();
    (folder, path, writer, anchor)
}

#[test]
fn what_was_written_is_in_the_file_when_nobody_writes_any_more() {
    let (folder, path, writer, anchor) = written();
    writer.execute("INSERT INTO notes VALUES (7)", []).unwrap();
    let copy = folder.path().join("copy.db");
    let in_file = || {
        std::fs::copy(&path, &copy).unwrap();
        let copy = Connection::open(&copy).unwrap();
        copy.query_row("SELECT number FROM notes", [], |row| row.get::<_, i64>(0)).ok()
    };
    assert!(!anchor.look(), "somebody has written");
    assert_eq!(in_file(), None);

    assert!(anchor.look(), "there is something to settle");
    anchor.settle();

    assert_eq!(in_file(), Some(7));
    assert!(is_locked(&path));
    assert!(!anchor.look(), "it is settled");
    writer.execute("INSERT INTO notes VALUES (8)", []).unwrap();
    assert!(!anchor.look());
    assert!(anchor.look());
}

#[test]
fn what_somebody_still_reads_is_settled_later() {
    let (_folder, path, writer, anchor) = written();
    let reader = open_reader(&path, false).unwrap();
    reader.execute_batch("BEGIN; SELECT * FROM notes").unwrap();
    writer.execute("INSERT INTO notes VALUES (7)", []).unwrap();
    anchor.look();
    assert!(anchor.look());

    anchor.settle();

    assert!(anchor.look(), "an old state is still read");
    reader.execute_batch("COMMIT").unwrap();
    anchor.settle();
    assert!(!anchor.look());
}

#[test]
fn what_another_is_bringing_into_the_file_is_not_settled_yet() {
    let (_folder, path, _writer, anchor) = written();
    anchor.look();
    assert!(anchor.look());
    // Whoever wants the whole log for itself holds the lock of those who bring it into the file, and waits for readers.
    let other = {
        let path = path.clone();
        std::thread::spawn(move || {
            let other = open(&path).unwrap();
            other.query_row("PRAGMA wal_checkpoint(RESTART)", [], |row| row.get::<_, i64>(0)).unwrap()
        })
    };
    while !is_brought_by_another(&path) {
        assert!(!other.is_finished(), "nothing held it up");
        std::thread::yield_now();
    }

    anchor.settle();

    assert!(anchor.look(), "another is at it");
    anchor.weigh();
    other.join().unwrap();
}

#[test]
fn a_writer_that_only_looks_leaves_it_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.db");
    let (connection, anchor) = (open(&path).unwrap(), Anchor::open(&path, Log::open(&path).unwrap()).unwrap());
    let (errands, jobs) = tokio::sync::mpsc::channel(8);
    let (outside, of_writer) = (Outside::default(), Anchor(anchor.0.clone()));
    let there = outside.clone();
    let writer = std::thread::spawn(move || run(&connection, &of_writer, &Generation::default(), &there, jobs));
    outside.is_known(|| errands.try_send(Errand::Look).is_ok());
    while outside.is_asked() {
        std::thread::yield_now();
    }
    assert!(is_locked(&path));

    // As the watch, while others write.
    anchor.weigh();
    errands.try_send(Errand::Look).unwrap_or_else(|_| panic!("there is room"));
    drop(errands);
    writer.join().unwrap();

    assert!(!is_locked(&path));
}
