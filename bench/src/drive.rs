//! The load: so many connections, each with one request on its way at any time, for so long. Counts what is wrong.

mod pace;

pub use pace::pace;

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use tokio::task::LocalSet;

use crate::wire::{Answer, Line};

/// What one connection sends and expects. Everything that costs time is done when it is made.
pub trait Lane {
    /// Appends the next request; `false` when there is nothing left to send.
    fn next(&mut self, out: &mut Vec<u8>) -> bool;

    /// Whether this is the answer that was expected.
    fn accepts(&mut self, answer: &Answer<'_>) -> bool;

    /// Which address of our own it calls from, if that matters.
    fn from(&self) -> Option<IpAddr> {
        None
    }
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Run {
    /// Answers as expected.
    pub answered: u64,
    /// Others, and connections that broke.
    pub wrong: u64,
    /// The first of those, in words.
    pub complaint: Option<String>,
    /// How long it took.
    pub seconds: f64,
    /// How long each answer took, in nanoseconds, in order of size.
    pub latencies: Vec<u32>,
}

impl Run {
    /// The latency that this share of all answers did not exceed, in microseconds.
    pub fn percentile(&self, share: f64) -> f64 {
        let last = self.latencies.len().saturating_sub(1);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let at = (share * last as f64).round() as usize;
        self.latencies.get(at).map_or(0.0, |nanos| f64::from(*nanos) / 1000.0)
    }

    /// Sends a request and judges its answer; `false` if the connection broke.
    async fn exchange(&mut self, line: &mut Line, lane: &mut Box<dyn Lane>, request: &[u8]) -> bool {
        match line.ask(request).await {
            Ok(answer) if lane.accepts(&answer) => self.answered += 1,
            Ok(answer) => {
                self.wrong += 1;
                self.complaint.get_or_insert_with(|| {
                    format!("{} {}", answer.status, answer.text().chars().take(300).collect::<String>())
                });
            }
            Err(error) => {
                self.wrong += 1;
                self.complaint.get_or_insert_with(|| error.to_string());
                return false;
            }
        }
        true
    }

    /// Takes in what other lanes found, or this one in another turn. Latencies are then in no order.
    pub fn add(&mut self, other: Self) {
        self.seconds += other.seconds;
        self.answered += other.answered;
        self.wrong += other.wrong;
        self.complaint = self.complaint.take().or(other.complaint);
        self.latencies.extend(other.latencies);
    }
}

/// Drives all lanes at once; gives them back for the next round.
pub async fn drive(to: SocketAddr, lanes: Vec<Box<dyn Lane>>, time: Duration) -> (Run, Vec<Box<dyn Lane>>) {
    let start = Instant::now();
    gather(start, lanes.into_iter().map(|lane| travel(to, lane, start + time))).await
}

/// Lets all lanes travel on this thread; answers with what came of it, and gives them back.
async fn gather<T>(start: Instant, travels: impl Iterator<Item = T>) -> (Run, Vec<Box<dyn Lane>>)
where
    T: Future<Output = (Run, Box<dyn Lane>)> + 'static,
{
    let together = LocalSet::new();
    let (mut whole, mut back) = (Run::default(), Vec::new());
    together
        .run_until(async {
            let tasks: Vec<_> = travels.map(tokio::task::spawn_local).collect();
            for task in tasks {
                match task.await {
                    Ok((run, lane)) => {
                        whole.add(run);
                        back.push(lane);
                    }
                    Err(error) => {
                        whole.wrong += 1;
                        whole.complaint.get_or_insert_with(|| error.to_string());
                    }
                }
            }
            whole.seconds = start.elapsed().as_secs_f64();
        })
        .await;
    whole.latencies.sort_unstable();
    (whole, back)
}

async fn travel(to: SocketAddr, mut lane: Box<dyn Lane>, until: Instant) -> (Run, Box<dyn Lane>) {
    let mut run = Run { latencies: Vec::with_capacity(1 << 14), ..Run::default() };
    let mut line = match Line::open(to, lane.from()).await {
        Ok(line) => line,
        Err(error) => return (Run { wrong: 1, complaint: Some(error.to_string()), ..run }, lane),
    };
    let mut request = Vec::with_capacity(2048);
    let mut before = Instant::now();
    while before < until {
        request.clear();
        if !lane.next(&mut request) {
            break;
        }
        if !run.exchange(&mut line, &mut lane, &request).await {
            break;
        }
        let now = Instant::now();
        run.latencies.push(u32::try_from((now - before).as_nanos()).unwrap_or(u32::MAX));
        before = now;
    }
    (run, lane)
}
