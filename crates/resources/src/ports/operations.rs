//! Actions that take time: a durable queue. A task outlives the process that accepted it.

use std::fmt;

use async_trait::async_trait;
use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use super::{Key, StoreError};

/// Names a task; the last segment of `/api/operations/<id>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TaskId(pub Uuid);

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// An action that was accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Its id: a UUID of version 7.
    pub id: TaskId,
    /// The plural name of the resource.
    pub resource: String,
    /// The row.
    pub row: Uuid,
    /// The name of the action.
    pub action: String,
    /// The body of the request.
    pub input: Value,
    /// The client that asked.
    pub client: String,
    /// The user it spoke for.
    pub subject: Option<String>,
    /// The API version that was spoken.
    pub version: String,
    /// The key of the request, if its answer is only known at the end.
    pub key: Option<Key>,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// The earliest time of the first attempt. Whoever begins it by itself says a later one, so that the queue only comes
    /// in if that fails.
    pub due_at: Timestamp,
    /// Until when its outcome can be asked for.
    pub until: Timestamp,
}

/// How far a task is.
#[derive(Debug, Clone, PartialEq)]
pub enum OperationState {
    /// Not begun, or to be tried again.
    Pending,
    /// Done.
    Succeeded,
    /// Given up, with a reason for the caller: a title and a sentence.
    Failed {
        /// The status that a synchronous answer would have had.
        status: u16,
        /// What to tell.
        detail: String,
    },
}

impl Task {
    /// How often it is tried before the queue hands it out: once, if whoever began it does it, and the queue has it for later.
    pub fn tried(&self) -> u32 {
        u32::from(self.due_at > self.created_at)
    }
}

/// A task with its state.
#[derive(Debug, Clone, PartialEq)]
pub struct Claimed {
    /// What is to be done.
    pub task: Task,
    /// How far it is.
    pub state: OperationState,
    /// How often it was tried, this time included.
    pub attempts: u32,
    /// When its state last changed.
    pub updated_at: Timestamp,
}

/// The queue. A task begins with [`super::TaskStep::Begin`] and ends well with [`super::TaskStep::Finish`], both in the
/// transaction of the row.
#[async_trait]
pub trait Operations: Send + Sync {
    /// One task.
    async fn operation(&self, id: TaskId) -> Result<Option<Claimed>, StoreError>;

    /// Hands out pending tasks that are due, the longest due first, and holds them back until `lease_until`. Each is
    /// handed to one caller only.
    async fn claim(&self, now: Timestamp, lease_until: Timestamp, most: u32) -> Result<Vec<Claimed>, StoreError>;

    /// Lets a pending task be due again at this time.
    async fn postpone(&self, id: TaskId, due_at: Timestamp) -> Result<(), StoreError>;

    /// Puts back a pending task that was claimed by whoever cannot do it: due at this time, and not counted as an attempt.
    async fn put_back(&self, id: TaskId, due_at: Timestamp) -> Result<(), StoreError>;

    /// Gives a pending task up: its state becomes failed, and its row, if it still has this task, has none any more (and
    /// a higher revision). Its key, if it has one, is free again.
    async fn give_up(&self, id: TaskId, status: u16, detail: &str, now: Timestamp) -> Result<(), StoreError>;

    /// Removes tasks that are not pending and whose time is over, at most so many; answers how many went.
    async fn sweep_operations(&self, now: Timestamp, most: u32) -> Result<u64, StoreError>;
}
