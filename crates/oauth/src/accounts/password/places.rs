//! Places where passwords are hashed: a thread and its memory each, there for as long as people sign in. Knows nothing of
//! passwords.
//!
//! A thread for each hash would be simpler. But who starts a thread and goes to sleep waits behind it, for milliseconds, when
//! something arrives; and 19 MiB that are new have to be mapped page by page, which takes a good part of the time of a hash.
//!
//! These threads run when nobody else wants to. On a machine that is busy with other things that may be never. So one more
//! thread, the guard, which has a share of a core, looks after what was begun, and does it again if it takes long. No thread of a
//! place holds a lock: others would wait for it as long.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::Builder;
use std::time::{Duration, Instant};

use argon2::Block;
use zeroize::Zeroizing;

/// By so much the priority of the guard is lower than usual. It takes what is left, and a tenth of a core if nothing is.
#[cfg(target_os = "linux")]
pub(super) const STEP_BACK: i32 = 10;
/// So long threads wait for the next password before they go, with their memory.
const STAYS: Duration = Duration::from_secs(1);
/// What took less than this is never late.
const LATE: Duration = Duration::from_millis(250);
/// What took so many times as long as it can take is late.
const TIMES: u64 = 8;

/// What is done in a place, with the memory that is there. It may be done a second time, beside the first; nothing comes of it
/// if it was done already.
pub(super) type Work = dyn Fn(&mut Memory) -> Option<Word> + Send + Sync;

/// How its outcome is told, once the place is free for the next one.
pub(super) type Word = Box<dyn FnOnce()>;

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

/// The places, and the one who looks after them.
#[derive(Clone)]
pub(super) struct Places(Arc<House>);

struct House {
    seats: Vec<Seat>,
    guard: Desk<Errand>,
    stays: Duration,
    late: Duration,
    /// The least time that a unit of work took, in nanoseconds; nothing is known yet if it is none.
    pace: AtomicU64,
}

#[derive(Default)]
struct Seat {
    is_taken: AtomicBool,
    desk: Desk<Task>,
}

/// What the thread of a place does next.
type Task = Box<dyn FnOnce(&mut Memory) + Send>;

/// What the guard is asked for.
enum Errand {
    /// Work without a place.
    Now(Arc<Work>),
    /// Work that was begun in a place and is late from then on, unless it is done and nobody has it any more.
    Watch(Instant, Weak<Work>),
}

impl Places {
    pub(super) fn new(count: usize) -> Self {
        Self::with(count, STAYS, LATE)
    }

    fn with(count: usize, stays: Duration, late: Duration) -> Self {
        let seats = (0..count).map(|_| Seat::default()).collect();
        Self(Arc::new(House { seats, guard: Desk::default(), stays, late, pace: AtomicU64::new(0) }))
    }

    /// The first place that is free.
    pub(super) fn take(&self) -> Option<Place> {
        let is_free = |seat: &Seat| !seat.is_taken.swap(true, Ordering::AcqRel);
        let number = self.0.seats.iter().position(is_free)?;
        Some(Place { number, house: self.0.clone() })
    }

    /// Has it done by the guard, where all places are taken by what does not come to an end.
    pub(super) fn give(&self, work: Arc<Work>) -> io::Result<()> {
        self.0.ask_guard(Errand::Now(work))
    }
}

/// A place that is taken, until it is dropped.
pub(super) struct Place {
    number: usize,
    house: Arc<House>,
}

impl Place {
    /// Has so much work done by the thread of this place, and by the guard as well if that takes long.
    pub(super) fn give(self: &Arc<Self>, work: Arc<Work>, weight: u64) -> io::Result<()> {
        let watch = Errand::Watch(Instant::now() + self.house.late(weight), Arc::downgrade(&work));
        let mine = self.clone();
        let task = move |memory: &mut Memory| {
            // In this order, so that the place is free first even if it panics.
            let work = work;
            let mine = mine;
            let begun = Instant::now();
            let word = work(memory);
            drop(work);
            if word.is_some() {
                mine.house.note(weight, begun.elapsed());
            }
            drop(mine);
            word.into_iter().for_each(|word| word());
        };
        let life = |tasks: Receiver<Task>| {
            step_back(Rank::Last);
            let mut memory = Memory::default();
            for task in tasks {
                // What panics is not answered, and harms no other.
                let _ = catch_unwind(AssertUnwindSafe(|| task(&mut memory)));
            }
        };
        self.house.seats[self.number].desk.give(Box::new(task), life)?;
        // Where no guard can be had, it takes as long as it takes.
        let _ = self.house.ask_guard(watch);
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.house.seats[self.number].is_taken.store(false, Ordering::Release);
    }
}

impl House {
    fn ask_guard(self: &Arc<Self>, errand: Errand) -> io::Result<()> {
        let house = self.clone();
        self.guard.give(errand, move |errands| house.watch(&errands))
    }

    /// The life of the guard. When it goes, so do the threads of the places, each when it is done.
    fn watch(&self, errands: &Receiver<Errand>) {
        step_back(Rank::Low);
        let (mut memory, mut watched) = (Memory::default(), VecDeque::new());
        while let Some(work) = self.next(errands, &mut watched) {
            let done = catch_unwind(AssertUnwindSafe(|| work(&mut memory)));
            done.into_iter().flatten().for_each(|word| word());
        }
        for seat in &self.seats {
            *lock(&seat.desk.0) = None;
        }
    }

    /// What the guard does next, or nothing if it is to go. It says so at its desk, so that nothing is left there for it.
    fn next(&self, errands: &Receiver<Errand>, watched: &mut VecDeque<(Instant, Weak<Work>)>) -> Option<Arc<Work>> {
        loop {
            let due = watched.front().map(|(late, _)| late.saturating_duration_since(Instant::now()));
            let errand = match (errands.recv_timeout(due.unwrap_or(self.stays)), watched.is_empty()) {
                (Ok(errand), _) => errand,
                (Err(RecvTimeoutError::Timeout), false) => {
                    match watched.pop_front().and_then(|(_, work)| work.upgrade()) {
                        Some(late) => return Some(late),
                        None => continue,
                    }
                }
                (Err(_), _) => {
                    let mut desk = lock(&self.guard.0);
                    let Ok(last) = errands.try_recv() else {
                        *desk = None;
                        return None;
                    };
                    last
                }
            };
            match errand {
                Errand::Now(work) => return Some(work),
                Errand::Watch(late, work) => watched.push_back((late, work)),
            }
        }
    }

    /// How long so much work has taken when it is late.
    fn late(&self, weight: u64) -> Duration {
        let usual = self.pace.load(Ordering::Relaxed).saturating_mul(weight);
        self.late.max(Duration::from_nanos(usual.saturating_mul(TIMES)))
    }

    fn note(&self, weight: u64, took: Duration) {
        let pace = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX) / weight.max(1);
        let least = |known: u64| (known == 0 || pace < known).then_some(pace);
        let _ = self.pace.fetch_update(Ordering::Relaxed, Ordering::Relaxed, least);
    }
}

/// The way to a thread, if one is there.
struct Desk<T>(Mutex<Option<Sender<T>>>);

impl<T> Default for Desk<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Send + 'static> Desk<T> {
    /// Gives it to the thread, which begins its life if it is not there.
    fn give(&self, errand: T, life: impl FnOnce(Receiver<T>) + Send + 'static) -> io::Result<()> {
        let mut desk = lock(&self.0);
        let errand = match desk.as_ref() {
            None => errand,
            Some(thread) => match thread.send(errand) {
                Ok(()) => return Ok(()),
                // Its thread is gone without a word.
                Err(SendError(errand)) => errand,
            },
        };
        let (sender, errands) = channel();
        let _ = sender.send(errand);
        Builder::new().name("password".to_owned()).spawn(move || life(errands))?;
        *desk = Some(sender);
        Ok(())
    }
}

/// Nothing is left half done under these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Who goes before a thread.
#[derive(Clone, Copy)]
enum Rank {
    /// Everyone.
    Last,
    /// Most.
    Low,
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
