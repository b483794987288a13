//! What many callers ask for at the same moment, in one statement for all of them.
//!
//! Each of these does what is usual, and says of the rest that it did nothing; that is done by the file that has it in both
//! engines, one at a time. So the rules stand there alone, and what is unusual for one caller is no trouble for the others.

mod arrays;
mod changing;
mod creating;
mod finding;
mod known;
mod opening;
mod polling;
mod rotation;

pub(super) use changing::Changers;
pub(super) use creating::Makers;
pub(super) use finding::Finders;
pub(super) use opening::{Openings, Start, openings};
pub(super) use polling::{Caller, Polls, polls};
pub(super) use rotation::{Rotations, Step, rotations};

use valetkey_oauth::ports::StoreError;

/// What each hears where nobody knows what became of a statement. Those who were left out of it know: nothing, and this is what
/// they hear. Otherwise two with the same wish could both find it done.
fn in_doubt<A: Clone>(went: &[bool], error: &StoreError, left_out: &A) -> Vec<Result<A, StoreError>> {
    went.iter().map(|went| if *went { Err(error.clone()) } else { Ok(left_out.clone()) }).collect()
}
