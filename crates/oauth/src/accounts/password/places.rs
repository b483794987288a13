//! Places where passwords are hashed: a thread and its memory each, there for as long as people sign in. Knows nothing of
//! passwords.
//!
//! A thread for each hash would be simpler. But who starts a thread and goes to sleep waits behind it, for milliseconds, when
//! something arrives; and 19 MiB that are new have to be mapped page by page, which takes a good part of the time of a hash.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use argon2::Block;
use zeroize::Zeroizing;

/// By so much the priority of a thread that hashes is lower than that of others. It takes what they leave, and a tenth of a
/// core if they leave nothing.
#[cfg(target_os = "linux")]
pub(super) const STEP_BACK: i32 = 10;
/// So long a thread waits for the next password before it goes, with its memory.
const STAYS: Duration = Duration::from_secs(1);

/// What is done in a place, with the memory that is there.
pub(super) type Job = Box<dyn FnOnce(&mut Memory) + Send>;

/// Blocks of memory that are used again and again, and wiped before they are given back.
#[derive(Default)]
pub(super) struct Memory(Zeroizing<Vec<Block>>);

impl Memory {
    /// At least so many blocks, with whatever was written there last: argon2 writes each before it reads it.
    pub(super) fn blocks(&mut self, count: usize) -> &mut [Block] {
        if self.0.len() < count {
            // A vector that grows would leave a copy behind.
            self.0 = Zeroizing::new(vec![Block::new(); count]);
        }
        &mut self.0
    }

    /// Gives back what goes beyond so many blocks.
    pub(super) fn shrink_to(&mut self, usual: usize) {
        if self.0.len() > usual {
            self.0 = Zeroizing::default();
        }
    }
}

/// The way to the thread of a place, if one is there.
type Desk = Arc<Mutex<Option<Sender<Job>>>>;

/// The places that are free, by number.
#[derive(Clone)]
pub(super) struct Places {
    free: Arc<Mutex<BTreeMap<usize, Desk>>>,
    stays: Duration,
}

impl Places {
    pub(super) fn new(count: usize) -> Self {
        Self::that_stay(count, STAYS)
    }

    /// Places whose threads wait for so long before they go.
    pub(super) fn that_stay(count: usize, stays: Duration) -> Self {
        let free = (0..count).map(|number| (number, Desk::default())).collect();
        Self { free: Arc::new(Mutex::new(free)), stays }
    }

    /// The free place with the lowest number.
    pub(super) fn take(&self) -> Option<Place> {
        let (number, desk) = lock(&self.free).pop_first()?;
        Some(Place { number, desk, all: self.clone() })
    }
}

/// A place that is taken, until it is dropped.
pub(super) struct Place {
    number: usize,
    desk: Desk,
    all: Places,
}

impl Place {
    /// Has it done by the thread of this place, which is started if it is not there.
    pub(super) fn give(&self, job: Job) -> io::Result<()> {
        let mut desk = lock(&self.desk);
        let job = match desk.as_ref() {
            None => job,
            Some(thread) => match thread.send(job) {
                Ok(()) => return Ok(()),
                // Its thread is gone without a word: a job has panicked.
                Err(SendError(job)) => job,
            },
        };
        self.open(&mut desk, job)
    }

    fn open(&self, desk: &mut Option<Sender<Job>>, job: Job) -> io::Result<()> {
        let (sender, jobs) = channel();
        let (number, stays, mine) = (self.number, self.all.stays, self.desk.clone());
        let work = move || {
            step_back(number);
            let mut memory = Memory::default();
            job(&mut memory);
            while let Some(job) = next(&jobs, stays, &mine) {
                job(&mut memory);
            }
        };
        Builder::new().name("password".to_owned()).spawn(work)?;
        *desk = Some(sender);
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.all.free).insert(self.number, self.desk.clone());
    }
}

/// What is to be done next, or nothing if the thread is to go. It says so at its desk, so that nothing is left there for it.
fn next(jobs: &Receiver<Job>, stays: Duration, desk: &Mutex<Option<Sender<Job>>>) -> Option<Job> {
    match jobs.recv_timeout(stays) {
        Ok(job) => Some(job),
        Err(RecvTimeoutError::Disconnected) => None,
        Err(RecvTimeoutError::Timeout) => {
            let mut desk = lock(desk);
            let last = jobs.try_recv().ok();
            if last.is_none() {
                *desk = None;
            }
            last
        }
    }
}

/// Nothing is left half done under these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets everyone else go first; on Linux, a priority is that of a thread. The first place keeps a share of a core, so that
/// people come in however busy the others are. All further ones run when nobody else wants to, and make room at once: a
/// thread that is merely less important ends its slice of some milliseconds first.
#[cfg(target_os = "linux")]
fn step_back(number: usize) {
    use thread_priority::{NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy};

    // Stays as it is where the system refuses the class.
    let _ = rustix::process::nice(STEP_BACK);
    if number > 0 {
        let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        let _ = thread_priority::set_thread_priority_and_policy(
            thread_priority::thread_native_id(),
            ThreadPriority::Min,
            idle,
        );
    }
}

#[cfg(not(target_os = "linux"))]
fn step_back(_number: usize) {}

#[cfg(test)]
mod tests;
