//! What happens to rows: one file for each thing that a caller may want. Knows no HTTP beyond the problems it refuses with.

mod access;
mod act;
mod change;
mod create;
mod document;
mod edition;
mod list;
mod query_of_one;
mod read;
mod recent;
mod remove;
mod served;
mod speaker;
mod store_problem;
#[cfg(test)]
mod tests;
mod usage;
mod work;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio_util::task::TaskTracker;
use valetkey_rest::bearer::Challenge;
use valetkey_rest::page::cursor::CursorKey;
use valetkey_rest::version::Versions;

pub use act::{Acted, Order as ActionOrder};
pub use change::Conditions;
pub use create::{Creation, Made};
pub use edition::{Edition, ServiceError};
pub use list::{Listed, Total};
pub use query_of_one::OneQuery;
use recent::Recent;
pub use served::{Relation, Served};
pub use speaker::Speaker;
pub use usage::UsageCount;
pub use work::{HandlerCall, HandlerError, Handlers, Progress, Worker};

use crate::model::Api;
use crate::ports::{Clock, Ids, Ports};

/// The declared API, ready to serve.
pub struct Service {
    /// What was declared.
    pub api: Arc<Api>,
    /// Its versions, from the newest.
    pub editions: Vec<Arc<Edition>>,
    /// Which of them lives, and which one a request means.
    pub versions: Arc<Versions>,
    /// Where rows are.
    pub ports: Ports,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// New ids.
    pub ids: Arc<dyn Ids>,
    /// Does the work of actions that is done elsewhere.
    pub handlers: Arc<dyn Handlers>,
    /// Seals cursors.
    pub cursors: CursorKey,
    /// How a caller without the scope is told.
    pub challenge: Challenge,
    /// How long a body may be, and what a patch makes of a row.
    pub largest_body: usize,
    /// Who called which version since that was last written down.
    pub usage: UsageCount,
    /// Lists of a moment ago.
    recent: Recent,
    /// Rung when a task was accepted.
    pub work: tokio::sync::Notify,
    /// How long a caller waits for work that others do.
    pub patience: Duration,
    /// Tasks that are done for callers who wait for them, or have left.
    pub under_way: TaskTracker,
}

/// What a service is made of, besides the declaration.
pub struct Parts {
    /// Where rows are.
    pub ports: Ports,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// New ids.
    pub ids: Arc<dyn Ids>,
    /// Does the work of actions that is done elsewhere.
    pub handlers: Arc<dyn Handlers>,
    /// Seals cursors.
    pub cursors: CursorKey,
    /// How a caller without the scope is told.
    pub challenge: Challenge,
    /// How long a body may be, and what a patch makes of a row.
    pub largest_body: usize,
    /// How long a caller waits for work that others do.
    pub patience: Duration,
    /// The versions of the declaration, with their documentation.
    pub versions: Arc<Versions>,
}

impl Service {
    /// Prepares every resource of every version.
    pub fn new(api: Arc<Api>, parts: Parts) -> Result<Arc<Self>, ServiceError> {
        Ok(Arc::new(Self {
            editions: edition::editions(&api)?,
            versions: parts.versions,
            api,
            ports: parts.ports,
            clock: parts.clock,
            ids: parts.ids,
            handlers: parts.handlers,
            cursors: parts.cursors,
            challenge: parts.challenge,
            largest_body: parts.largest_body,
            usage: UsageCount::default(),
            recent: Recent::default(),
            work: tokio::sync::Notify::new(),
            patience: parts.patience,
            under_way: TaskTracker::new(),
        }))
    }

    /// Now, to the microsecond: finer than that, a column and a document would disagree.
    pub fn now(&self) -> Timestamp {
        let now = self.clock.now();
        Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
    }

    /// One request more in this version, by this client; none: nobody knows by whom.
    pub fn note_use(&self, client: Option<&str>, version: u32) {
        self.usage.note(client, version, self.now());
    }

    /// The version with this number.
    pub fn edition(&self, number: u32) -> Option<&Arc<Edition>> {
        self.editions.iter().find(|edition| edition.number() == number)
    }

    /// A version that has this stored resource: the newest of them.
    pub fn newest_with(&self, resource: &str) -> Option<&Arc<Edition>> {
        self.editions.iter().find(|edition| edition.stored(resource).is_some())
    }
}
