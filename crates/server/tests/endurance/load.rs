//! Clients that take tokens and give most of them back, as fast as they can, and remember what they were told.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reqwest::Response;
use serde_json::Value;
use tokio::task::JoinSet;

use crate::house::{House, Registered, eventually};

/// One in so many tokens is kept, not revoked.
const KEPT: usize = 4;
/// Longer than anyone may have to wait; a request that hits this has hung.
const HANGS: Duration = Duration::from_secs(20);
/// A client whose request failed waits this long, so that it does not spin.
const BREATH: Duration = Duration::from_millis(10);

/// What the clients know for certain.
#[derive(Debug, Default)]
pub struct Tally {
    /// Tokens whose revocation was answered with 200.
    pub revoked: Vec<String>,
    /// Tokens nobody tried to revoke.
    pub kept: Vec<String>,
    /// How often each status came.
    pub statuses: BTreeMap<u16, usize>,
    /// Requests that got no answer at all.
    pub unanswered: usize,
    /// The longest anyone waited for an answer.
    pub longest: Duration,
    /// Answers that should not have been.
    pub complaints: Vec<String>,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.revoked.extend(other.revoked);
        self.kept.extend(other.kept);
        for (status, count) in other.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
        self.unanswered += other.unanswered;
        self.longest = self.longest.max(other.longest);
        self.complaints.extend(other.complaints);
    }

    pub fn count(&self, status: u16) -> usize {
        self.statuses.get(&status).copied().unwrap_or_default()
    }
}

/// Clients at work.
pub struct Load {
    stop: Arc<AtomicBool>,
    turns: Arc<AtomicUsize>,
    clients: JoinSet<Tally>,
}

impl Load {
    pub fn start(house: &House, client: &Registered, count: usize) -> Self {
        let (stop, turns) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        let mut clients = JoinSet::new();
        for _ in 0..count {
            let mut worker = Worker {
                http: reqwest::Client::builder().timeout(HANGS).build().unwrap(),
                origin: house.origin.clone(),
                client: Registered { id: client.id.clone(), secret: client.secret.clone() },
                tally: Tally::default(),
            };
            let (stop, turns) = (stop.clone(), turns.clone());
            clients.spawn(async move {
                let mut turn = 0;
                while !stop.load(Ordering::Relaxed) {
                    worker.work(turn % KEPT == 0).await;
                    turn += 1;
                    turns.fetch_add(1, Ordering::Relaxed);
                }
                worker.tally
            });
        }
        Self { stop, turns, clients }
    }

    /// Waits until the clients have been at work for so many turns in all, however slow the machine is.
    pub async fn reaches(&self, turns: usize) {
        eventually(HANGS, async || self.turns.load(Ordering::Relaxed) >= turns).await;
    }

    /// Lets each client finish what it is doing.
    pub async fn end(self) -> Tally {
        self.stop.store(true, Ordering::Relaxed);
        let mut all = Tally::default();
        for tally in self.clients.join_all().await {
            all.add(tally);
        }
        all
    }
}

struct Worker {
    http: reqwest::Client,
    origin: String,
    client: Registered,
    tally: Tally,
}

impl Worker {
    async fn work(&mut self, keep: bool) {
        let Some(answer) = self.post("/token", &[("grant_type", "client_credentials")]).await else { return };
        let Ok(answer) = answer.json::<Value>().await else { return };
        let token = answer["access_token"].as_str().unwrap().to_owned();
        if keep {
            self.tally.kept.push(token);
        } else if self.post("/revoke", &[("token", &token)]).await.is_some() {
            self.tally.revoked.push(token);
        }
    }

    /// The answer, if it is 200. Everything else is judged here.
    async fn post(&mut self, path: &str, form: &[(&str, &str)]) -> Option<Response> {
        let began = Instant::now();
        let request = self.http.post(format!("{}{path}", self.origin));
        let answer = request.basic_auth(&self.client.id, Some(&self.client.secret)).form(form).send().await;
        self.tally.longest = self.tally.longest.max(began.elapsed());
        let Ok(answer) = answer else {
            self.tally.unanswered += 1;
            tokio::time::sleep(BREATH).await;
            return None;
        };
        let status = answer.status().as_u16();
        *self.tally.statuses.entry(status).or_default() += 1;
        if status == 200 {
            return Some(answer);
        }
        if status != 503 || !is_unavailable(&answer) {
            self.tally.complaints.push(format!("{path}: {answer:?}"));
        }
        tokio::time::sleep(BREATH).await;
        None
    }
}

/// Is it the problem that tells a client to come again?
pub fn is_unavailable(answer: &Response) -> bool {
    let header = |name| answer.headers().get(name).and_then(|value| value.to_str().ok());
    answer.status() == 503
        && header("content-type") == Some("application/problem+json")
        && header("retry-after").is_some_and(|seconds| seconds.parse::<u32>().is_ok_and(|seconds| seconds >= 1))
}

/// Which of these tokens does introspection call active? Asks for many at once.
pub async fn active(house: &House, client: &Registered, tokens: &[String]) -> Vec<String> {
    const AT_ONCE: usize = 16;
    let mut asked = JoinSet::new();
    for part in tokens.chunks(tokens.len().div_ceil(AT_ONCE).max(1)) {
        let part = part.to_vec();
        let requests: Vec<_> =
            part.iter().map(|token| house.post("/introspect", client, &[("token", token)])).collect();
        asked.spawn(async move {
            let mut answers = Vec::new();
            for (request, token) in requests.into_iter().zip(part) {
                answers.push((token, request.send().await.unwrap().json::<Value>().await.unwrap()));
            }
            answers
        });
    }
    let is_active = |answer: &Value| {
        let is_active = answer["active"].as_bool();
        is_active.unwrap_or_else(|| panic!("{answer}\n{}", complaints(&house.log())))
    };
    let answers = asked.join_all().await.concat();
    answers.into_iter().filter(|(_, answer)| is_active(answer)).map(|(token, _)| token).collect()
}

/// What of a log is more than an account of requests.
fn complaints(log: &str) -> String {
    let is_one = |line: &&str| line.contains("\"level\":\"warn\"") || line.contains("\"level\":\"error\"");
    log.lines().filter(is_one).collect::<Vec<_>>().join("\n")
}
