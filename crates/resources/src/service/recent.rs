//! Lists that were asked for a moment ago, from memory, as long as no row has changed since.
//!
//! Only where the store knows that: see [`Rows::generation`](crate::ports::Rows::generation). What a command beside a running
//! server does is not known, so nothing is kept for longer than a moment.

use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use moka::sync::Cache;
use tokio::time::Instant;
use valetkey_rest::Problem;
use valetkey_rest::bearer::Caller;
use valetkey_rest::prefer::CountPreference;

use super::{Listed, Speaker};

/// What a command beside a running server does takes effect within one second.
const LIFE: Duration = Duration::from_millis(900);
/// Nor is one kept that took longer to make: its rows were read before.
const LONGEST: Duration = Duration::from_millis(100);
/// About so many bytes of lists are kept.
const MOST: u64 = 16 << 20;
/// Not one that is larger.
const LARGEST: usize = 256 << 10;
/// What one takes besides its texts.
const BESIDES: usize = 512;
/// In each of so many places, the last few lists are remembered that were asked for once.
const PLACES: usize = 4096;

/// Lists as they were sent.
pub struct Recent {
    kept: Cache<u64, Arc<Kept>>,
    places: RandomState,
    /// The generation in which a list was last asked for. Where rows change between any two lists, nothing is worth keeping.
    asked_in: AtomicU64,
    /// Lists that were asked for once. Many are asked for no more often, and to keep one takes longer than to remember that.
    met: Box<[Met]>,
}

/// The last lists at one place that were new.
#[derive(Default)]
struct Met([AtomicU64; 4]);

impl Met {
    /// Was this list asked for before? From now on it was. Who comes at the same moment may be forgotten.
    fn again(&self, list: u64) -> bool {
        let Self([first, others @ ..]) = self;
        let mut moved = first.load(Ordering::Relaxed);
        if moved == list || others.iter().any(|other| other.load(Ordering::Relaxed) == list) {
            return true;
        }
        first.store(list, Ordering::Relaxed);
        for other in others {
            moved = other.swap(moved, Ordering::Relaxed);
        }
        false
    }
}

/// What a list depends on, besides the rows.
#[derive(Clone, Copy)]
pub(super) struct Asking<'a> {
    speaker: &'a Speaker,
    /// Path and query, as they came.
    target: &'a str,
    count: Option<CountPreference>,
}

/// A list, and for whom.
struct Kept {
    generation: u64,
    version: u32,
    target: Box<str>,
    count: Option<CountPreference>,
    caller: Arc<Caller>,
    listed: Arc<Listed>,
}

impl Default for Recent {
    fn default() -> Self {
        let weigh = |_: &u64, kept: &Arc<Kept>| u32::try_from(kept.weight()).unwrap_or(u32::MAX);
        let kept = Cache::builder().max_capacity(MOST).weigher(weigh).time_to_live(LIFE).build();
        let met = (0..PLACES).map(|_| Met::default()).collect();
        Self { kept, places: RandomState::new(), asked_in: AtomicU64::new(u64::MAX), met }
    }
}

impl Recent {
    /// The list as it was sent in this generation; or as it is made now, which is kept if it is not the first list of a
    /// generation and was asked for before.
    pub(super) async fn or_made<M: Future<Output = Result<Listed, Problem>>>(
        &self,
        asking: Asking<'_>,
        generation: u64,
        make: impl FnOnce() -> M,
    ) -> Result<Arc<Listed>, Problem> {
        let place = match self.look(asking, generation) {
            Look::Kept(listed) => return Ok(listed),
            Look::New => None,
            Look::Again(place) => Some(place),
        };
        let begun = Instant::now();
        // In a box: what is kept need not have room for the making.
        let listed = Box::pin(make()).await?;
        let Some(place) = place else { return Ok(Arc::new(listed)) };
        if listed.body.len() > LARGEST || begun.elapsed() > LONGEST || asking.goes_by_the_clock() {
            return Ok(Arc::new(listed));
        }
        // A text that was written has room behind it, perhaps much more than it has words.
        let listed = Arc::new(Listed { body: Bytes::copy_from_slice(&listed.body), ..listed });
        self.kept.insert(place, Arc::new(Kept::new(asking, generation, listed.clone())));
        Ok(listed)
    }

    fn look(&self, asking: Asking<'_>, generation: u64) -> Look {
        if self.asked_in.load(Ordering::Relaxed) != generation {
            self.asked_in.store(generation, Ordering::Relaxed);
            return Look::New;
        }
        let place = self.places.hash_one(asking.words());
        if let Some(kept) = self.kept.get(&place)
            && kept.generation == generation
            && kept.is_for(asking)
        {
            return Look::Kept(kept.listed.clone());
        }
        let met = &self.met[usize::try_from(place % PLACES as u64).unwrap_or_default()];
        if met.again(place) { Look::Again(place) } else { Look::New }
    }
}

/// What is known of a list.
enum Look {
    /// It is here.
    Kept(Arc<Listed>),
    /// It was asked for before, and is worth keeping at this place.
    Again(u64),
    /// Nothing.
    New,
}

impl<'a> Asking<'a> {
    pub(super) fn new(speaker: &'a Speaker, target: &'a str, count: Option<CountPreference>) -> Self {
        Self { speaker, target, count }
    }

    /// Where it is looked for.
    fn words(self) -> impl Hash {
        let Caller { client, subject, scopes, .. } = &*self.speaker.caller;
        (self.speaker.version(), self.target, client, subject, scopes)
    }

    /// Might it be another one in a moment though no row changes? A sign-in becomes too old for a scope, and what a version loses
    /// with its sunset is gone.
    fn goes_by_the_clock(self) -> bool {
        let Speaker { service, caller, edition, .. } = self.speaker;
        edition.loses_anything() || caller.scopes.iter().any(|scope| service.api.max_age(scope).is_some())
    }
}

impl Kept {
    fn new(asking: Asking<'_>, generation: u64, listed: Arc<Listed>) -> Self {
        let Asking { speaker, target, count } = asking;
        Self {
            generation,
            version: speaker.version(),
            target: target.into(),
            count,
            caller: speaker.caller.clone(),
            listed,
        }
    }

    fn is_for(&self, asking: Asking<'_>) -> bool {
        let (ours, theirs) = (&self.caller, &asking.speaker.caller);
        self.version == asking.speaker.version()
            && self.count == asking.count
            && *self.target == *asking.target
            && (Arc::ptr_eq(ours, theirs) || is_same(ours, theirs))
    }

    fn weight(&self) -> usize {
        let Listed { body, next, previous, .. } = &*self.listed;
        let Caller { client, subject, scopes, acr, .. } = &*self.caller;
        let texts = [next, previous, subject, acr].into_iter().flatten().chain([client]).chain(scopes);
        BESIDES + body.len() + self.target.len() + texts.map(|text| text.len() + size_of::<String>()).sum::<usize>()
    }
}

/// Do both see the same rows, with the same links? Cursors are made for one client and person; what links name depends on what a
/// token allows, and at which sign-in.
fn is_same(one: &Caller, other: &Caller) -> bool {
    one.client == other.client
        && one.subject == other.subject
        && one.scopes == other.scopes
        && one.authenticated_at == other.authenticated_at
        && one.acr == other.acr
}

#[cfg(test)]
mod tests;
