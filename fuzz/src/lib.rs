//! What must hold for whatever the network sends: one property for each parser, and a runner that needs no special compiler.
//!
//! A property takes bytes and panics if something does not hold. libFuzzer calls the same functions (`fuzz_targets/`).

#![allow(clippy::unwrap_used, missing_docs, reason = "a panic is what a property is there for")]

mod mutate;
mod reduce;
mod run;
pub mod targets;

pub use run::{Report, run};

/// A property, by its name.
#[derive(Clone, Copy)]
pub struct Target {
    /// As its corpus and its file in `fuzz_targets/` are called.
    pub name: &'static str,
    /// Panics if these bytes show that something does not hold.
    pub check: fn(&[u8]),
    /// Words that mean something to this parser.
    pub words: &'static [&'static str],
}

/// The property of this name.
pub fn target(name: &str) -> Option<Target> {
    targets::ALL.into_iter().find(|target| target.name == name)
}
