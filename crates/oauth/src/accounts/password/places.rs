//! Places where passwords are hashed: a thread and its memory each, there for as long as people sign in. Knows nothing of
//! passwords.
//!
//! A thread for each hash would be simpler. But who starts a thread and goes to sleep waits behind it, for milliseconds, when
//! something arrives; and 19 MiB that are new have to be mapped page by page, which takes a good part of the time of a hash.
//!
//! These threads run when nobody else wants to. On a machine that is busy with other things that may be never; so one more
//! thread, which has a share of a core, looks after what was begun, and does it again if it takes long.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use argon2::Block;
use zeroize::Zeroizing;

/// By so much the priority of the thread that looks after the others is lower than usual. It takes what is left, and a tenth
/// of a core if nothing is.
#[cfg(target_os = "linux")]
pub(super) const STEP_BACK: i32 = 10;
/// So long a thread waits for the next password before it goes, with its memory.
const STAYS: Duration = Duration::from_secs(1);
/// What took so long is done again: some ten times as long as it takes on a core of its own.
const LATE: Duration = Duration::from_millis(250);

/// What is done in a place, with the memory that is there. It may be done a second time, beside the first.
pub(super) type Job = Arc<dyn Fn(&mut Memory) -> Word + Send + Sync>;

/// How its outcome is told, once the place is free for the next one.
pub(super) type Word = Box<dyn FnOnce()>;

/// What a thread does next.
type Errand = Box<dyn FnOnce(&mut Memory) + Send>;

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

/// The way to a thread, if one is there.
#[derive(Clone, Default)]
struct Desk(Arc<Mutex<Option<Sender<Errand>>>>);

/// Who goes before a thread.
#[derive(Clone, Copy)]
enum Rank {
    /// Everyone.
    Last,
    /// Most.
    Low,
}

/// The places that are free, by number, and the desk of the one who looks after all.
#[derive(Clone)]
pub(super) struct Places {
    free: Arc<Mutex<BTreeMap<usize, Desk>>>,
    guard: Desk,
    stays: Duration,
    late: Duration,
}

impl Places {
    pub(super) fn new(count: usize) -> Self {
        let free = (0..count).map(|number| (number, Desk::default())).collect();
        Self { free: Arc::new(Mutex::new(free)), guard: Desk::default(), stays: STAYS, late: LATE }
    }

    /// The free place with the lowest number.
    pub(super) fn take(&self) -> Option<Place> {
        let (number, desk) = lock(&self.free).pop_first()?;
        Some(Place { number, desk, all: self.clone() })
    }

    /// Has it done, if all places are taken by what does not come to an end.
    pub(super) fn give(&self, job: Job) -> io::Result<()> {
        self.guard.give(Rank::Low, self.stays, Box::new(move |memory| job(memory)()))
    }
}

/// A place that is taken, until it is dropped.
pub(super) struct Place {
    number: usize,
    desk: Desk,
    all: Places,
}

impl Place {
    /// Has it done by the thread of this place, and by another one if that takes long.
    pub(super) fn give(self: &Arc<Self>, job: Job) -> io::Result<()> {
        let (begun, late) = (Instant::now(), self.all.late);
        let (done, heard) = channel::<()>();
        let (mine, again) = (self.clone(), job.clone());
        let first = move |memory: &mut Memory| {
            let word = job(memory);
            drop((mine, done));
            word();
        };
        self.desk.give(Rank::Last, self.all.stays, Box::new(first))?;
        let second = move |memory: &mut Memory| {
            if heard.recv_timeout(late.saturating_sub(begun.elapsed())) == Err(RecvTimeoutError::Timeout) {
                again(memory)();
            }
        };
        // Where no other thread can be had, it takes as long as it takes.
        let _ = self.all.guard.give(Rank::Low, self.all.stays, Box::new(second));
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.all.free).insert(self.number, self.desk.clone());
    }
}

impl Desk {
    /// Has it done by the thread, which is started if it is not there.
    fn give(&self, rank: Rank, stays: Duration, errand: Errand) -> io::Result<()> {
        let mut desk = lock(&self.0);
        let errand = match desk.as_ref() {
            None => errand,
            Some(thread) => match thread.send(errand) {
                Ok(()) => return Ok(()),
                // Its thread is gone without a word: a job has panicked.
                Err(SendError(errand)) => errand,
            },
        };
        let (sender, errands) = channel();
        let mine = self.clone();
        let work = move || {
            step_back(rank);
            let mut memory = Memory::default();
            errand(&mut memory);
            while let Some(errand) = next(&errands, stays, &mine.0) {
                errand(&mut memory);
            }
        };
        Builder::new().name("password".to_owned()).spawn(work)?;
        *desk = Some(sender);
        Ok(())
    }
}

/// What is to be done next, or nothing if the thread is to go. It says so at its desk, so that nothing is left there for it.
fn next(errands: &Receiver<Errand>, stays: Duration, desk: &Mutex<Option<Sender<Errand>>>) -> Option<Errand> {
    match errands.recv_timeout(stays) {
        Ok(errand) => Some(errand),
        Err(RecvTimeoutError::Disconnected) => None,
        Err(RecvTimeoutError::Timeout) => {
            let mut desk = lock(desk);
            let last = errands.try_recv().ok();
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

/// Lets others go first; on Linux, a priority is that of a thread. One that is merely less important ends its slice of some
/// milliseconds before another that wakes has its turn. One of the idle class makes room at once.
#[cfg(target_os = "linux")]
fn step_back(rank: Rank) {
    use thread_priority::{NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy};

    // Stays as it is where the system refuses the class.
    let _ = rustix::process::nice(STEP_BACK);
    if let Rank::Last = rank {
        let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
        let _ = thread_priority::set_thread_priority_and_policy(
            thread_priority::thread_native_id(),
            ThreadPriority::Min,
            idle,
        );
    }
}

#[cfg(not(target_os = "linux"))]
fn step_back(_rank: Rank) {}

#[cfg(test)]
mod tests;
