//! Which actions are done at once, and which are left to the queue.

use std::future::pending;
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::{Instant, timeout};

use super::super::tests::{claimed, speaker};
use super::AT_ONCE;

#[tokio::test]
async fn a_flood_of_actions_waits_in_the_queue() {
    let (speaker, task) = (speaker(), claimed("pay", Timestamp::UNIX_EPOCH, 0));
    let perform = async || speaker.perform(&task, Instant::now() + Duration::from_secs(60)).await;
    let is_rung = async || timeout(Duration::ZERO, speaker.service.work.notified()).await.is_ok();
    for _ in 1..AT_ONCE {
        speaker.service.under_way.spawn(pending::<()>());
    }

    // There is no such row in this store, which is found out by trying.
    assert!(perform().await.is_err());
    assert!(!is_rung().await);
    speaker.service.under_way.spawn(pending::<()>());
    let left = perform().await;

    assert!(matches!(left, Ok(None)), "{left:?}");
    assert!(is_rung().await, "the queue is told");
}
