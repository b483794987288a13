//! How a statement is asked that may not take long.

/// Is it kept prepared on each connection? That is for a few of them only.
#[derive(Clone, Copy)]
pub(in crate::postgres) enum Manner {
    /// It is: PostgreSQL decides whether one plan is good for all values.
    Kept,
    /// It is not, and planned for its own values, which decide what index is best. This is set for it alone.
    Planned(&'static str),
}

/// For one that is asked again and again.
pub(in crate::postgres) const BY_HEART: Manner = Manner::Kept;
/// For any other.
pub(in crate::postgres) const PLANNED: Manner = Manner::Planned("");
/// Rather along an index that is in the right order than sorting what another one found.
pub(in crate::postgres) const UNSORTED: Manner =
    Manner::Planned("; SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off");

impl Manner {
    /// Is it kept?
    pub(in crate::postgres) fn is_kept(self) -> bool {
        matches!(self, Self::Kept)
    }
}
