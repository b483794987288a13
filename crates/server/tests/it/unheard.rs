//! Commands whose words nobody can hear: a disk without room, a reader that has left.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, pipe};
use std::process::Stdio;
use std::time::Duration;

use crate::house::{Engine, House, eventually};

async fn unstarted() -> House {
    House::unstarted(Engine::Sqlite, &[]).await.unwrap()
}

/// A file on a disk without room.
fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

/// A pipe that nobody reads.
fn left() -> Stdio {
    pipe().unwrap().1.into()
}

const ANSWERED: [&[&str]; 7] = [
    &["client", "list"],
    &["client", "list", "--json"],
    &["config", "check"],
    &["config", "example"],
    &["completions", "bash"],
    &["--help"],
    &["audit", "list", "--json"],
];

#[tokio::test]
async fn an_answer_that_cannot_be_written_is_a_failure() {
    let house = unstarted().await;

    for command in ANSWERED {
        let ended = house.command(command).stdout(full()).stderr(Stdio::piped()).output().unwrap();
        let words = String::from_utf8(ended.stderr).unwrap();

        assert_eq!(ended.status.code(), Some(1), "{command:?}: {words}");
        assert!(words.starts_with("valetkey: ") && words.contains("standard output"), "{command:?}: {words}");
    }
}

#[tokio::test]
async fn a_reader_that_has_left_is_no_failure() {
    let house = unstarted().await;

    for command in ANSWERED {
        let ended = house.command(command).stdout(left()).stderr(Stdio::piped()).output().unwrap();

        assert_eq!(ended.status.code(), Some(0), "{command:?}");
        assert!(ended.stderr.is_empty(), "{command:?}: {}", String::from_utf8_lossy(&ended.stderr));
    }
}

#[tokio::test]
async fn complaints_that_nobody_hears_change_no_exit_code() {
    let house = unstarted().await;

    for nowhere in [|| full().into(), left] {
        let refused = house.command(&["client", "remove", "nobody"]).stderr(nowhere()).status().unwrap();
        let misspelt = house.command(&["clients"]).stderr(nowhere()).status().unwrap();

        assert_eq!((refused.code(), misspelt.code()), (Some(1), Some(2)));
    }
}

#[tokio::test]
async fn who_follows_the_record_ends_when_its_reader_leaves() {
    let house = unstarted().await;
    house.json(&["key", "rotate", "--now"]);
    let mut command = house.command(&["audit", "list", "--follow", "--json"]);
    let mut follower = command.stdout(Stdio::piped()).spawn().unwrap();

    let mut reader = BufReader::new(follower.stdout.take().unwrap());
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    drop(reader);

    assert!(line.starts_with('{'), "{line}");
    eventually(Duration::from_secs(20), async || follower.try_wait().unwrap().is_some()).await;
    assert_eq!(follower.wait().unwrap().code(), Some(0));
}
