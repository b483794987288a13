//! How long a connection may take for what it is doing: wait for a request, send its head, or be busy with it.
//!
//! Hyper has one timeout for an idle connection and for a slow head. They are different things: a browser may rest
//! for a minute, but a head that takes a minute is an attack. So the edge looks at the bytes itself.

mod io;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::config::Limits;

pub(super) use io::Pulsed;

/// What a connection is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Nothing is under way.
    Idle,
    /// The head of a request is arriving.
    Head,
    /// So many requests are being answered.
    Busy(usize),
}

impl Phase {
    /// What took too long, for the log.
    pub fn complaint(self) -> &'static str {
        match self {
            Self::Idle => "no request came",
            Self::Head => "the request headers came too slowly",
            Self::Busy(_) => "the answer was not read",
        }
    }
}

struct State {
    phase: Phase,
    since: Instant,
    /// HTTP/2: bytes may arrive at any time and need not begin a request.
    multiplexed: bool,
}

/// The pulse of one connection, shared by its socket, its requests and its watchdog.
pub(super) struct Pulse {
    state: Mutex<State>,
    head: Duration,
    idle: Duration,
    busy: Duration,
}

impl Pulse {
    /// A fresh connection owes its first request at once.
    pub fn new(limits: &Limits) -> Arc<Self> {
        let (idle, request) = (limits.idle_timeout.duration(), limits.request_timeout.duration());
        Arc::new(Self {
            state: Mutex::new(State { phase: Phase::Head, since: Instant::now(), multiplexed: false }),
            head: limits.header_timeout.duration(),
            idle,
            // The request has its own timeout; beyond it only the reading of the answer can take time.
            busy: request + idle,
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bytes_arrived(&self) {
        let mut state = self.lock();
        if state.phase == Phase::Idle && !state.multiplexed {
            (state.phase, state.since) = (Phase::Head, Instant::now());
        }
    }

    /// A request begins; it ends when the guard is dropped.
    pub fn begin(self: &Arc<Self>, multiplexed: bool) -> Beat {
        let mut state = self.lock();
        let running = if let Phase::Busy(running) = state.phase { running } else { 0 };
        *state = State { phase: Phase::Busy(running + 1), since: Instant::now(), multiplexed };
        Beat(Arc::clone(self))
    }

    /// Forgives the time taken so far.
    pub fn restart(&self) {
        self.lock().since = Instant::now();
    }

    /// Whether the connection is HTTP/2, and can therefore be told that it ends.
    pub fn is_multiplexed(&self) -> bool {
        self.lock().multiplexed
    }

    fn deadline(&self) -> (Instant, Phase) {
        let state = self.lock();
        let allowed = match state.phase {
            Phase::Idle => self.idle,
            Phase::Head => self.head,
            Phase::Busy(_) => self.busy,
        };
        (state.since + allowed, state.phase)
    }

    /// Ends when the connection has taken too long. Safe to drop and call again.
    pub async fn expired(&self) -> Phase {
        // A phase that begins while this sleeps ends no earlier than the shortest phase from now, so nothing is missed
        // and nobody needs to wake the watchdog.
        let shortest = self.head.min(self.idle).min(self.busy);
        loop {
            let now = Instant::now();
            let (deadline, phase) = self.deadline();
            if deadline <= now {
                return phase;
            }
            sleep_until(deadline.min(now + shortest)).await;
        }
    }
}

/// One request under way.
pub(super) struct Beat(Arc<Pulse>);

impl Beat {
    /// The answer moves on: its reader is alive.
    pub fn progress(&self) {
        self.0.restart();
    }
}

impl Drop for Beat {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.phase = match state.phase {
            Phase::Busy(running) if running > 1 => Phase::Busy(running - 1),
            Phase::Busy(_) | Phase::Idle | Phase::Head => Phase::Idle,
        };
        state.since = Instant::now();
    }
}

#[cfg(test)]
mod tests;
