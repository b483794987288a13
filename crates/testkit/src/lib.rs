//! For tests only: a clock that stands still, randomness from a seed, builders, and the suite every engine must pass.

#![allow(clippy::unwrap_used, missing_docs)]

pub mod api;
pub mod authority;
pub mod build;
pub mod clock;
pub mod conformance;
pub mod memory;
pub mod observer;
pub mod random;
pub mod services;

pub use authority::authority;
pub use clock::FixedClock;
pub use observer::Ear;
pub use random::SeededRandom;
