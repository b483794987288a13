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

/// Statuses to answer with, one for each message; the last one repeats.
type Manner = (Arc<Mutex<Vec<Received>>>, Arc<Vec<u16>>, Option<String>, String);

pub struct Receiver {
    pub address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Receiver {
    /// Listens and answers with these statuses in turn.
    pub async fn answering(statuses: &[u16]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self::on(listener, statuses, None, "")
    }

    /// The same, and says this each time.
    pub async fn saying(statuses: &[u16], words: &str) -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").await.unwrap(), statuses, None, words)
    }

    /// Listens and sends everyone elsewhere.
    pub async fn redirecting(to: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self::on(listener, &[307], Some(to.to_owned()), "")
    }

    /// Listens on an address that was free a moment ago.
    pub async fn at(address: SocketAddr) -> Self {
        Self::on(TcpListener::bind(address).await.unwrap(), &[204], None, "")
    }

    fn on(listener: TcpListener, statuses: &[u16], location: Option<String>, words: &str) -> Self {
        let received: Arc<Mutex<Vec<Received>>> = Arc::default();
        let address = listener.local_addr().unwrap();
        let state: Manner = (received.clone(), Arc::new(statuses.to_vec()), location, words.to_owned());
        let router = Router::new().fallback(receive).with_state(state);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, received }
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

async fn receive(
    State((received, statuses, location, words)): State<Manner>,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, HeaderMap, String) {
    let mut received = received.lock().unwrap();
    let status = statuses[received.len().min(statuses.len() - 1)];
    received.push(Received { headers, body });
    let mut answer = HeaderMap::new();
    if let Some(location) = location {
        answer.insert(LOCATION, location.parse().unwrap());
    }
    (StatusCode::from_u16(status).unwrap(), answer, words)
}
