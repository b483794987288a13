//! Carries lines to a slow place without making anyone wait: a bounded buffer, and one thread that empties it.
//!
//! When the buffer is full, lines are dropped and counted. Requests are worth more than their log.

#[cfg(test)]
mod tests;

use std::{
    io::{self, Write},
    mem,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use prometheus_client::metrics::counter::Counter;

/// How much may wait: some five thousand lines.
const CAPACITY: usize = 1 << 20;

/// How long the thread waits for company before it writes. Waking it costs a request more than its line does, so it is
/// woken at most once in this time.
const LINGER: Duration = Duration::from_millis(5);

/// Takes lines. Cheap to clone; the thread ends with the last clone.
#[derive(Clone)]
pub struct Sink(Arc<Mouth>);

/// Its drop tells the thread that no line will come any more.
struct Mouth(Arc<Buffer>);

struct Buffer {
    state: Mutex<State>,
    changed: Condvar,
    dropped: Counter,
    capacity: usize,
}

#[derive(Default)]
struct State {
    waiting: Vec<u8>,
    asleep: bool,
    writing: bool,
    closed: bool,
}

impl Sink {
    /// Starts the thread that writes to `out`, and counts in `dropped` what it could not keep.
    pub fn start(out: impl Write + Send + 'static, dropped: Counter) -> io::Result<Self> {
        Self::with_capacity(out, dropped, CAPACITY)
    }

    /// Keeps at most `capacity` bytes waiting.
    pub fn with_capacity(out: impl Write + Send + 'static, dropped: Counter, capacity: usize) -> io::Result<Self> {
        let buffer = Arc::new(Buffer { state: Mutex::default(), changed: Condvar::new(), dropped, capacity });
        let theirs = buffer.clone();
        thread::Builder::new().name("log".to_owned()).spawn(move || theirs.empty_into(out))?;
        Ok(Self(Arc::new(Mouth(buffer))))
    }

    /// Waits until everything so far is written, or `most` has passed. Says which.
    pub fn flush(&self, most: Duration) -> bool {
        let buffer = &self.0.0;
        let busy = |state: &mut State| state.writing || !state.waiting.is_empty();
        let waited = buffer.changed.wait_timeout_while(buffer.lock(), most, busy);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

impl Sink {
    /// Takes one whole line, or drops it.
    pub(super) fn take(&self, line: &[u8]) {
        let buffer = &self.0.0;
        let mut state = buffer.lock();
        if state.waiting.len() + line.len() > buffer.capacity {
            buffer.dropped.inc();
            return;
        }
        state.waiting.extend_from_slice(line);
        let wake = mem::take(&mut state.asleep);
        drop(state);
        if wake {
            buffer.changed.notify_all();
        }
    }
}

impl Write for Sink {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.take(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Mouth {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.changed.notify_all();
    }
}

impl Buffer {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Each change to the state is complete before anything can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn empty_into(&self, mut out: impl Write) {
        let (mut taken, mut told) = (Vec::new(), 0);
        while self.take(&mut taken) {
            // An unwritable stderr leaves nobody to tell.
            out.write_all(&taken).and_then(|()| out.flush()).ok();
            taken.clear();
            self.lock().writing = false;
            self.changed.notify_all();
            let dropped = self.dropped.get();
            if dropped > mem::replace(&mut told, dropped) {
                tracing::warn!(target: "valetkey::server", dropped, "log lines were dropped, because stderr is slow");
            }
            thread::sleep(LINGER);
        }
    }

    /// Sleeps until lines wait and takes them all. False: nothing waits and nothing will come.
    fn take(&self, taken: &mut Vec<u8>) -> bool {
        let mut state = self.lock();
        while state.waiting.is_empty() {
            if state.closed {
                return false;
            }
            state.asleep = true;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.asleep = false;
        state.writing = true;
        mem::swap(&mut state.waiting, taken);
        true
    }
}
