//! Rotation under random concurrent schedules: whatever a store answers to callers at once, it must have been able to
//! answer to the same callers one after the other.
//!
//! Each schedule is a history of calls with their beginnings and ends. A search looks for an order that respects them
//! and in which the rules, applied to one session by hand, give the same answers.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use valetkey_oauth::model::{Session, SessionEnd, SessionId, SessionState};
use valetkey_oauth::ports::{Ending, KeptAnswer, Ports, Random, Rotation, RotationRules, RotationVerdict};

use crate::SeededRandom;
use crate::build::{opening, rotation, session};
use crate::clock::moment;

/// So many schedules, each on a session of its own.
const SCHEDULES: u64 = 80;
/// So many callers at once, and so many calls of each.
const CALLERS: usize = 4;
const CALLS: usize = 3;

/// What a caller does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    /// Presents a generation, perhaps under a key for retries.
    Rotate(u32, Option<u8>),
    /// Takes the session back.
    End,
}

/// What a caller sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Rotated(u32),
    Repeated(u32),
    Answered,
    Reused,
    Over,
    Unknown,
    EndedNow,
    EndedBefore,
}

#[derive(Debug, Clone, Copy)]
struct Call {
    act: Act,
    seen: Seen,
    begun: usize,
    done: usize,
}

pub async fn callers_at_once_see_what_callers_in_turn_could_see(ports: Ports) {
    for seed in 0..SCHEDULES {
        let rules = rules(seed);
        let first = session(u128::from(seed) + 1);
        ports.sessions.open(&first, &opening()).await.unwrap();

        let history = play(&ports, &first, &rules, seed).await;

        let model = Model { session: first.clone(), answers: HashSet::new() };
        assert!(explains(&model, &rules, &history), "schedule {seed} has no order: {history:?}");
        let rotated = history.iter().filter(|call| matches!(call.seen, Seen::Rotated(_))).count();
        let last = ports.sessions.find_session(first.id).await.unwrap().unwrap();
        assert_eq!(last.generation as usize, rotated + 1, "schedule {seed}: each rotation counts once: {history:?}");
    }
}

/// Every third schedule has a retry window.
fn rules(seed: u64) -> RotationRules {
    let mut rules = rotation(moment(10));
    rules.retry_since = seed.is_multiple_of(3).then(|| moment(0));
    rules
}

async fn play(ports: &Ports, first: &Session, rules: &RotationRules, seed: u64) -> Vec<Call> {
    let (time, gate) = (Arc::new(AtomicUsize::new(0)), Arc::new(tokio::sync::Barrier::new(CALLERS)));
    let mut callers = tokio::task::JoinSet::new();
    for caller in 0..CALLERS {
        let acts = acts(seed * 100 + caller as u64);
        let (ports, rules, id) = (ports.clone(), rules.clone(), first.id);
        let (time, gate) = (time.clone(), gate.clone());
        callers.spawn(async move {
            gate.wait().await;
            let mut calls = Vec::new();
            for act in acts {
                let begun = time.fetch_add(1, Ordering::SeqCst);
                let seen = perform(&ports, id, act, &rules).await;
                calls.push(Call { act, seen, begun, done: time.fetch_add(1, Ordering::SeqCst) });
            }
            calls
        });
    }
    callers.join_all().await.concat()
}

/// Mostly young generations, so that callers meet; sometimes an end.
fn acts(seed: u64) -> Vec<Act> {
    let random = SeededRandom::new(seed);
    let mut bytes = [0; CALLS * 2];
    random.fill(&mut bytes);
    let act = |pair: &[u8]| match (pair[0] % 16, pair[1]) {
        (0, _) => Act::End,
        (number, key) => Act::Rotate(u32::from(number % 4) + 1, (key % 2 == 0).then_some(key % 3)),
    };
    bytes.chunks(2).map(act).collect()
}

fn kept(session: SessionId, generation: u32, key: u8) -> KeptAnswer {
    let mut id = [0; 32];
    id[..16].copy_from_slice(session.0.as_bytes());
    (id[16], id[17]) = (u8::try_from(generation).unwrap(), key);
    KeptAnswer { id, sealed: id.to_vec(), expires_at: moment(60) }
}

async fn perform(ports: &Ports, id: SessionId, act: Act, rules: &RotationRules) -> Seen {
    match act {
        Act::End => match ports.sessions.end(id, SessionEnd::Revoked, rules.now, rules.tokens_until).await.unwrap() {
            Ending::Ended(_) => Seen::EndedNow,
            Ending::EndedBefore => Seen::EndedBefore,
            Ending::Unknown => Seen::Unknown,
        },
        Act::Rotate(generation, key) => {
            let answer = key.map(|key| kept(id, generation, key));
            let rules = RotationRules { answer: answer.clone(), ..rules.clone() };
            match ports.sessions.rotate(id, generation, &rules).await.unwrap() {
                Rotation::Rotated(session) => Seen::Rotated(session.generation),
                Rotation::Repeated(session) => Seen::Repeated(session.generation),
                Rotation::Answered(sealed) => {
                    assert_eq!(Some(sealed), answer.map(|answer| answer.sealed), "someone else's answer");
                    Seen::Answered
                }
                Rotation::Reused(session) => {
                    assert!(session.state != SessionState::Active, "a reuse ends the session");
                    Seen::Reused
                }
                Rotation::Ended(_) => Seen::Over,
                Rotation::Unknown => Seen::Unknown,
            }
        }
    }
}

/// One session and its kept answers, by hand.
#[derive(Clone)]
struct Model {
    session: Session,
    answers: HashSet<(u32, u8)>,
}

impl Model {
    fn apply(&mut self, act: Act, rules: &RotationRules) -> Seen {
        let Act::Rotate(generation, key) = act else {
            let was = self.session.state;
            self.end(SessionEnd::Revoked);
            return if was == SessionState::Active { Seen::EndedNow } else { Seen::EndedBefore };
        };
        if key.is_some_and(|key| self.answers.contains(&(generation, key))) {
            return Seen::Answered;
        }
        match rules.judge(&self.session, generation) {
            RotationVerdict::Unknown => Seen::Unknown,
            RotationVerdict::Ended => Seen::Over,
            RotationVerdict::Repeat => Seen::Repeated(self.session.generation),
            RotationVerdict::Reuse => {
                self.end(SessionEnd::RefreshReused);
                Seen::Reused
            }
            RotationVerdict::Advance => {
                self.session.generation += 1;
                self.session.used_at = rules.now;
                self.answers.extend(key.map(|key| (generation, key)));
                Seen::Rotated(self.session.generation)
            }
        }
    }

    fn end(&mut self, why: SessionEnd) {
        if self.session.state == SessionState::Active {
            self.session.state = SessionState::Ended(why);
        }
    }
}

/// Is there an order of these calls, in which none comes before one that was done when it began, that the model gives
/// the same answers to?
fn explains(model: &Model, rules: &RotationRules, left: &[Call]) -> bool {
    let first_done = left.iter().map(|call| call.done).min();
    left.is_empty()
        || left.iter().enumerate().filter(|(_, call)| Some(call.begun) < first_done).any(|(at, call)| {
            let mut next = model.clone();
            let mut rest = left.to_vec();
            rest.swap_remove(at);
            next.apply(call.act, rules) == call.seen && explains(&next, rules, &rest)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(act: Act, seen: Seen, begun: usize, done: usize) -> Call {
        Call { act, seen, begun, done }
    }

    fn is_explained(history: &[Call]) -> bool {
        let model = Model { session: session(1), answers: HashSet::new() };
        explains(&model, &rules(1), history)
    }

    #[test]
    fn two_winners_of_one_generation_have_no_order() {
        let won = Act::Rotate(1, None);

        assert!(is_explained(&[call(won, Seen::Rotated(2), 0, 2), call(won, Seen::Reused, 1, 3)]));
        assert!(!is_explained(&[call(won, Seen::Rotated(2), 0, 2), call(won, Seen::Rotated(2), 1, 3)]));
    }

    #[test]
    fn a_rotation_after_the_end_has_no_order_and_one_beside_it_has() {
        let (end, rotate) = (Act::End, Act::Rotate(1, None));

        assert!(is_explained(&[call(end, Seen::EndedNow, 0, 2), call(rotate, Seen::Rotated(2), 1, 3)]));
        assert!(!is_explained(&[call(end, Seen::EndedNow, 0, 1), call(rotate, Seen::Rotated(2), 2, 3)]));
    }
}
