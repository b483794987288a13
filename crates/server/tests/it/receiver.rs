//! A server of someone else that gets our messages, and answers as the test wants.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use http::{HeaderMap, StatusCode};

use crate::house::eventually;

/// A message that came.
#[derive(Debug, Clone)]
pub struct Received {
    pub headers: HeaderMap,
    pub body: Bytes,
}

#[derive(Default)]
struct Desk {
    received: Vec<Received>,
    answers: VecDeque<StatusCode>,
}

/// Listens on a free port of loopback.
pub struct Receiver {
    pub url: String,
    desk: Arc<Mutex<Desk>>,
}

impl Receiver {
    /// One that answers with these, one after the other, and with 200 from then on.
    pub async fn answering(answers: &[StatusCode]) -> Self {
        let desk = Arc::new(Mutex::new(Desk { answers: answers.iter().copied().collect(), ..Desk::default() }));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let routes = Router::new().fallback(receive).with_state(desk.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Self { url, desk }
    }

    /// What came so far.
    pub fn received(&self) -> Vec<Received> {
        self.desk.lock().unwrap().received.clone()
    }

    /// Waits until so many came.
    pub async fn wait_for(&self, count: usize) -> Vec<Received> {
        eventually(Duration::from_secs(10), async || self.received().len() >= count).await;
        self.received()
    }
}

async fn receive(State(desk): State<Arc<Mutex<Desk>>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let mut desk = desk.lock().unwrap();
    desk.received.push(Received { headers, body });
    desk.answers.pop_front().unwrap_or(StatusCode::OK)
}
