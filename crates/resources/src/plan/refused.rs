//! Everything that is wrong with a query, told at once.

use std::borrow::Cow;

use valetkey_rest::problem::catalogue;
use valetkey_rest::{FieldCode, FieldError, Problem};

use crate::suggest::nearest;

/// What was found so far.
#[derive(Debug, Default)]
pub struct Refused(Vec<FieldError>);

impl From<Vec<FieldError>> for Refused {
    fn from(errors: Vec<FieldError>) -> Self {
        Self(errors)
    }
}

impl Refused {
    /// Notes a parameter.
    pub fn add(&mut self, parameter: &str, code: FieldCode, detail: impl Into<Cow<'static, str>>) {
        self.0.push(FieldError::new(parameter.to_owned(), code).detail(detail));
    }

    /// Is it unknown which page is meant?
    pub fn has_no_page(&self) -> bool {
        let paging = ["cursor", "limit", "offset", "page", "size"];
        self.0.iter().any(|error| paging.contains(&&*error.field))
    }

    /// Nothing, or the problem that tells all of it.
    pub fn into_result(self) -> Result<(), Problem> {
        if self.0.is_empty() {
            return Ok(());
        }
        let told = "The query has parameters that cannot be used; `errors` names each of them.";
        Err(self.0.into_iter().fold(Problem::new(&catalogue::BAD_REQUEST).detail(told), Problem::field))
    }
}

/// Names for a person to choose from, instead of the one that was found.
pub(super) fn one_of<'a>(found: &str, names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match nearest(found, names.iter().copied()) {
        Some(meant) => format!("Did you mean `{meant}`? There are {}.", names.join(", ")),
        None if names.is_empty() => "There are none.".to_owned(),
        None => format!("There are {}.", names.join(", ")),
    }
}
