//! Bodies of `application/x-www-form-urlencoded`, read strictly: what two readers could understand differently is refused.
//!
//! Security decisions hang on these parameters. A lenient reader that takes the first of two `client_id`s behind a proxy
//! that takes the last is a hole, so a repeated name is an error even where one of the values is empty.
//!
//! ```
//! use valetkey_rest::form::{Form, FormError};
//!
//! let form = Form::parse(b"grant_type=refresh_token&scope=read%3Afiles+email&state=").unwrap();
//!
//! assert_eq!(form.get("scope"), Some("read:files email"));
//! assert_eq!(form.get("state"), None);
//! assert_eq!(Form::parse(b"code=1&code=").unwrap_err(), FormError::Duplicate("code".into()));
//! ```

use std::borrow::Cow;

use http::HeaderValue;
use memchr::{memchr, memchr_iter};

use crate::problem::{FieldCode, FieldError, Problem, catalogue};

mod decode;
#[cfg(test)]
mod tests;

pub use decode::Malformation;
pub use decode::spells;
pub use decode::{decode_component, encode_component};

/// More parameters than any endpoint has; what is beyond only costs time.
pub const MAX_PARAMETERS: usize = 100;

/// The parameters of a body, borrowed from it wherever nothing had to be decoded.
///
/// Its `Debug` shows names and no values, since values are often secrets.
#[derive(Clone, Default)]
pub struct Form<'a> {
    pairs: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

/// Why a form was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// A parameter cannot be decoded.
    #[error("the parameter at byte {position} of the body {reason}")]
    Malformed {
        /// Where the parameter starts.
        position: usize,
        /// What is wrong with it.
        reason: Malformation,
    },
    /// A parameter is given more than once.
    #[error("the parameter {0} is given more than once")]
    Duplicate(String),
    /// There are more than [`MAX_PARAMETERS`].
    #[error("the body has more than {MAX_PARAMETERS} parameters")]
    TooMany,
}

impl<'a> Form<'a> {
    /// Reads a body. An empty body is a form without parameters.
    pub fn parse(body: &'a [u8]) -> Result<Self, FormError> {
        let expected = memchr_iter(b'&', body).count() + 1;
        let mut form = Self { pairs: Vec::with_capacity(expected.min(MAX_PARAMETERS)) };
        let mut position = 0;
        for end in memchr_iter(b'&', body).chain([body.len()]) {
            let pair = &body[position..end];
            if !pair.is_empty() {
                form.push(pair).map_err(|refusal| refusal.at(position))?;
            }
            position = end + 1;
        }
        Ok(form)
    }

    fn push(&mut self, pair: &'a [u8]) -> Result<(), Refusal> {
        if self.pairs.len() == MAX_PARAMETERS {
            return Err(Refusal::TooMany);
        }
        let split = memchr(b'=', pair);
        let (name, value) = split.map_or((pair, &[][..]), |at| (&pair[..at], &pair[at + 1..]));
        let name = decode::decode(name)?;
        if name.is_empty() {
            return Err(Malformation::NoName.into());
        }
        if self.pairs.iter().any(|(known, _)| *known == name) {
            return Err(Refusal::Duplicate(name.into_owned()));
        }
        self.pairs.push((name, decode::decode(value)?));
        Ok(())
    }

    /// The value of a parameter. An empty value counts as absent (RFC 6749 §3.1).
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find_map(|(known, value)| (known == name).then_some(value))
    }

    /// All parameters that have a value, in the order of the body.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (&**name, &**value)).filter(|(_, value)| !value.is_empty())
    }
}

impl std::fmt::Debug for Form<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.pairs.iter().map(|(name, _)| name)).finish()
    }
}

/// A refusal that does not yet know where in the body it stands.
enum Refusal {
    Malformed(Malformation),
    Duplicate(String),
    TooMany,
}

impl Refusal {
    fn at(self, position: usize) -> FormError {
        match self {
            Self::Malformed(reason) => FormError::Malformed { position, reason },
            Self::Duplicate(name) => FormError::Duplicate(name),
            Self::TooMany => FormError::TooMany,
        }
    }
}

impl From<Malformation> for Refusal {
    fn from(reason: Malformation) -> Self {
        Self::Malformed(reason)
    }
}

impl From<FormError> for Problem {
    fn from(error: FormError) -> Self {
        let problem = Problem::new(&catalogue::BAD_REQUEST);
        match error {
            FormError::Duplicate(name) => problem
                .detail("A parameter is given more than once. Send it once.")
                .field(FieldError::new(name, FieldCode::Duplicate)),
            FormError::Malformed { .. } | FormError::TooMany => {
                problem.detail(format!("The form cannot be read: {error}."))
            }
        }
    }
}

/// Whether a `Content-Type` announces a form. A charset is allowed when it is UTF-8, the only one a form can have.
pub fn is_form(content_type: Option<&HeaderValue>) -> bool {
    let Some(content_type) = content_type.and_then(|value| value.to_str().ok()) else { return false };
    let mut parts = content_type.split(';').map(str::trim);
    let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("application/x-www-form-urlencoded"));
    named
        && parts.filter_map(|parameter| parameter.split_once('=')).all(|(name, value)| {
            !name.trim().eq_ignore_ascii_case("charset") || value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
        })
}
