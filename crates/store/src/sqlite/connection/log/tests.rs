//! The log stays short however much is written, and hardly anybody who commits has to see to that.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::sqlite::connection::open;

const SHORT: Lengths = Lengths { worth: 40, long: 80, few: 10, most: 400, again: 5 };

/// What the first commit does that sees a log of so many pages, so many of which are in the file.
fn due(pages: u32, brought: u32) -> Due {
    Known { pages, tried: None }.due(SHORT, brought)
}

#[test]
fn a_commit_leaves_a_short_log_alone() {
    assert_eq!(due(39, 0), Due::Nothing);
    assert_eq!(due(79, 60), Due::Nothing);
}

#[test]
fn much_that_is_in_the_log_alone_comes_into_the_file_beside_those_who_write() {
    assert_eq!(due(40, 0), Due::Beside);
    assert_eq!(due(79, 30), Due::Beside);
}

#[test]
fn of_a_long_log_only_a_little_is_left_to_whoever_commits() {
    assert_eq!(due(90, 79), Due::Beside);
    assert_eq!(due(90, 80), Due::Here);
    assert_eq!(due(90, 90), Due::Here);
}

#[test]
fn what_the_thread_cannot_keep_short_comes_into_the_file_with_a_commit() {
    assert_eq!(due(399, 0), Due::Beside);
    assert_eq!(due(400, 0), Due::Here);
}

#[test]
fn what_a_long_read_has_held_up_is_brought_by_the_thread_first() {
    assert_eq!(due(1000, 599), Due::Beside);
    assert_eq!(due(1000, 600), Due::Here);
}

#[test]
fn where_the_log_could_not_start_over_a_few_commits_leave_it_alone() {
    let mut known = Known::default();
    let mut commit = |pages| {
        known.grows(pages);
        known.due(SHORT, pages)
    };

    assert_eq!([90, 92, 94, 95].map(&mut commit), [Due::Here, Due::Nothing, Due::Nothing, Due::Here]);
}

#[test]
fn a_log_that_has_started_over_is_another_one() {
    let mut known = Known::default();

    assert!(!known.grows(90));
    assert_eq!(known.due(SHORT, 90), Due::Here);
    assert!(known.grows(2));
    assert!(!known.grows(91));
    assert_eq!(known.due(SHORT, 91), Due::Here);
}

/// A file with a table, and whoever writes into it.
fn written(lengths: Option<Lengths>) -> (TempDir, PathBuf, Connection, Log) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.db");
    let mut writer = open(&path).unwrap();
    writer.pragma_update(None, "wal_autocheckpoint", 0).unwrap();
    writer.execute_batch("CREATE TABLE notes (text TEXT)").unwrap();
    let log = Log::open(&path).unwrap();
    if let Some(lengths) = lengths {
        log.mind(&mut writer, lengths).unwrap();
    }
    (folder, path, writer, log)
}

fn write(writer: &Connection, notes: u32) {
    for _ in 0..notes {
        writer.execute("INSERT INTO notes VALUES (hex(randomblob(1900)))", []).unwrap();
    }
}

/// In pages.
fn length(path: &Path) -> u64 {
    std::fs::metadata(path.with_extension("db-wal")).unwrap().len() / 4096
}

/// How often it has started over: SQLite writes that behind what the file is known by.
fn times_over(path: &Path) -> u32 {
    let mut head = [0; 16];
    File::open(path.with_extension("db-wal")).unwrap().read_exact(&mut head).unwrap();
    u32::from_be_bytes([head[12], head[13], head[14], head[15]])
}

#[test]
fn the_log_starts_over_again_and_again_while_somebody_writes() {
    let (_folder, path, writer, _log) = written(Some(SHORT));

    write(&writer, 3000);

    // While the thread is at it, a commit cannot be; how long that is depends on the disk. In all, three times as many were written.
    assert!(length(&path) <= 2000, "the log has {} pages", length(&path));
}

#[test]
fn the_thread_brings_in_so_much_that_a_commit_can_do_the_rest() {
    let lengths = Lengths { few: 40, most: u32::MAX, ..SHORT };
    let (_folder, path, writer, _log) = written(Some(lengths));
    let first = times_over(&path);

    let starts_over = (0..50_000).any(|_| {
        write(&writer, 1);
        times_over(&path) > first
    });

    assert!(starts_over, "the log has {} pages", length(&path));
}

#[test]
fn what_was_brought_beside_is_in_the_file() {
    let (folder, path, writer, log) = written(None);
    write(&writer, 5);

    let brought = log.bring().unwrap();

    assert!(brought.is_all(), "{brought:?}");
    let copy = folder.path().join("copy.db");
    std::fs::copy(&path, &copy).unwrap();
    let notes: i64 =
        Connection::open(&copy).unwrap().query_row("SELECT count(*) FROM notes", [], |row| row.get(0)).unwrap();
    assert_eq!(notes, 5);
}

#[test]
fn what_somebody_still_reads_stays_in_the_log_and_nobody_waits_for_it() {
    let (_folder, path, writer, log) = written(Some(SHORT));
    let reader = open_reader(&path, false).unwrap();
    reader.execute_batch("BEGIN; SELECT * FROM notes").unwrap();

    write(&writer, 600);

    assert!(log.bring().is_some_and(|brought| !brought.is_all()));
    let seen: i64 = reader.query_row("SELECT count(*) FROM notes", [], |row| row.get(0)).unwrap();
    assert_eq!(seen, 0);
    reader.execute_batch("COMMIT").unwrap();
    write(&writer, 3);
    assert!(log.bring().is_some_and(Brought::is_all));
}

#[test]
fn the_thread_ends_with_whoever_writes() {
    let (_folder, _path, writer, log) = written(Some(SHORT));
    let beside = Arc::downgrade(&log.0);

    drop((writer, log));

    let ends = (0..100_000_000).any(|_| {
        std::thread::yield_now();
        beside.upgrade().is_none()
    });
    assert!(ends);
}
