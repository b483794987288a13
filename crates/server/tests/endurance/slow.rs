//! Clients that send one byte each second.

use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::house::{Engine, House, eventually};
use crate::process::Process;

const SLOW: usize = 200;

#[tokio::test]
async fn two_hundred_slow_clients_keep_nobody_waiting_and_are_cut() {
    let limits = [("VALETKEY_LIMITS_HEADER_TIMEOUT", "4s"), ("VALETKEY_LIMITS_REQUEST_TIMEOUT", "4s")];
    let house = House::with(Engine::Sqlite, &limits).await.unwrap();
    let server = Process(house.pid());
    let client = house.client("till", &[]);
    let token = house.token(&client).await;
    let before = server.open_files();
    let address = house.origin.strip_prefix("http://").unwrap().to_owned();

    let crawling: Vec<_> = (0..SLOW).map(|number| tokio::spawn(crawl(address.clone(), number % 2 == 0))).collect();
    eventually(Duration::from_secs(3), async || server.open_files() >= before + SLOW).await;
    let mut waits = Vec::new();
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(3) {
        let asked = Instant::now();
        assert_eq!(house.introspect(&client, &token).await["active"], true);
        waits.push(asked.elapsed());
    }

    waits.sort();
    let (middle, longest) = (waits[waits.len() / 2], waits[waits.len() - 1]);
    eprintln!("{} answers beside {SLOW} slow clients: p50 {middle:?}, longest {longest:?}", waits.len());
    assert!(waits.len() > 100 && middle < Duration::from_millis(100) && longest < Duration::from_secs(1));
    eventually(Duration::from_secs(10), async || server.open_files() <= before + 1).await;
    for client in crawling {
        assert!(client.await.unwrap() < 12, "a slow client was never cut");
    }
}

/// Sends a request byte by byte until the server has had enough; answers how many it took.
async fn crawl(address: String, has_head: bool) -> usize {
    let mut stream = TcpStream::connect(&address).await.unwrap();
    let head = head(&address);
    let mut sent = 0;
    if has_head {
        stream.write_all(head.as_bytes()).await.unwrap();
    }
    for byte in head.bytes().chain([b'a'; 1000]) {
        let byte = if has_head { b'a' } else { byte };
        if stream.write_all(&[byte]).await.is_err() {
            break;
        }
        sent += 1;
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    sent
}

fn head(address: &str) -> String {
    format!(
        "POST /introspect HTTP/1.1\r\nhost: {address}\r\ncontent-length: 1000\r\n\
         content-type: application/x-www-form-urlencoded\r\n\r\n"
    )
}

#[tokio::test]
async fn a_body_that_comes_too_slowly_is_told_once_on_its_route_and_under_the_id_that_its_client_got() {
    let house = House::with(Engine::Sqlite, &[("VALETKEY_LIMITS_REQUEST_TIMEOUT", "1s")]).await.unwrap();
    let address = house.origin.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let mut answer = String::new();

    stream.write_all(head(address).as_bytes()).await.unwrap();
    stream.read_to_string(&mut answer).await.unwrap();

    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    let id = answer.lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap();
    eventually(Duration::from_secs(5), async || house.log().contains(id)).await;
    let log = house.log();
    let told: Vec<Value> = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let told: Vec<_> = told.iter().filter(|line| line["method"] == "POST").collect();
    assert_eq!(told.len(), 1, "{log}");
    assert_eq!((&told[0]["status"], &told[0]["route"]), (&408.into(), &"/introspect".into()));
    assert_eq!((told[0]["request_id"].as_str(), told[0]["client_address"].as_str()), (Some(id), Some("127.0.0.1")));
    assert!(told[0]["elapsed_ms"].as_f64().unwrap() >= 1000.0);
}
