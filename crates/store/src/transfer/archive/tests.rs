//! A backup that is not whole is never taken for one.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::transfer::digest::Counting;
use crate::transfer::value::encode;
use crate::transfer::{Row, Table, TransferError, Value};

fn header() -> Header {
    let columns = ["id", "document", "created_at"].map(str::to_owned).to_vec();
    let tables = vec![Table { name: "clients".to_owned(), columns, resource: None, rows: 3 }];
    Header {
        made_at: Timestamp::UNIX_EPOCH,
        written_by: "0".to_owned(),
        engine: "SQLite".to_owned(),
        inventory: Inventory { schema: 1, tables },
    }
}

fn rows() -> Vec<Row> {
    let row = |id: &str| vec![Value::Text(id.to_owned()), Value::Text("{}".to_owned()), Value::Integer(7)];
    ["a", "b", "c"].map(row).to_vec()
}

fn written(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("x.backup");
    let mut writer = ArchiveWriter::create(&path, &header()).unwrap();
    let mut counting = Counting::new();
    counting.add(&rows());
    writer.begin_table(0).unwrap();
    writer.rows(&rows()).unwrap();
    writer.end_table(&counting.end()).unwrap();
    writer.finish().unwrap();
    writer.publish(false).unwrap();
    path
}

async fn is_whole(bytes: &[u8], folder: &TempDir) -> bool {
    let path = folder.path().join("other.backup");
    fs::write(&path, bytes).unwrap();
    ArchiveReader::verify(&path).await.is_ok()
}

#[tokio::test]
async fn a_backup_is_closed_to_others_and_leaves_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();

    let path = written(&folder);

    let verified = ArchiveReader::verify(&path).await.unwrap();
    assert_eq!(verified.tables[0].1.rows, 3);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn a_backup_that_ends_early_anywhere_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(written(&folder)).unwrap();

    assert!(is_whole(&bytes, &folder).await);
    for end in 0..bytes.len() {
        assert!(!is_whole(&bytes[..end], &folder).await, "{end}");
    }
}

#[tokio::test]
async fn a_backup_with_one_other_byte_anywhere_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(written(&folder)).unwrap();

    for place in 0..bytes.len() {
        let mut other = bytes.clone();
        other[place] ^= 1;
        assert!(!is_whole(&other, &folder).await, "{place}");
    }
    assert!(!is_whole(&[&bytes[..], b"x"].concat(), &folder).await);
}

#[tokio::test]
async fn a_length_beyond_the_file_takes_no_memory_and_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(written(&folder)).unwrap();
    let head = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0 + 1;
    let mut other = bytes[..head].to_vec();
    other.push(TABLE);
    other.extend(u64::MAX.to_le_bytes());

    assert!(!is_whole(&other, &folder).await);
}

#[test]
fn names_that_are_not_ours_never_reach_a_statement() {
    let refused = |name: &str, column: &str| {
        let mut inventory = header().inventory;
        inventory.tables[0].name = name.to_owned();
        inventory.tables[0].columns.push(column.to_owned());
        matches!(inventory.check(), Err(TransferError::Damaged(_)))
    };

    assert!(!refused("clients", "more"));
    assert!(refused("clients\" ; DROP TABLE users; --", "more"));
    assert!(refused("pg_authid", "more"));
    assert!(refused("clients", "more\") VALUES (1); --"));
    assert!(refused("r_orders", "document"));
}

#[test]
fn a_file_that_is_there_stays_unless_it_is_to_be_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.backup");
    fs::write(&path, "mine").unwrap();

    let mut writer = ArchiveWriter::create(&path, &header()).unwrap();
    writer.finish().unwrap();
    let refused = writer.publish(false);
    let kept = fs::read_to_string(&path).unwrap();
    let mut writer = ArchiveWriter::create(&path, &header()).unwrap();
    writer.finish().unwrap();
    writer.publish(true).unwrap();

    assert!(matches!(refused, Err(TransferError::File { .. })));
    assert_eq!(kept, "mine");
    assert_ne!(fs::read(&path).unwrap(), b"mine");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn a_piece_with_more_rows_than_anyone_writes_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(written(&folder)).unwrap();
    let head = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0 + 1;
    let mut other = bytes[..head].to_vec();
    let mut piece = Vec::new();
    while piece.len() < 2 * PIECE {
        encode(&vec![Value::Null; 3], &mut piece);
    }
    for (kind, bytes) in [(TABLE, 0_u64.to_le_bytes().as_slice()), (ROWS, &piece)] {
        other.push(kind);
        other.extend((bytes.len() as u64).to_le_bytes());
        other.extend(bytes);
    }
    let path = folder.path().join("other.backup");
    fs::write(&path, other).unwrap();

    let refused = ArchiveReader::verify(&path).await.err().unwrap().to_string();

    assert!(refused.contains("too many rows"), "{refused}");
}

#[test]
fn what_a_killed_backup_left_goes_with_the_next_and_nothing_else_does() {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str| folder.path().join(name);
    let under_way = ArchiveWriter::create(&named("under-way.backup"), &header()).unwrap();
    fs::write(named("old.backup.part-1"), format!("{MAGIC}{FORMAT}\n")).unwrap();
    fs::write(named("film.part-1"), "a stranger's own, and none of our business").unwrap();
    fs::write(named("old.backup.part-copy"), format!("{MAGIC}{FORMAT}\n")).unwrap();

    let path = written(&folder);

    assert!(!named("old.backup.part-1").exists());
    assert!(under_way.draft().exists() && path.exists());
    assert!(named("film.part-1").exists() && named("old.backup.part-copy").exists());
}
