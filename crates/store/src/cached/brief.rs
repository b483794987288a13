//! What is remembered for a moment, in as little time as it takes to look.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{PoisonError, RwLock, RwLockWriteGuard};
use std::time::Duration;

use tokio::time::Instant;

const LIFE: Duration = Duration::from_millis(500);
/// So many are kept. When more come, all are forgotten: what was asked for is found again.
const MOST: usize = 10_000;

/// Values that are forgotten half a second after they came.
pub(super) struct Brief<K, V>(RwLock<Kept<K, V>>);

struct Kept<K, V> {
    values: HashMap<K, (V, Instant)>,
    /// When those that were past were let go.
    swept: Instant,
}

impl<K, V> Default for Brief<K, V> {
    fn default() -> Self {
        Self(RwLock::new(Kept { values: HashMap::new(), swept: Instant::now() }))
    }
}

impl<K: Hash + Eq, V: Clone> Brief<K, V> {
    /// The value, while it is remembered.
    pub(super) fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let (value, came) = kept.values.get(key)?;
        (came.elapsed() < LIFE).then(|| value.clone())
    }

    /// Remembers a value, and begins anew with one that was there.
    pub(super) fn insert(&self, key: K, value: V) {
        let now = Instant::now();
        let Kept { values, swept } = &mut *self.kept();
        if now - *swept >= LIFE {
            values.retain(|_, (_, came)| now - *came < LIFE);
            values.shrink_to(2 * values.len());
            *swept = now;
        }
        if values.len() >= MOST {
            values.clear();
        }
        values.insert(key, (value, now));
    }

    /// Forgets a value.
    pub(super) fn forget(&self, key: &K) {
        self.kept().values.remove(key);
    }

    /// Forgets everything.
    pub(super) fn forget_all(&self) {
        self.kept().values.clear();
    }

    fn kept(&self) -> RwLockWriteGuard<'_, Kept<K, V>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_value_is_forgotten_half_a_second_after_it_came_however_often_it_is_asked_for() {
        let brief = Brief::default();
        brief.insert("shop", 1);

        for _ in 0..4 {
            advance(LIFE / 5).await;
            assert_eq!(brief.get("shop"), Some(1));
        }
        advance(LIFE / 5).await;
        assert_eq!(brief.get("shop"), None);
        brief.insert("shop", 2);

        assert_eq!(brief.get("shop"), Some(2));
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_forgotten_is_not_found_and_the_rest_is() {
        let brief = Brief::default();
        brief.insert(1, ());
        brief.insert(2, ());

        brief.forget(&1);
        assert_eq!((brief.get(&1), brief.get(&2)), (None, Some(())));
        brief.forget_all();

        assert_eq!(brief.get(&2), None);
    }

    #[tokio::test(start_paused = true)]
    async fn however_many_come_no_more_are_kept_than_have_room_and_none_for_long() {
        let brief = Brief::default();
        for number in 0..2 * MOST {
            brief.insert(number, ());
            assert!(brief.kept().values.len() <= MOST);
        }
        assert_eq!(brief.get(&(2 * MOST - 1)), Some(()));

        advance(LIFE).await;
        brief.insert(MOST, ());

        assert_eq!(brief.kept().values.len(), 1);
    }
}
