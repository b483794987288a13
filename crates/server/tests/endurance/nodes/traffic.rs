//! What comes in through nginx while nodes come and go: reads and writes that cannot be repeated. Each answer is judged.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::Nodes;
use crate::chance::Chance;
use crate::house::{Registered, eventually};
use crate::told::HANGS;

const BREATH: Duration = Duration::from_millis(4);

/// What came of it.
#[derive(Debug, Default)]
pub struct Outcome {
    pub answered: usize,
    /// No answer, or one of nginx itself or of a node that could not do its work.
    pub failed: Vec<String>,
    /// Answers that contradict what was answered before.
    pub wrong: Vec<String>,
}

impl Outcome {
    fn add(&mut self, other: Self) {
        self.answered += other.answered;
        self.failed.extend(other.failed);
        self.wrong.extend(other.wrong);
    }
}

pub struct Traffic {
    stop: Arc<AtomicBool>,
    turns: Arc<AtomicUsize>,
    callers: JoinSet<Outcome>,
}

impl Traffic {
    /// So many callers; those with a session renew it again and again, which no proxy may repeat.
    pub async fn start(nodes: &Nodes, origin: &str, count: usize, chance: &mut Chance) -> Self {
        let (stop, turns) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        let mut callers = JoinSet::new();
        for number in 0..count {
            let tokens = nodes.app.tokens(&nodes.houses[0], &nodes.ada, &[]).await;
            let mut caller = Caller {
                http: reqwest::Client::builder().timeout(HANGS).build().unwrap(),
                origin: origin.to_owned(),
                app: nodes.app.client.clone(),
                till: nodes.till.clone(),
                token: nodes.houses[0].token(&nodes.till).await,
                refresh: tokens.refresh,
                mark: format!("t{}x{number}", chance.next() % 1_000_000),
                made: Vec::new(),
                chance: Chance::new(chance.next()),
                outcome: Outcome::default(),
            };
            let (stop, turns) = (stop.clone(), turns.clone());
            callers.spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    caller.work().await;
                    turns.fetch_add(1, Ordering::Relaxed);
                    // Nodes that start need the processor as well.
                    tokio::time::sleep(BREATH).await;
                }
                caller.outcome
            });
        }
        Self { stop, turns, callers }
    }

    /// Waits for so many turns more, however slow the machine is.
    pub async fn goes_on(&self, turns: usize) {
        let goal = self.turns.load(Ordering::Relaxed) + turns;
        eventually(Duration::from_secs(60), async || self.turns.load(Ordering::Relaxed) >= goal).await;
    }

    pub async fn end(self) -> Outcome {
        self.stop.store(true, Ordering::Relaxed);
        let mut all = Outcome::default();
        for outcome in self.callers.join_all().await {
            all.add(outcome);
        }
        all
    }
}

struct Caller {
    http: reqwest::Client,
    origin: String,
    app: Registered,
    till: Registered,
    token: String,
    /// Empty once a renewal failed: whether it was used up is then not known.
    refresh: String,
    mark: String,
    made: Vec<(String, u64)>,
    chance: Chance,
    outcome: Outcome,
}

impl Caller {
    async fn work(&mut self) {
        match self.chance.among(0..4) {
            0 => self.create().await,
            1 if !self.refresh.is_empty() => self.renew().await,
            2 if !self.made.is_empty() => self.look().await,
            _ => self.introspect().await,
        }
    }

    async fn create(&mut self) {
        let amount = u64::try_from(self.chance.among(0..1_000_000)).unwrap();
        let body = json!({ "amount": amount, "note": self.mark });
        let asked = self.http.post(format!("{}/api/orders", self.origin)).bearer_auth(&self.token).json(&body);
        if let Some(order) = self.ask(asked, 201).await {
            self.made.push((order["id"].as_str().unwrap().to_owned(), amount));
        }
    }

    async fn renew(&mut self) {
        let form = [("grant_type", "refresh_token"), ("refresh_token", &self.refresh)];
        let asked = self.http.post(format!("{}/token", self.origin)).form(&form);
        let answer = self.ask(asked.basic_auth(&self.app.id, Some(&self.app.secret)), 200).await;
        self.refresh = answer.map(|answer| answer["refresh_token"].as_str().unwrap().to_owned()).unwrap_or_default();
    }

    async fn look(&mut self) {
        let (id, amount) = self.made[self.chance.among(0..self.made.len())].clone();
        let asked = self.http.get(format!("{}/api/orders/{id}", self.origin)).bearer_auth(&self.token);
        if let Some(order) = self.ask(asked, 200).await
            && order["amount"] != amount
        {
            self.outcome.wrong.push(format!("{amount} was answered, and then {order}"));
        }
    }

    async fn introspect(&mut self) {
        let asked = self.http.post(format!("{}/introspect", self.origin)).form(&[("token", &self.token)]);
        if let Some(answer) = self.ask(asked.basic_auth(&self.till.id, Some(&self.till.secret)), 200).await
            && answer["active"] != true
        {
            self.outcome.wrong.push(format!("a good token is not: {answer}"));
        }
    }

    async fn ask(&mut self, request: RequestBuilder, expected: u16) -> Option<Value> {
        let (answer, path) = match request.build() {
            Ok(request) => {
                let path = format!("{} {}", request.method(), request.url().path());
                (self.http.execute(request).await, path)
            }
            Err(error) => panic!("{error}"),
        };
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                self.outcome.failed.push(format!("{path}: {error:?}"));
                tokio::time::sleep(Duration::from_millis(20)).await;
                return None;
            }
        };
        let status = answer.status().as_u16();
        let text = answer.text().await.unwrap_or_default();
        if status == expected {
            self.outcome.answered += 1;
            return serde_json::from_str(&text).ok();
        }
        let words = format!("{path}: {status} {}", text.chars().take(200).collect::<String>());
        if status >= 500 {
            self.outcome.failed.push(words)
        } else {
            self.outcome.wrong.push(words)
        }
        None
    }
}
