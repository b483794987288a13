//! Attacks that only HTTP/2 knows: streams opened and reset at once, headers that never end, floods of small frames.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::house::{Engine, House, eventually};
use crate::process::Process;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// GET / over plain HTTP from the host `x`, in HPACK.
const REQUEST: [u8; 6] = [0x82, 0x86, 0x84, 0x41, 0x01, b'x'];
const CONNECTIONS: usize = 8;
const FRAMES: u32 = 50_000;
const MEMORY: u64 = 50 << 20;

const HEADERS: u8 = 1;
const RESET: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const CONTINUATION: u8 = 9;

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// Sends the frames that `next` makes until they are all sent or the server hangs up. Reads nothing before `reads`.
async fn flood(address: String, opening: Vec<u8>, next: fn(u32) -> Vec<u8>, reads: bool) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let (mut from, mut to) = stream.split();
    let sending = async {
        to.write_all(&[PREFACE, &frame(SETTINGS, 0, 0, &[]), &opening].concat()).await?;
        for batch in 0..FRAMES / 100 {
            let frames: Vec<u8> = (0..100).flat_map(|number| next(batch * 100 + number)).collect();
            to.write_all(&frames).await?;
        }
        to.shutdown().await
    };
    let reading = async {
        let mut buffer = [0; 4096];
        while reads && from.read(&mut buffer).await.is_ok_and(|length| length > 0) {}
        if !reads {
            std::future::pending::<()>().await;
        }
    };
    // Whoever does not read is stopped by a full socket, and gives up at some point.
    let _ = tokio::time::timeout(Duration::from_secs(4), async {
        tokio::select! {
            _ = sending => {}
            () = reading => {}
        }
    })
    .await;
}

async fn survives(opening: Vec<u8>, next: fn(u32) -> Vec<u8>, reads: bool) {
    let house = House::on(Engine::Sqlite).await.unwrap();
    let client = house.client("till", &[]);
    let token = house.token(&client).await;
    let server = Process(house.pid());
    let (files, memory) = (server.open_files(), server.memory());
    let address = house.origin.strip_prefix("http://").unwrap();
    let began = Instant::now();

    let mut attackers = JoinSet::new();
    for _ in 0..CONNECTIONS {
        attackers.spawn(flood(address.to_owned(), opening.clone(), next, reads));
    }
    let (mut longest, mut most, mut answers) = (Duration::ZERO, memory, 0);
    while !attackers.is_empty() {
        let asked = Instant::now();
        assert_eq!(house.introspect(&client, &token).await["active"], true);
        longest = longest.max(asked.elapsed());
        most = most.max(server.memory());
        answers += 1;
        while attackers.try_join_next().is_some() {}
    }

    eprintln!(
        "{answers} answers during {:?} of frames, longest wait {longest:?}, at most {} KiB more memory",
        began.elapsed(),
        (most - memory) >> 10
    );
    assert!(longest < Duration::from_secs(2), "{longest:?}");
    assert!(most - memory < MEMORY, "{} bytes more", most - memory);
    eventually(Duration::from_secs(10), async || server.open_files() <= files + 1).await;
    assert_eq!(house.introspect(&client, &token).await["active"], true);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_that_are_reset_at_once_keep_nobody_waiting() {
    let open_and_reset = |number: u32| {
        let stream = number * 2 + 1;
        [frame(HEADERS, 0x5, stream, &REQUEST), frame(RESET, 0, stream, &8_u32.to_be_bytes())].concat()
    };
    survives(Vec::new(), open_and_reset, true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_that_never_end_keep_nobody_waiting() {
    // One literal header in each frame, and no frame says that it is the last.
    let go_on = |_| frame(CONTINUATION, 0, 1, &[&[0, 1, b'x', 100], &[b'y'; 100][..]].concat());
    survives(frame(HEADERS, 0x1, 1, &REQUEST), go_on, true).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pings_whose_answers_nobody_reads_fill_no_memory() {
    survives(Vec::new(), |number| frame(PING, 0, 0, &u64::from(number).to_be_bytes()), false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_whose_answers_nobody_reads_fill_no_memory() {
    survives(Vec::new(), |number| frame(HEADERS, 0x5, number * 2 + 1, &REQUEST), false).await;
}

/// The floods would prove nothing if the server took their frames for nonsense.
#[tokio::test]
async fn a_request_made_of_these_frames_is_answered() {
    let house = House::on(Engine::Sqlite).await.unwrap();
    let mut stream = TcpStream::connect(house.origin.strip_prefix("http://").unwrap()).await.unwrap();
    let opening = [PREFACE, &frame(SETTINGS, 0, 0, &[]), &frame(HEADERS, 0x5, 1, &REQUEST)].concat();
    stream.write_all(&opening).await.unwrap();

    loop {
        let mut head = [0; 9];
        stream.read_exact(&mut head).await.unwrap();
        let mut payload = vec![0; usize::from(head[1]) << 8 | usize::from(head[2])];
        stream.read_exact(&mut payload).await.unwrap();
        if head[3] == HEADERS {
            // 0x88 is `:status: 200` in HPACK.
            assert!(head[8] == 1 && payload[0] == 0x88, "{head:?} {payload:?}");
            return;
        }
    }
}
