//! From one declaration to the next: what has to be made, and what would be lost. Pure; the engines look and do.

mod catalogue;
mod difference;
mod plan;
mod rewrite;
mod survey;

pub(crate) use catalogue::{Catalogue, Shape};
pub(crate) use difference::Difference;
pub use plan::{Addition, Loss, ShapeError, ShapePlan};
pub(crate) use rewrite::Rewrite;
pub(crate) use survey::Survey;

/// So many rows are rewritten in one transaction: nobody waits long for it.
pub(crate) const BATCH: usize = 2_000;
