//! What people see. Owns wording, layout and the headers of pages; never speaks to a store and never decides a rule.
//!
//! A page is a typed view in a module of its own, a template of the same name in `templates/`, and samples that a test
//! renders. `cargo run -p valetkey-pages --example gallery` shows all of them in a browser.
//!
//! | module | what it owns |
//! |---|---|
//! | [`theme`] | name, logo, colour and links of the house |
//! | [`landing`] | the page at `/` |
//! | [`problems`] | the pages behind the `type` link of an error |
//! | [`error_page`] | what a person sees when a page is missing or broken |
//! | [`respond`] | the headers that every page carries |
//! | [`assets`] | stylesheet and pictures under `/static` |
//! | [`view`] | what makes a struct a page |

pub mod assets;
pub mod error_page;
pub mod landing;
pub mod problems;
pub mod respond;
pub mod theme;
pub mod view;

mod prose;

#[cfg(test)]
mod tests;

pub use error_page::ErrorPage;
pub use landing::{Door, Landing, Step};
pub use problems::{ProblemEntry, ProblemIndex, ProblemPage};
pub use theme::{Accent, Brand};
pub use view::View;
