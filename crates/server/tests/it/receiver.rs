//! A receiver of webhooks: a real listener that keeps what came and answers as it is told.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws_lc_rs::hmac;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, LOCATION};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::house::eventually;

/// `whsec_` and 32 bytes.
pub const SECRET: &str = "whsec_aGVyZS1hcmUtdGhpcnR5LXR3by1ieXRlcy1vZi1hLWtleQ==";

/// One message as it came.
#[derive(Clone)]
pub struct Received {
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Received {
    pub fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Checks the signature as a receiver does.
    pub fn is_signed(&self) -> bool {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &STANDARD.decode(&SECRET["whsec_".len()..]).unwrap());
        let mut signed = format!("{}.{}.", self.header("webhook-id"), self.header("webhook-timestamp")).into_bytes();
        signed.extend_from_slice(&self.body);
        let (version, signature) = self.header("webhook-signature").split_once(',').unwrap();
        version == "v1" && hmac::verify(&key, &signed, &STANDARD.decode(signature).unwrap()).is_ok()
    }
}

/// How messages are answered.
#[derive(Clone)]
struct Manner {
    received: Arc<Mutex<Vec<Received>>>,
    /// One for each message; the last one repeats.
    statuses: Arc<Vec<u16>>,
    location: Option<String>,
    words: String,
    /// Nobody is answered before.
    released: CancellationToken,
}

pub struct Receiver {
    pub address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    released: CancellationToken,
}

impl Receiver {
    /// Listens and answers with these statuses in turn.
    pub async fn answering(statuses: &[u16]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self::on(listener, statuses, None, "").released()
    }

    /// The same, and says this each time.
    pub async fn saying(statuses: &[u16], words: &str) -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").await.unwrap(), statuses, None, words).released()
    }

    /// Listens, keeps what comes, and answers 200 once it is released.
    pub async fn holding() -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").await.unwrap(), &[200], None, "")
    }

    /// Listens and sends everyone elsewhere.
    pub async fn redirecting(to: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self::on(listener, &[307], Some(to.to_owned()), "").released()
    }

    /// Listens on an address that was free a moment ago.
    pub async fn at(address: SocketAddr) -> Self {
        Self::on(TcpListener::bind(address).await.unwrap(), &[204], None, "").released()
    }

    fn on(listener: TcpListener, statuses: &[u16], location: Option<String>, words: &str) -> Self {
        let received: Arc<Mutex<Vec<Received>>> = Arc::default();
        let address = listener.local_addr().unwrap();
        let released = CancellationToken::new();
        let statuses = Arc::new(statuses.to_vec());
        let manner = Manner {
            received: received.clone(),
            statuses,
            location,
            words: words.to_owned(),
            released: released.clone(),
        };
        let router = Router::new().fallback(receive).with_state(manner);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, received, released }
    }

    fn released(self) -> Self {
        self.release();
        self
    }

    /// Answers whoever waits, and everyone from now on.
    pub fn release(&self) {
        self.released.cancel();
    }

    /// Where messages go. The path and the query are the receiver's secret.
    pub fn url(&self) -> String {
        format!("http://{}/hooks/s3cr3t-path?key=s3cr3t-query", self.address)
    }

    /// What came so far.
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// Waits until so many messages came.
    pub async fn receives(&self, count: usize) -> Vec<Received> {
        eventually(Duration::from_secs(20), async || self.received().len() >= count).await;
        self.received()
    }
}

async fn receive(State(manner): State<Manner>, headers: HeaderMap, body: Bytes) -> (StatusCode, HeaderMap, String) {
    let status = {
        let mut received = manner.received.lock().unwrap();
        received.push(Received { headers, body });
        manner.statuses[(received.len() - 1).min(manner.statuses.len() - 1)]
    };
    manner.released.cancelled().await;
    let mut answer = HeaderMap::new();
    if let Some(location) = manner.location {
        answer.insert(LOCATION, location.parse().unwrap());
    }
    (StatusCode::from_u16(status).unwrap(), answer, manner.words)
}
