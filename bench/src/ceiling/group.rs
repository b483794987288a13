//! Callers that wait for a commit, each with one row at a time.

use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

/// Whoever waits for a row.
pub struct Waiting {
    pub done: oneshot::Sender<()>,
}

/// Bytes of one row, about those of a session.
pub const ROW: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\
                       0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// Lets so many callers ask for one row after the other; answers how many a second they got.
pub async fn ask(queue: mpsc::Sender<Waiting>, callers: usize, time: Duration) -> f64 {
    let start = Instant::now();
    let caller = || {
        let queue = queue.clone();
        async move {
            let mut count = 0_u64;
            while start.elapsed() < time {
                let (done, answer) = oneshot::channel();
                if queue.send(Waiting { done }).await.is_err() || answer.await.is_err() {
                    break;
                }
                count += 1;
            }
            count
        }
    };
    let tasks: Vec<_> = (0..callers).map(|_| tokio::spawn(caller())).collect();
    let mut sum = 0;
    for task in tasks {
        sum += task.await.unwrap_or_default();
    }
    #[expect(clippy::cast_precision_loss)]
    let rate = sum as f64 / start.elapsed().as_secs_f64();
    rate
}
