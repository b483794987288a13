//! What a node does with tasks that it does not know.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};

use super::super::tests::{Hasty, claimed, service};
use super::{Progress, Worker};
use crate::ports::{Claimed, Operations, Ports, StoreError, TaskId};
use crate::shop;

/// A queue that notes until when a task is put back, or that it is given up.
#[derive(Default)]
struct Queue(Mutex<Vec<Option<Timestamp>>>);

#[async_trait]
impl Operations for Queue {
    async fn operation(&self, _: TaskId) -> Result<Option<Claimed>, StoreError> {
        Ok(None)
    }

    async fn claim(&self, _: Timestamp, _: Timestamp, _: u32) -> Result<Vec<Claimed>, StoreError> {
        Ok(Vec::new())
    }

    async fn postpone(&self, _: TaskId, _: Timestamp) -> Result<(), StoreError> {
        Err(StoreError::Failed("what is not known is not tried".to_owned()))
    }

    async fn put_back(&self, _: TaskId, due_at: Timestamp) -> Result<(), StoreError> {
        self.0.lock().unwrap().push(Some(due_at));
        Ok(())
    }

    async fn give_up(&self, _: TaskId, status: u16, _: &str, _: Timestamp) -> Result<(), StoreError> {
        assert_eq!(status, 410);
        self.0.lock().unwrap().push(None);
        Ok(())
    }

    async fn sweep_operations(&self, _: Timestamp, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }
}

/// In how many seconds another node may take a task of this age that was taken so often; none if it is given up.
async fn passed_on(age: SignedDuration, attempts: u32) -> Option<i64> {
    let (queue, now) = (Arc::new(Queue::default()), Timestamp::UNIX_EPOCH);
    let ports = Ports { operations: queue.clone(), ..Ports::of(Arc::new(Hasty)) };
    let claimed = claimed("wrap", now - age, attempts);

    let progress = Worker { service: service(shop::api(), ports) }.perform(&claimed, None).await.unwrap();

    let noted = queue.0.lock().unwrap().clone();
    assert_eq!(noted.len(), 1);
    assert_eq!(matches!(progress, Progress::Again), noted[0].is_some());
    noted[0].map(|due_at| due_at.duration_since(now).as_secs())
}

#[tokio::test]
async fn a_task_that_nobody_has_tried_is_given_up_after_ten_minutes() {
    assert_eq!(passed_on(SignedDuration::from_mins(9), 1).await, Some(2));
    assert_eq!(passed_on(SignedDuration::from_mins(10), 1).await, None);
}

#[tokio::test]
async fn a_task_that_another_node_has_tried_is_left_to_it_for_two_days() {
    assert_eq!(passed_on(SignedDuration::from_mins(9), 2).await, Some(2));
    assert_eq!(passed_on(SignedDuration::from_mins(10), 2).await, Some(30));
    assert_eq!(passed_on(SignedDuration::from_hours(47), 20).await, Some(30));
    assert_eq!(passed_on(SignedDuration::from_hours(48), 2).await, None);
}
