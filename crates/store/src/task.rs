//! Tasks as both engines keep them: the words of their states, and a task from its columns.

use jiff::Timestamp;
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::ports::{Claimed, Key, OperationState, Task, TaskId};

use crate::moment::from_micros;

/// What both engines read and write, in this order.
pub(crate) const COLUMNS: &str = "id, resource, row_id, action, input, client, subject, version, key_client, key_subject, key_word, \
     created_at, due_at, until, state, status, detail, attempts, updated_at";

/// To be done.
pub(crate) const PENDING: &str = "pending";
/// Done.
pub(crate) const SUCCEEDED: &str = "succeeded";
/// Given up.
pub(crate) const FAILED: &str = "failed";

/// The columns of a task, as an engine reads them.
pub(crate) struct Columns {
    pub(crate) id: Uuid,
    pub(crate) resource: String,
    pub(crate) row: Uuid,
    pub(crate) action: String,
    pub(crate) input: String,
    pub(crate) client: String,
    pub(crate) subject: Option<String>,
    pub(crate) version: String,
    pub(crate) key_client: Option<String>,
    pub(crate) key_subject: Option<String>,
    pub(crate) key_word: Option<String>,
    pub(crate) created_at: i64,
    pub(crate) due_at: i64,
    pub(crate) until: i64,
    pub(crate) state: String,
    pub(crate) status: Option<i64>,
    pub(crate) detail: Option<String>,
    pub(crate) attempts: i64,
    pub(crate) updated_at: i64,
}

impl Columns {
    /// The task.
    pub(crate) fn claimed(self) -> Result<Claimed, StoreError> {
        let unreadable = |what: &str| StoreError::Failed(format!("the {what} of task {} is unreadable", self.id));
        let state = match self.state.as_str() {
            PENDING => OperationState::Pending,
            SUCCEEDED => OperationState::Succeeded,
            FAILED => OperationState::Failed {
                status: self
                    .status
                    .and_then(|status| u16::try_from(status).ok())
                    .ok_or_else(|| unreadable("status"))?,
                detail: self.detail.clone().unwrap_or_default(),
            },
            _ => return Err(unreadable("state")),
        };
        let key = match (self.key_client.clone(), self.key_word.clone()) {
            (Some(client), Some(word)) => Some(Key { client, subject: self.key_subject.clone(), word }),
            _ => None,
        };
        let task = Task {
            id: TaskId(self.id),
            input: serde_json::from_str(&self.input).map_err(|_| unreadable("input"))?,
            resource: self.resource,
            row: self.row,
            action: self.action,
            client: self.client,
            subject: self.subject,
            version: self.version,
            key,
            created_at: from_micros(self.created_at)?,
            due_at: from_micros(self.due_at)?,
            until: from_micros(self.until)?,
        };
        let updated_at: Timestamp = from_micros(self.updated_at)?;
        Ok(Claimed { task, state, attempts: u32::try_from(self.attempts).unwrap_or(u32::MAX), updated_at })
    }
}
