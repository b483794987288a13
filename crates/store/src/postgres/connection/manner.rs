//! How a statement is asked that may not take long. One processor is enough for it.

/// What is set for a statement alone, and whether it is kept.
#[derive(Clone, Copy)]
pub(in crate::postgres) struct Manner {
    pub(super) settings: &'static str,
    /// Is it kept prepared on each connection? That is for a few of them only.
    pub(in crate::postgres) is_kept: bool,
}

/// Values decide which index is best, so the statement is planned for its own.
pub(in crate::postgres) const PLANNED: Manner = Manner {
    settings: "SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL max_parallel_workers_per_gather = 0; \
        SET LOCAL jit = off",
    is_kept: false,
};
/// For one that is asked again and again: PostgreSQL decides whether one plan is good for all values.
pub(in crate::postgres) const BY_HEART: Manner = Manner {
    settings: "SET LOCAL plan_cache_mode = auto; SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL jit = off",
    is_kept: true,
};
/// Rather along an index that is in the right order than sorting what another one found.
pub(in crate::postgres) const UNSORTED: Manner = Manner {
    settings: "SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL max_parallel_workers_per_gather = 0; \
        SET LOCAL jit = off; SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off",
    is_kept: false,
};
