//! What many callers ask for at the same moment, in one statement for all of them.

mod creating;

pub(super) use creating::Create;
