//! Who goes first, and how long a turn lasts.

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

    assert_eq!(hasher.0.available_permits(), 0);
    assert!(hasher.turn().await.is_ok());
}

#[cfg(target_os = "linux")]
#[test]
fn a_thread_that_hashes_lets_others_go_first() {
    let priority = || rustix::process::getpriority_process(None).unwrap();

    let of_hashing = std::thread::spawn(move || {
        step_back();
        priority()
    });

    // The weakest there is is 19.
    assert_eq!(of_hashing.join().unwrap(), (priority() + STEP_BACK).min(19));
}
