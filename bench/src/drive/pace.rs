//! A steady load: so many requests a second, whether or not the server keeps up. It shows how long callers wait, which a load
//! that waits for its answers hides.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::{Lane, Run, gather};
use crate::wire::Line;

/// Sends so many requests a second, the lanes in turn; gives the lanes back for the next round.
pub async fn pace(to: SocketAddr, lanes: Vec<Box<dyn Lane>>, rate: f64, time: Duration) -> (Run, Vec<Box<dyn Lane>>) {
    let start = Instant::now();
    #[expect(clippy::cast_precision_loss)]
    let each = Duration::from_secs_f64(lanes.len() as f64 / rate);
    let count = u32::try_from(lanes.len()).unwrap_or(1).max(1);
    let steps = (0..).map(|number| each * number / count);
    let travels =
        lanes.into_iter().zip(steps).map(|(lane, first)| keep_time(to, lane, start + first, each, start + time));
    gather(start, travels).await
}

async fn keep_time(
    to: SocketAddr,
    mut lane: Box<dyn Lane>,
    mut due: Instant,
    each: Duration,
    until: Instant,
) -> (Run, Box<dyn Lane>) {
    let mut run = Run::default();
    let mut line = match Line::open(to, lane.from()).await {
        Ok(line) => line,
        Err(error) => return (Run { wrong: 1, complaint: Some(error.to_string()), ..run }, lane),
    };
    let mut request = Vec::with_capacity(2048);
    let mut free = Instant::now();
    while due < until {
        tokio::time::sleep_until(due.into()).await;
        request.clear();
        if !lane.next(&mut request) {
            break;
        }
        // A timer that is late is our own doing. That the answer before was late is the server's, and this caller waited too.
        let since = if free > due { due } else { Instant::now() };
        if !run.exchange(&mut line, &mut lane, &request).await {
            break;
        }
        free = Instant::now();
        run.latencies.push(u32::try_from((free - since).as_nanos()).unwrap_or(u32::MAX));
        due += each;
    }
    (run, lane)
}

#[cfg(test)]
mod tests;
