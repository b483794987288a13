//! What is asked of a store. Each method is a transition, decided in the engine's own transaction, and answers an outcome.

mod answers;
mod listing;
mod operations;
mod rows;
mod store_error;
mod surroundings;
mod usage;

use std::sync::Arc;

pub use answers::{Answers, Kept, KeptAnswer, Key, Keyed};
pub use listing::{
    By, Condition, Counted, Direction, Ends, InSight, ListPlan, Listing, Order, PAGE_BYTES, Place, Position, Test,
    Window,
};
pub use operations::{Claimed, OperationState, Operations, Task, TaskId};
pub use rows::{
    Change, Changing, Creating, Creation, Draft, Edit, Edited, Editing, Pointer, Precondition, Removal, Removing, Rows,
    Several, Shown, Sight, Stored, TaskStep,
};
pub use store_error::StoreError;
pub use surroundings::{Clock, Ids};
pub use usage::{Usage, Used};

/// One engine behind every port.
#[derive(Clone)]
pub struct Ports {
    /// Rows of every resource.
    pub rows: Arc<dyn Rows>,
    /// Answers under an `Idempotency-Key`.
    pub answers: Arc<dyn Answers>,
    /// Actions that take time.
    pub operations: Arc<dyn Operations>,
    /// Who called which version.
    pub usage: Arc<dyn Usage>,
}

impl Ports {
    /// Puts one engine behind all of them.
    pub fn of<E: Rows + Answers + Operations + Usage + 'static>(engine: Arc<E>) -> Self {
        Self { rows: engine.clone(), answers: engine.clone(), operations: engine.clone(), usage: engine }
    }
}
