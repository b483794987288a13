//! How long a turn lasts, and that a hash is what it should be wherever it is made.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use super::*;

#[tokio::test]
async fn a_turn_lasts_as_long_as_its_hash_even_if_nobody_waits_for_it() {
    let hasher = PasswordHasher::new(1);
    {
        let mut hash = pin!(hasher.hash(Secret::new("correct"), [7; 16]));
        let begun = poll_fn(|cx| Poll::Ready(hash.as_mut().poll(cx).is_pending())).await;
        assert!(begun);
    }

    assert_eq!(hasher.turns.available_permits(), 0);
    assert!(hasher.turn().await.is_ok());
}

#[tokio::test]
async fn whoever_finds_all_places_taken_by_what_does_not_end_is_served() {
    let hasher = PasswordHasher::new(1);
    let _stuck = hasher.places.take().unwrap();

    let hash = hasher.hash(Secret::new("correct"), [7; 16]).await.unwrap();

    assert!(hasher.verify(Secret::new("correct"), &hash).await.unwrap());
    assert!(!hasher.verify(Secret::new("wrong"), &hash).await.unwrap());
    assert!(hasher.turn().await.is_ok());
}

#[tokio::test]
async fn what_was_hashed_before_in_the_same_memory_makes_no_difference() {
    let hasher = PasswordHasher::new(1);
    let first = hasher.hash(Secret::new("correct"), [7; 16]).await.unwrap();
    hasher.hash(Secret::new("another"), [8; 16]).await.unwrap();

    let again = hasher.hash(Secret::new("correct"), [7; 16]).await.unwrap();

    let mut fresh = [0; 32];
    let params = Params::new(MEMORY_KIB, PASSES, LANES, Some(32)).unwrap();
    let hash = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    hash.hash_password_into(b"correct", &[7; 16], &mut fresh).unwrap();
    assert_eq!(first, again);
    assert!(again.ends_with(&STANDARD_NO_PAD.encode(fresh)), "{again}");
}

#[tokio::test]
async fn a_hash_with_settings_of_its_own_is_checked_with_those() {
    let hasher = PasswordHasher::new(1);
    let mut digest = [0; 32];
    let params = Params::new(2 * MEMORY_KIB, 1, 2, Some(32)).unwrap();
    let hash = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    hash.hash_password_into(b"correct", &[7; 16], &mut digest).unwrap();
    let (salt, digest) = (STANDARD_NO_PAD.encode([7; 16]), STANDARD_NO_PAD.encode(digest));
    let stored = format!("$argon2id$v=19$m={},t=1,p=2${salt}${digest}", 2 * MEMORY_KIB);

    assert!(hasher.verify(Secret::new("correct"), &stored).await.unwrap());
    assert!(!hasher.verify(Secret::new("wrong"), &stored).await.unwrap());
    let usual = hasher.hash(Secret::new("correct"), [7; 16]).await.unwrap();
    assert!(hasher.verify(Secret::new("correct"), &usual).await.unwrap());
}
