//! A start that takes long: another process has the turn to bring the tables up to date.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Ended, unstarted};
use crate::house::{House, eventually};

const SOON: Duration = Duration::from_secs(20);

/// A server that has its port and its file, and waits for its turn until the second is dropped.
async fn held(house: &House, listen: SocketAddr) -> (Ended, File) {
    fs::create_dir(house.data()).unwrap();
    let turn = File::open(house.data()).unwrap();
    turn.lock().unwrap();
    let mut command = house.command(&["serve", "--listen", &listen.to_string()]);
    let server = Ended(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let has_its_file = || fs::read_dir(house.data()).unwrap().any(|file| is_lock(&file.unwrap().file_name()));
    eventually(SOON, async || has_its_file()).await;
    (server, turn)
}

fn is_lock(name: &std::ffi::OsStr) -> bool {
    name.to_string_lossy().ends_with(".lock")
}

fn free_port() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

#[tokio::test]
async fn nobody_is_let_in_before_the_start_is_done() {
    let (house, listen) = (unstarted().await, free_port());

    let (server, turn) = held(&house, listen).await;
    let early = TcpStream::connect(listen).map_err(|error| error.kind());
    drop(turn);

    assert_eq!(early.err(), Some(ErrorKind::ConnectionRefused));
    eventually(SOON, async || TcpStream::connect(listen).is_ok()).await;
    drop(server);
}

#[tokio::test]
async fn who_is_told_to_stop_while_it_starts_stops_at_once() {
    for signal in ["TERM", "INT"] {
        let house = unstarted().await;
        let (mut server, _turn) = held(&house, free_port()).await;

        let told = Command::new("kill").args(["-s", signal, &server.0.id().to_string()]).status().unwrap();

        assert!(told.success());
        eventually(SOON, async || server.0.try_wait().unwrap().is_some()).await;
        assert_eq!(server.0.wait().unwrap().code(), Some(143), "{signal}");
    }
}
