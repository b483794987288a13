//! Declared resources become routes. So far this crate owns one part of a declaration: the scopes an API has.

mod scope;
pub mod shop;

pub use scope::DeclaredScope;
