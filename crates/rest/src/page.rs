//! Pages of a list: which part was asked for, and how the part is sent. Never knows where rows come from.
//!
//! `cursor`, `offset` and `page` are three ways to ask; a request uses one. A size beyond the largest is coerced to it
//! and shown in `meta.per_page`, as a client that wants "many" is served better by 100 than by an error.
//!
//! ```
//! use valetkey_rest::page::{Page, Paging, with_parameter};
//! use valetkey_rest::query::ListQuery;
//!
//! let asked = ListQuery::parse(Some("page=2&size=500")).unwrap().paging;
//! assert_eq!(asked, Paging::Page { page: 2, size: 100 });
//!
//! let here = "/users?page=2&size=500";
//! let page = Page::new(vec!["Ada"], &asked, here)
//!     .total(101)
//!     .prev(with_parameter(here, &[("page", Some("1"))]));
//!
//! assert_eq!(page.links.prev.as_deref(), Some("/users?size=500&page=1"));
//! assert_eq!(page.meta.per_page, 100);
//! ```

pub mod cursor;

mod address;
mod envelope;
mod paging;
#[cfg(test)]
mod tests;

pub use address::with_parameter;
pub use envelope::{Meta, Neighbours, Page};
pub(crate) use paging::PagingParameters;
pub use paging::{DEFAULT_SIZE, MAX_OFFSET, MAX_PAGE, MAX_SIZE, Paging};
