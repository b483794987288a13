//! What is asked of a store. Each method is a transition, decided in the engine's own transaction, and answers an outcome.

mod answers;
mod listing;
mod operations;
mod rows;
mod store_error;

pub use answers::{Answers, Kept, KeptAnswer, Key, Keyed};
pub use listing::{By, Condition, Counted, Direction, ListPlan, Listing, Order, Place, Position, Test, Window};
pub use operations::{Claimed, OperationState, Operations, Task, TaskId};
pub use rows::{
    Change, Changing, Creating, Creation, Draft, Edit, Edited, Pointer, Precondition, Removal, Removing, Rows, Sight,
    Stored, TaskStep,
};
pub use store_error::StoreError;
