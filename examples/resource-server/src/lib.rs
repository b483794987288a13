//! A hand-written resource server: the users of a shop, kept in memory, served as the conventions of `valetkey-rest` ask.
//!
//! It shows how little of an API is its own when the conventions are borrowed. What is the shop's stands in [`user`],
//! where rows are kept in `shelf`, what each method does in `users`; the order of the layers in [`app`] is the part to copy.

pub mod app;
pub mod user;

mod shelf;
mod users;

pub use app::{World, app};
