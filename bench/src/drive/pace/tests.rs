//! A steady load meets a server that pauses.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::pace;
use crate::work::lane;

/// Answers each request, the first one of each connection after a pause.
async fn pausing(listener: TcpListener, pause: Duration) {
    while let Ok((mut stream, _)) = listener.accept().await {
        tokio::task::spawn_local(async move {
            let mut inbox = [0; 1024];
            let mut is_first = true;
            while stream.read(&mut inbox).await.is_ok_and(|read| read > 0) {
                if std::mem::take(&mut is_first) {
                    tokio::time::sleep(pause).await;
                }
                if stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await.is_err() {
                    break;
                }
            }
        });
    }
}

#[tokio::test]
async fn callers_who_come_during_a_pause_have_waited_for_its_end() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let request = b"GET / HTTP/1.1\r\nhost: here\r\n\r\n".to_vec();
    let together = tokio::task::LocalSet::new();

    let (run, lanes) = together
        .run_until(async move {
            tokio::task::spawn_local(pausing(listener, Duration::from_millis(200)));
            pace(address, lane::repeat(vec![request], 1, 200), 50.0, Duration::from_millis(400)).await
        })
        .await;

    assert_eq!(lanes.len(), 1);
    assert_eq!((run.answered, run.wrong), (20, 0));
    // One request met the pause; those of the nine moments behind it came too late for the server, not for the callers.
    let late = run.latencies.iter().filter(|nanos| **nanos > 20_000_000).count();
    assert!(late >= 8, "{late} of {:?}", run.latencies);
}
