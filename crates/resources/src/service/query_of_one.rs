//! The query of a request for one row: which fields, and what to bring along. Anything else is refused.

use valetkey_rest::query::ListQuery;
use valetkey_rest::{FieldCode, Problem};

use super::Served;
use crate::plan::{Refused, check_fields, check_include};

/// What was asked for beside the row.
#[derive(Debug, Default)]
pub struct OneQuery {
    /// Only these fields; none means all.
    pub fields: Option<Vec<String>>,
    /// The relations to bring along.
    pub include: Vec<String>,
}

impl OneQuery {
    /// Reads it.
    pub fn read(served: &Served, raw: Option<&str>) -> Result<Self, Problem> {
        let Some(raw) = raw.filter(|raw| !raw.is_empty()) else { return Ok(Self::default()) };
        let (query, errors) = ListQuery::read(Some(raw));
        let mut refused = Refused::from(errors);
        for filter in &query.filters {
            refused.add(&filter.name, FieldCode::Unknown, "One row cannot be filtered; this parameter is for lists.");
        }
        let pages = ["sort", "q", "cursor", "limit", "offset", "page", "size"];
        for name in raw.split('&').map(|pair| pair.split('=').next().unwrap_or_default()) {
            if pages.contains(&name) {
                refused.add(name, FieldCode::Unknown, "This parameter is for lists.");
            }
        }
        check_fields(served, query.fields.as_deref(), &mut refused);
        check_include(served, &query.include, &mut refused);
        refused.into_result()?;
        Ok(Self { fields: query.fields, include: query.include })
    }
}
