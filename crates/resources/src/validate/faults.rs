//! Everything that is wrong with one request, told at once: one 400 among them makes it a 400.

use std::borrow::Cow;

use valetkey_rest::problem::catalogue;
use valetkey_rest::{FieldCode, FieldError, Problem};

/// More would help nobody, and a hostile body has thousands.
pub(super) const MOST: usize = 50;

/// What was found so far.
#[derive(Debug, Default)]
pub struct Faults {
    found: Vec<FieldError>,
    left_out: usize,
    is_malformed: bool,
}

impl Faults {
    /// Notes one. `pointer` is where it stands in the body.
    pub fn add(&mut self, pointer: &str, code: FieldCode, detail: impl Into<Cow<'static, str>>) {
        self.is_malformed |= code == FieldCode::Required;
        if self.found.len() == MOST {
            self.left_out += 1;
            return;
        }
        let field = pointer.trim_start_matches('/').replace('/', ".").replace("~1", "/").replace("~0", "~");
        self.found.push(FieldError::new(field, code).pointer(pointer.to_owned()).detail(detail));
    }

    /// Is there room for another one? What is beyond it is only counted.
    pub(super) fn has_room(&self) -> bool {
        self.found.len() < MOST
    }

    /// Counts one without a word.
    pub(super) fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// Nothing, or the problem that tells all of it.
    pub fn into_result(self) -> Result<(), Problem> {
        if self.found.is_empty() {
            return Ok(());
        }
        let (kind, told) = if self.is_malformed {
            (&catalogue::BAD_REQUEST, "A required field is missing; `errors` names each field that is wrong.")
        } else {
            (&catalogue::UNPROCESSABLE, "The body does not pass validation; `errors` names each field that is wrong.")
        };
        let mut problem = Problem::new(kind).detail(told);
        if self.left_out > 0 {
            problem = problem.detail(format!("{told} {} more are left out.", self.left_out));
        }
        Err(self.found.into_iter().fold(problem, Problem::field))
    }
}

/// A member of an object as a JSON Pointer writes it.
pub(super) fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
