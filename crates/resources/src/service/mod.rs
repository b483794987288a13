//! What happens to rows: one file for each thing that a caller may want. Knows no HTTP beyond the problems it refuses with.

mod access;
mod act;
mod change;
mod create;
mod list;
mod query_of_one;
mod read;
mod remove;
mod served;
mod speaker;
mod store_problem;
#[cfg(test)]
mod tests;
mod work;

use std::sync::Arc;

use jiff::Timestamp;
use valetkey_rest::bearer::Challenge;
use valetkey_rest::page::cursor::CursorKey;

pub use act::{Acted, Order as ActionOrder};
pub use change::Conditions;
pub use create::{Creation, Made};
pub use list::{Listed, Total};
pub use query_of_one::OneQuery;
pub use served::Served;
pub use speaker::Speaker;
pub use work::{HandlerCall, HandlerError, Handlers, Progress, Worker};

use crate::model::Api;
use crate::ports::{Clock, Ids, Ports};
use crate::validate::RuleError;

/// The declared API, ready to serve.
pub struct Service {
    /// What was declared.
    pub api: Arc<Api>,
    /// Each resource with what was prepared for it, in the order of the declaration.
    pub served: Vec<Arc<Served>>,
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
    /// How long a body may be.
    pub largest_body: usize,
    /// Rung when a task was accepted.
    pub work: tokio::sync::Notify,
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
    /// How long a body may be.
    pub largest_body: usize,
}

impl Service {
    /// Prepares every resource.
    pub fn new(api: Arc<Api>, parts: Parts) -> Result<Arc<Self>, RuleError> {
        let served = api.resources.iter().map(|resource| Ok(Arc::new(Served::new(resource.clone(), &api)?)));
        Ok(Arc::new(Self {
            served: served.collect::<Result<_, RuleError>>()?,
            api,
            ports: parts.ports,
            clock: parts.clock,
            ids: parts.ids,
            handlers: parts.handlers,
            cursors: parts.cursors,
            challenge: parts.challenge,
            largest_body: parts.largest_body,
            work: tokio::sync::Notify::new(),
        }))
    }

    /// Now, to the microsecond: finer than that, a column and a document would disagree.
    pub fn now(&self) -> Timestamp {
        let now = self.clock.now();
        Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
    }

    /// The resource with this plural name, prepared.
    pub fn served(&self, name: &str) -> Option<&Arc<Served>> {
        self.served.iter().find(|served| served.resource.name == name)
    }
}
