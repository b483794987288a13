//! What a client was told. An answer that says "come again" leaves open what happened, as does no answer at all.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use reqwest::RequestBuilder;
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::load::is_unavailable;

/// Longer than anyone may have to wait; a request that takes longer has hung.
pub const HANGS: Duration = Duration::from_secs(20);

/// An answer that settles what happened.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub fn word(&self, name: &str) -> String {
        self.json()[name].as_str().unwrap_or_else(|| panic!("no {name}: {self:?}")).to_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// This one, which must have one of these statuses.
    #[track_caller]
    pub fn expect(self, statuses: &[u16]) -> Self {
        assert!(statuses.contains(&self.status), "{statuses:?} expected: {} {}", self.status, self.text);
        self
    }
}

/// How requests went.
#[derive(Debug, Default)]
pub struct Counts {
    pub statuses: BTreeMap<u16, usize>,
    pub unanswered: usize,
    pub longest: Duration,
    /// Answers that should not have been.
    pub complaints: Vec<String>,
}

impl Counts {
    pub fn add(&mut self, other: Self) {
        for (status, count) in other.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
        self.unanswered += other.unanswered;
        self.longest = self.longest.max(other.longest);
        self.complaints.extend(other.complaints);
    }

    /// Sends; `None` leaves open what happened.
    pub async fn ask(&mut self, request: RequestBuilder) -> Option<Answer> {
        let began = Instant::now();
        let answer = request.timeout(HANGS).send().await;
        self.longest = self.longest.max(began.elapsed());
        let Ok(answer) = answer else {
            self.unanswered += 1;
            assert!(began.elapsed() < HANGS, "a request hung");
            return None;
        };
        let (status, headers, away) = (answer.status().as_u16(), answer.headers().clone(), is_unavailable(&answer));
        *self.statuses.entry(status).or_default() += 1;
        let Ok(text) = answer.text().await else {
            self.unanswered += 1;
            return None;
        };
        if status >= 500 && !away {
            self.complaints.push(format!("{status}: {text}"));
        }
        (status < 500).then_some(Answer { status, headers, text })
    }
}

/// Sends while nothing is wrong: there must be an answer, and it must settle things.
pub async fn calm(request: RequestBuilder) -> Answer {
    let mut counts = Counts::default();
    let answer = counts.ask(request).await;
    answer.unwrap_or_else(|| panic!("nothing was wrong, and still: {counts:?}"))
}
