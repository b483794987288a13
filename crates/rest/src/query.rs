//! What a list is asked for: filters, sort, fields, search, relations and paging. Knows the grammar, and no field of any resource.
//!
//! `field=value` is a filter; a name given again means "or", several names mean "and". `field[gte]=` compares. What a
//! list itself needs has reserved names; a field of such a name is reached by `filter[name]=`.
//!
//! ```
//! use valetkey_rest::query::{FilterOp, ListQuery};
//!
//! let query = ListQuery::parse(Some("status=paid&status=pending&amount[gte]=10&sort=-amount,id&limit=5")).unwrap();
//!
//! assert_eq!(query.filters[0].values, ["paid", "pending"]);
//! assert_eq!((&*query.filters[1].field, query.filters[1].op), ("amount", FilterOp::Gte));
//! assert!(query.sort[0].descending);
//! assert_eq!(query.paging.per_page(), 5);
//!
//! let refused = ListQuery::parse(Some("amount[like]=1&page=1&offset=2")).unwrap_err();
//! assert_eq!(refused.fields().len(), 3);
//! ```

use axum::extract::FromRequestParts;
use http::request::Parts;

use crate::{
    page::Paging,
    problem::{FieldError, Problem, catalogue},
};

mod filter;
mod read;
#[cfg(test)]
mod tests;

pub use filter::{Filter, FilterOp};

/// Names that a list keeps for itself. A field of such a name is reached by `filter[name]=`.
pub const RESERVED: [&str; 10] =
    ["sort", "fields", "q", "include", "cursor", "limit", "offset", "page", "size", "filter"];
/// Parameters in one query; what is beyond is not looked at.
pub const MAX_PARAMETERS: usize = 300;
/// Values in one filter, and names in `fields`. It does not depend on the other filters, so that it can be described.
pub const MAX_VALUES: usize = 100;
/// Values in all filters of one query.
pub const MAX_ALL_VALUES: usize = 1000;
/// Keys of one sort.
pub const MAX_SORT_KEYS: usize = 5;
/// Characters of a search.
pub const MAX_SEARCH: usize = 200;

/// One key of a sort.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortKey {
    /// The field, as the client spells it.
    pub field: String,
    /// It stood behind a `-`.
    pub descending: bool,
}

/// A list as it was asked for. No field is known to exist yet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListQuery {
    /// All of these must hold.
    pub filters: Vec<Filter>,
    /// First key first.
    pub sort: Vec<SortKey>,
    /// Only these fields, if any are named; each once.
    pub fields: Option<Vec<String>>,
    /// Words to search for. Never blank.
    pub q: Option<String>,
    /// Relations to bring along, each once.
    pub include: Vec<String>,
    /// Which part.
    pub paging: Paging,
}

impl ListQuery {
    /// Reads the raw query of a URL. All that is wrong is reported at once, each by the name of its parameter.
    pub fn parse(raw: Option<&str>) -> Result<Self, Problem> {
        let (query, errors) = Self::read(raw);
        if errors.is_empty() {
            return Ok(query);
        }
        Err(Problem::new(&catalogue::BAD_REQUEST)
            .detail("The query has parameters that cannot be used; `errors` names each.")
            .with_fields(errors))
    }

    /// The same for whoever finds more that is wrong: what can be read, and everything that cannot.
    pub fn read(raw: Option<&str>) -> (Self, Vec<FieldError>) {
        read::read(raw.unwrap_or_default())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ListQuery {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Self::parse(parts.uri.query())
    }
}
