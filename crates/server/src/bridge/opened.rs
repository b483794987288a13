//! Tokens that were opened lately. Whoever calls an API calls it again and again with the same token: a thread that has opened
//! it need not do so again. Whether it is still good is another question, and is asked each time.

use std::cell::RefCell;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Weak};

use valetkey_oauth::keys::Ring;
use valetkey_oauth::model::AccessToken;
use valetkey_rest::bearer::Caller;

/// So many tokens a thread remembers. One that comes to the place of another takes it.
const PLACES: usize = 512;
/// Longer ones are opened each time.
const LONGEST: usize = 2048;
/// So many letters at the end of a token are those of its seal or its signature: nobody knows them without the rest.
const SEAL: usize = 32;

thread_local! {
    static KEPT: RefCell<Vec<Option<Kept>>> = const { RefCell::new(Vec::new()) };
}

/// A token that was opened, and whom it speaks for; none if it is not meant for this API.
pub(super) struct Known {
    pub(super) token: AccessToken,
    pub(super) caller: Option<Arc<Caller>>,
}

struct Kept {
    /// Of its end, under a secret of its own: how long a comparison takes tells nothing about the token.
    hash: u64,
    text: Box<str>,
    /// What it was opened with. Other keys may not open it any more; and those that are gone are not held back here.
    ring: Weak<Ring>,
    known: Arc<Known>,
}

/// Finds tokens that this server opened.
#[derive(Default)]
pub(super) struct Lately(RandomState);

impl Lately {
    /// The token with this text, if these keys have opened it lately.
    pub(super) fn find(&self, text: &str, ring: &Arc<Ring>) -> Option<Arc<Known>> {
        let hash = self.hash(text);
        KEPT.with_borrow(|kept| {
            let kept = kept.get(place(hash))?.as_ref()?;
            let is_it = kept.hash == hash && kept.ring.as_ptr() == Arc::as_ptr(ring) && *kept.text == *text;
            is_it.then(|| kept.known.clone())
        })
    }

    fn hash(&self, text: &str) -> u64 {
        let bytes = text.as_bytes();
        self.0.hash_one(&bytes[bytes.len().saturating_sub(SEAL)..])
    }

    /// Remembers a token that these keys have opened, or others that came after them.
    pub(super) fn keep(&self, text: &str, ring: &Arc<Ring>, known: &Arc<Known>) {
        if text.len() > LONGEST {
            return;
        }
        let hash = self.hash(text);
        let (text, ring, known) = (text.into(), Arc::downgrade(ring), known.clone());
        KEPT.with_borrow_mut(|kept| {
            kept.resize_with(PLACES, || None);
            kept[place(hash)] = Some(Kept { hash, text, ring, known });
        });
    }
}

fn place(hash: u64) -> usize {
    usize::try_from(hash % PLACES as u64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use valetkey_oauth::keys::RootKey;
    use valetkey_testkit::{SeededRandom, build};

    use super::*;

    fn ring() -> Arc<Ring> {
        Arc::new(Ring::open(&RootKey::generate(&SeededRandom::new(1)), &[]).unwrap())
    }

    #[test]
    fn a_token_is_found_by_its_whole_text_and_the_keys_that_opened_it() {
        let (lately, mine, other) = (Lately::default(), ring(), ring());
        let known = Arc::new(Known { token: build::access_token(1), caller: None });

        lately.keep("vk_at_one", &mine, &known);

        assert!(lately.find("vk_at_one", &mine).is_some_and(|found| Arc::ptr_eq(&found, &known)));
        assert!(lately.find("vk_at_one", &other).is_none());
        assert!(lately.find("vk_at_on", &mine).is_none());
        assert!(lately.find("vk_at_onf", &mine).is_none());
        assert!(Lately::default().find("vk_at_one", &mine).is_none());
        drop(mine);
        assert!(lately.find("vk_at_one", &ring()).is_none());
    }

    #[test]
    fn a_token_with_the_end_of_another_is_not_taken_for_it() {
        let (lately, ring) = (Lately::default(), ring());
        let known = Arc::new(Known { token: build::access_token(1), caller: None });
        let end = "x".repeat(SEAL);

        lately.keep(&format!("vk_at_one{end}"), &ring, &known);

        assert!(lately.find(&format!("vk_at_one{end}"), &ring).is_some());
        assert!(lately.find(&format!("vk_at_two{end}"), &ring).is_none());
    }

    #[test]
    fn a_flood_of_tokens_takes_no_more_than_its_places() {
        let (lately, ring) = (Lately::default(), ring());
        let known = Arc::new(Known { token: build::access_token(1), caller: None });

        for number in 0..4 * PLACES {
            lately.keep(&format!("vk_at_{number}"), &ring, &known);
        }
        lately.keep(&"x".repeat(LONGEST + 1), &ring, &known);

        assert!(Arc::strong_count(&known) <= PLACES + 1);
        assert!(lately.find(&"x".repeat(LONGEST + 1), &ring).is_none());
    }
}
