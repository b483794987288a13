//! A store in memory, for a service of one process. Forgets with it, and forgets the oldest when it is full.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use super::store::{Claim, KeptAnswer, Slot, Store, async_trait};
use crate::problem::Problem;

/// Keeps answers in memory.
#[derive(Debug)]
pub struct MemoryStore {
    size: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    entries: HashMap<Slot, Entry>,
    /// The claims in the order in which they came. May name some that are gone.
    order: VecDeque<(u64, Slot)>,
    /// The number of the next claim.
    next: u64,
}

#[derive(Debug)]
struct Entry {
    number: u64,
    fingerprint: [u8; 32],
    /// None while the work is being done.
    answer: Option<(KeptAnswer, Duration)>,
}

impl MemoryStore {
    /// Keeps at most so many answers.
    pub fn new(size: usize) -> Self {
        Self { size: size.max(1), state: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Lets the oldest go until there is room, and whatever is over at the front.
    fn make_room(&mut self, size: usize, now: Duration) {
        while let Some((number, slot)) = self.order.front() {
            let entry = self.entries.get(slot).filter(|entry| entry.number == *number);
            let over = match entry {
                None => true,
                Some(Entry { answer: Some((_, until)), .. }) => *until <= now,
                Some(Entry { answer: None, .. }) => false,
            };
            if !over && self.order.len() < size {
                break;
            }
            if entry.is_some() {
                let slot = slot.clone();
                self.entries.remove(&slot);
            }
            self.order.pop_front();
        }
    }

    fn enter(&mut self, slot: &Slot, fingerprint: [u8; 32]) {
        let number = self.next;
        self.next += 1;
        self.order.push_back((number, slot.clone()));
        self.entries.insert(slot.clone(), Entry { number, fingerprint, answer: None });
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn claim(&self, slot: &Slot, fingerprint: &[u8; 32], now: Duration) -> Result<Claim, Problem> {
        let mut state = self.lock();
        let claim = match state.entries.get(slot) {
            None => Claim::Granted,
            Some(Entry { answer: Some((_, until)), .. }) if *until <= now => Claim::Granted,
            Some(entry) if entry.fingerprint != *fingerprint => Claim::OtherRequest,
            Some(Entry { answer: Some((answer, _)), .. }) => Claim::Kept(answer.clone()),
            Some(Entry { answer: None, .. }) => Claim::Running,
        };
        if claim == Claim::Granted {
            state.make_room(self.size, now);
            state.enter(slot, *fingerprint);
        }
        Ok(claim)
    }

    async fn keep(&self, slot: &Slot, answer: KeptAnswer, until: Duration) -> Result<(), Problem> {
        if let Some(entry) = self.lock().entries.get_mut(slot) {
            entry.answer = Some((answer, until));
        }
        Ok(())
    }

    async fn release(&self, slot: &Slot) -> Result<(), Problem> {
        self.lock().entries.remove(slot);
        Ok(())
    }
}
