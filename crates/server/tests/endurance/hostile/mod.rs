//! Requests that nobody sends by accident: mutated, malformed, oversized, contradictory, cut short.

mod broken;
mod frames;
mod sound;
mod wire;

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::chance::Chance;
use crate::house::{Engine, House, Registered, eventually};
use crate::process::Process;
use sound::Sound;
use wire::{Wire, complaint};

const CONNECTIONS: usize = 48;
/// So many of a hundred requests cannot be read as HTTP, or at least should not be.
const BROKEN: usize = 25;
/// At most so many requests go out before the first answer is read.
const PIPELINED: usize = 8;
/// How long an attacker waits for an answer to half a request before hanging up.
const MOMENT: Duration = Duration::from_millis(150);
const MEMORY: u64 = 50 << 20;

/// What came of an attack.
#[derive(Default)]
struct Report {
    statuses: BTreeMap<u16, usize>,
    /// Hung up without a word: what HTTP does with bytes that are no request.
    silent: usize,
    complaints: Vec<String>,
}

impl Report {
    fn add(&mut self, other: Report) {
        for (status, count) in other.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
        self.silent += other.silent;
        self.complaints.extend(other.complaints);
    }

    fn complain(&mut self, why: &str, request: &[u8], more: &dyn std::fmt::Debug) {
        if self.complaints.len() < 5 {
            let shown = &request[..request.len().min(400)];
            self.complaints.push(format!("{why}: {more:?} to {:?}", String::from_utf8_lossy(shown)));
        }
    }
}

struct Attacker {
    address: String,
    client: Arc<Registered>,
    chance: Chance,
    left: Arc<AtomicUsize>,
    report: Report,
}

impl Attacker {
    async fn attack(mut self) -> Report {
        let mut wire = None;
        while let Some(count) = self.take(PIPELINED) {
            if self.chance.percent(BROKEN) {
                for _ in 0..count {
                    self.send_broken().await;
                }
            } else {
                let open = match wire.take() {
                    Some(open) => open,
                    None => Wire::connect(&self.address).await,
                };
                wire = self.send_sound(open, count).await;
            }
        }
        self.report
    }

    /// How many requests to send next; `None` when all are sent.
    fn take(&mut self, most: usize) -> Option<usize> {
        let wanted = self.chance.among(1..most + 1);
        let before = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| (left > 0).then(|| left.saturating_sub(wanted)));
        before.ok().map(|before| before.min(wanted))
    }

    /// Many requests at once, which HTTP can read. The connection, if it is still good.
    ///
    /// Each of them is answered, unless the server closed the connection rather than read a body that nobody wanted.
    /// What was sent behind such a body is lost, and does not count.
    async fn send_sound(&mut self, mut wire: Wire, count: usize) -> Option<Wire> {
        let requests: Vec<Sound> = (0..count).map(|_| sound::request(&mut self.chance, &self.client)).collect();
        let bytes: Vec<u8> = requests.iter().flat_map(|request| request.bytes.iter().copied()).collect();
        wire.send(&bytes).await;
        for (number, request) in requests.iter().enumerate() {
            match wire.answer(request.head).await {
                Ok(Some(answer)) => {
                    *self.report.statuses.entry(answer.status).or_default() += 1;
                    if let Some(why) = complaint(&answer, request.head, true) {
                        self.report.complain(why, &request.bytes, &answer);
                    }
                    wire.may_close |= request.has_body;
                }
                Err(error) if error.kind() == ErrorKind::TimedOut => {
                    self.report.complain("no answer", &request.bytes, &error);
                    return None;
                }
                ended if wire.may_close || request.has_body => {
                    drop(ended);
                    self.left.fetch_add(count - number, Ordering::Relaxed);
                    return None;
                }
                ended => {
                    self.report.complain("no answer", &request.bytes, &ended);
                    return None;
                }
            }
        }
        Some(wire)
    }

    /// One request that is broken as HTTP, on a connection of its own.
    async fn send_broken(&mut self) {
        let bytes = broken::request(&mut self.chance, &self.client);
        let head = bytes.starts_with(b"HEAD");
        let mut wire = Wire::connect(&self.address).await;
        wire.send(&bytes).await;
        match wire.answers(MOMENT, head).await {
            Ok(answers) => {
                self.report.silent += usize::from(answers.is_empty());
                for answer in answers {
                    *self.report.statuses.entry(answer.status).or_default() += 1;
                    if let Some(why) = complaint(&answer, head, false) {
                        self.report.complain(why, &bytes, &answer);
                    }
                }
            }
            Err(error) => self.report.complain("neither an answer nor an end", &bytes, &error),
        }
    }
}

async fn attack(house: &House, client: &Arc<Registered>, requests: usize, seed: u64) -> Report {
    let left = Arc::new(AtomicUsize::new(requests));
    let mut attackers = JoinSet::new();
    for number in 0..CONNECTIONS {
        let attacker = Attacker {
            address: house.origin.strip_prefix("http://").unwrap().to_owned(),
            client: client.clone(),
            chance: Chance::new(seed + u64::try_from(number).unwrap()),
            left: left.clone(),
            report: Report::default(),
        };
        attackers.spawn(attacker.attack());
    }
    let mut all = Report::default();
    for report in attackers.join_all().await {
        all.add(report);
    }
    all
}

async fn survives(requests: usize, seed: u64) {
    let house = House::on(Engine::Sqlite).await.unwrap();
    let client = Arc::new(house.client("till", &[]));
    let token = house.token(&client).await;
    let server = Process(house.pid());
    let quiet = server.open_files();
    // Caches, pools and buffers fill up first; what grows after that is a leak.
    let warm_up = attack(&house, &client, requests / 20, seed + 1_000_000).await;
    let memory = server.memory();
    let began = Instant::now();

    let report = attack(&house, &client, requests, seed).await;

    let grown = server.memory().saturating_sub(memory);
    eprintln!(
        "{requests} hostile requests in {:?}: {:?}, {} without an answer; memory {} KiB, then {} KiB more",
        began.elapsed(),
        report.statuses,
        report.silent,
        memory >> 10,
        grown >> 10
    );
    assert!(server.is_alive());
    assert_eq!([warm_up.complaints, report.complaints].concat(), [""; 0]);
    assert!(grown < MEMORY, "{grown} bytes more");
    eventually(Duration::from_secs(10), async || server.open_files() <= quiet + 1).await;
    assert_eq!(house.introspect(&client, &token).await["active"], true);
    assert!(!house.log().contains("panicked"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_thousand_hostile_requests_are_answered_without_harm() {
    survives(20_000, 7).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes; the shorter one runs each time"]
async fn a_hundred_thousand_hostile_requests_are_answered_without_harm() {
    survives(100_000, 70_000).await;
}
