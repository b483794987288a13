//! Those who ask for the same kind of thing at the same moment share a statement, and a commit if it changes something.
//!
//! Who comes first is on the way at once, and who comes while others are on their way goes with the next. So an idle server
//! answers as fast as ever, and a busy one asks less often.
//!
//! Where commits take long, whoever was just answered would come back a moment after the next one has left, and those who ask
//! would part into two halves that wait for each other. So there the next one stays for as many as there were, for a moment.

use std::ops::RangeInclusive;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, timeout, timeout_at};
use valetkey_oauth::ports::StoreError;

/// Who took longer than this does not keep the others waiting: they go another way beside it.
const PATIENCE: Duration = Duration::from_millis(100);

/// How often one who leaves looks around for others. A round is short: whatever is ready to run has its turn.
const ROUNDS: usize = 4;

/// Where a statement takes so long until it is committed, one goes at a time, and the next one stays for as many as were there.
const LONG: Duration = Duration::from_millis(2);
/// If they are so many: for fewer, a commit of their own costs less than waiting.
const MANY: usize = 8;
/// It stays for this part of what the last one took, within these bounds. The clock counts whole milliseconds, and may be one late.
const SHARE: u32 = 4;
const STAYS: RangeInclusive<Duration> = Duration::from_millis(1)..=Duration::from_millis(5);

type Asked<A> = Pin<Box<dyn Future<Output = Result<Vec<A>, StoreError>> + Send>>;
type Caller<A> = oneshot::Sender<Result<A, StoreError>>;
type Ask<Q, A> = Box<dyn Fn(Vec<Q>) -> Asked<A> + Send + Sync>;

/// Questions of one kind. What answers them gets some, and gives as many answers in the same order.
pub(in crate::postgres) struct Gathering<Q, A>(Arc<Place<Q, A>>);

struct Place<Q, A> {
    ask: Ask<Q, A>,
    bounds: Bounds,
    crowd: Mutex<Crowd<Q, A>>,
    /// All are there who are worth staying for.
    complete: Notify,
}

/// How much happens at once.
#[derive(Debug, Clone, Copy)]
pub(in crate::postgres) struct Bounds {
    /// So many statements are on their way at once.
    pub(in crate::postgres) ways: usize,
    /// So many questions are asked with one statement.
    pub(in crate::postgres) most: usize,
    /// Does a statement end with a commit?
    pub(in crate::postgres) commits: bool,
}

struct Crowd<Q, A> {
    waiting: Vec<Waiting<Q, A>>,
    /// How many are on their way, or about to be.
    under_way: usize,
    /// Is one about to take all who wait?
    is_leaving: bool,
    /// Whom the next one stays for, if the last one took long.
    company: Option<Company>,
}

/// As many as were there when the last one came back.
#[derive(Debug, Clone, Copy)]
struct Company {
    count: usize,
    until: Instant,
}

struct Waiting<Q, A> {
    question: Q,
    caller: Caller<A>,
}

impl<Q: Send + 'static, A: Send + 'static> Gathering<Q, A> {
    /// Asks in this way.
    pub(in crate::postgres) fn new<F>(bounds: Bounds, ask: impl Fn(Vec<Q>) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Vec<A>, StoreError>> + Send + 'static,
    {
        let ask: Ask<Q, A> = Box::new(move |questions| Box::pin(ask(questions)));
        let crowd = Mutex::new(Crowd { waiting: Vec::new(), under_way: 0, is_leaving: false, company: None });
        Self(Arc::new(Place { ask, bounds, crowd, complete: Notify::new() }))
    }

    /// Asks, together with whoever else does.
    pub(in crate::postgres) async fn ask(&self, question: Q) -> Result<A, StoreError> {
        let (caller, answer) = oneshot::channel();
        self.0.enter(Waiting { question, caller });
        self.0.send();
        answer.await.unwrap_or_else(|_| Err(StoreError::Unavailable("nobody is left to ask".to_owned())))
    }
}

impl<Q, A> Crowd<Q, A> {
    /// Is somebody missing whom the next one stays for?
    fn is_waited_for(&self) -> bool {
        self.company.is_some_and(|company| self.waiting.len() < company.count)
    }

    /// How many may be on their way at once.
    fn ways(&self, bounds: Bounds) -> usize {
        if self.company.is_some() { 1 } else { bounds.ways }
    }

    /// One came back that so many went with, after so long.
    fn note(&mut self, bounds: Bounds, went: usize, took: Duration) {
        let count = went + self.waiting.len();
        let until = Instant::now() + (took / SHARE).clamp(*STAYS.start(), *STAYS.end());
        // More than one statement carries go in two ways at once.
        let is_company = bounds.commits && took >= LONG && (MANY..=bounds.most).contains(&count);
        self.company = is_company.then_some(Company { count, until });
    }
}

impl<Q: Send + 'static, A: Send + 'static> Place<Q, A> {
    fn crowd(&self) -> MutexGuard<'_, Crowd<Q, A>> {
        self.crowd.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, waiting: Waiting<Q, A>) {
        let mut crowd = self.crowd();
        crowd.waiting.push(waiting);
        if crowd.company.is_some() && !crowd.is_waited_for() {
            self.complete.notify_one();
        }
    }

    /// Sends those who wait on their way, if there is one.
    fn send(self: &Arc<Self>) {
        let mut crowd = self.crowd();
        if crowd.waiting.is_empty() || crowd.is_leaving || crowd.under_way >= crowd.ways(self.bounds) {
            return;
        }
        crowd.is_leaving = true;
        crowd.under_way += 1;
        drop(crowd);
        // A task of its own: a caller who goes away must not take the others along.
        tokio::spawn(Turn { place: self.clone(), has_left: false }.go());
    }

    /// Lets those who are about to ask do so: until a round brought nobody new.
    async fn gather(&self) {
        let mut before = 0;
        for _ in 0..ROUNDS {
            tokio::task::yield_now().await;
            let now = self.crowd().waiting.len();
            if now == before || now >= self.bounds.most {
                break;
            }
            before = now;
        }
        let company = self.crowd().company;
        if let Some(Company { until, .. }) = company {
            // Whoever is not there by then goes with a later one.
            let _ = timeout_at(until, self.complete()).await;
        }
    }

    async fn complete(&self) {
        while self.crowd().is_waited_for() {
            self.complete.notified().await;
        }
    }

    /// Those who go now. Whoever does not wait any more is left out.
    fn take(&self) -> (Vec<Q>, Vec<Caller<A>>) {
        let mut crowd = self.crowd();
        crowd.is_leaving = false;
        let count = crowd.waiting.len().min(self.bounds.most);
        let going = crowd.waiting.drain(..count).filter(|waiting| !waiting.caller.is_closed());
        going.map(|waiting| (waiting.question, waiting.caller)).unzip()
    }
}

/// One of those that may be on their way at once, until it is dropped.
struct Turn<Q: Send + 'static, A: Send + 'static> {
    place: Arc<Place<Q, A>>,
    has_left: bool,
}

impl<Q: Send + 'static, A: Send + 'static> Turn<Q, A> {
    async fn go(mut self) {
        self.place.gather().await;
        let (questions, callers) = self.place.take();
        self.has_left = true;
        // More than one statement carries: the rest goes beside it.
        self.place.send();
        if questions.is_empty() {
            return;
        }
        let left = Instant::now();
        let mut asked = (self.place.ask)(questions);
        let answers = match timeout(PATIENCE, &mut asked).await {
            Ok(answers) => {
                self.place.crowd().note(self.place.bounds, callers.len(), left.elapsed());
                answers
            }
            Err(_) => {
                self.place.crowd().company = None;
                drop(self);
                asked.await
            }
        };
        // Whoever went away in the meantime is not told.
        match answers {
            Ok(answers) => callers.into_iter().zip(answers).for_each(|(caller, answer)| drop(caller.send(Ok(answer)))),
            Err(error) => callers.into_iter().for_each(|caller| drop(caller.send(Err(error.clone())))),
        }
    }
}

impl<Q: Send + 'static, A: Send + 'static> Drop for Turn<Q, A> {
    fn drop(&mut self) {
        let mut crowd = self.place.crowd();
        crowd.under_way -= 1;
        if self.has_left {
            drop(crowd);
            return self.place.send();
        }
        // The runtime is ending: it would drop the next one as well. The callers hear of it when they are let go.
        crowd.is_leaving = false;
        let waiting = std::mem::take(&mut crowd.waiting);
        drop(crowd);
        drop(waiting);
    }
}

#[cfg(test)]
mod tests;
