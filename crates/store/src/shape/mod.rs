//! From one declaration to the next: what has to be made, and what would be lost. Pure; the engines look and do.

mod catalogue;
mod difference;
mod passage;
mod plan;
mod preparations;
mod rewrite;
mod survey;
mod work;

pub(crate) use catalogue::{Catalogue, Shape};
pub(crate) use difference::Difference;
pub(crate) use passage::{Passage, Passages, in_order};
pub use plan::{Addition, Loss, ShapeError, ShapePlan};
pub(crate) use preparations::{Preparations, complete_all};
pub(crate) use rewrite::{Rewrite, Rewritten};
pub(crate) use survey::Survey;
pub use work::Share;
pub(crate) use work::Work;

/// So many rows are rewritten in one transaction: nobody waits long for it.
pub(crate) const BATCH: usize = 5_000;
/// Fewer, once their documents have so many bytes: they are in memory meanwhile.
pub(crate) const BATCH_BYTES: usize = 8 << 20;
