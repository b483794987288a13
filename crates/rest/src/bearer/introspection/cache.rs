//! Good answers, believed for a while. Knows digests of tokens, never tokens.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use aws_lc_rs::digest::{SHA256, digest};

use crate::bearer::Caller;

/// Tokens that are remembered; a service has fewer that are busy at once.
const SIZE: usize = 10_000;

pub(super) struct Cache {
    time: Duration,
    answers: Mutex<HashMap<[u8; 32], (Caller, Duration)>>,
}

impl Cache {
    pub(super) fn new(time: Duration) -> Self {
        Self { time, answers: Mutex::default() }
    }

    pub(super) fn find(&self, token: &str, now: Duration) -> Option<Caller> {
        let answers = self.lock();
        let (caller, until) = answers.get(&fingerprint(token))?;
        (*until > now).then(|| caller.clone())
    }

    pub(super) fn keep(&self, token: &str, caller: &Caller, now: Duration) {
        let end = caller.expires_at.and_then(|end| u64::try_from(end).ok()).map_or(Duration::MAX, Duration::from_secs);
        let until = end.min(now.saturating_add(self.time));
        let mut answers = self.lock();
        if answers.len() >= SIZE {
            answers.retain(|_, (_, until)| *until > now);
        }
        if answers.len() >= SIZE {
            // Asking again costs a question; remembering everything costs the memory.
            answers.clear();
        }
        answers.insert(fingerprint(token), (caller.clone(), until));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<[u8; 32], (Caller, Duration)>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn fingerprint(token: &str) -> [u8; 32] {
    let mut fingerprint = [0; 32];
    fingerprint.copy_from_slice(digest(&SHA256, token.as_bytes()).as_ref());
    fingerprint
}
