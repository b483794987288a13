//! One entry of `errors[]`: which field was refused, and by which rule.

use std::borrow::Cow;

use serde::Serialize;

/// The rule a field broke. Clients compare these words, so a released one keeps its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum FieldCode {
    /// The field is missing.
    Required,
    /// The value does not have the declared format.
    InvalidFormat,
    /// The value has another JSON type than the declared one.
    InvalidType,
    /// The value is none of the declared ones.
    InvalidValue,
    /// The number or date is too small or too large.
    OutOfRange,
    /// The text or list is too short.
    TooShort,
    /// The text or list is too long.
    TooLong,
    /// The server sets this field; a client cannot.
    ReadOnly,
    /// No field has this name.
    Unknown,
    /// Another resource already has this value.
    NotUnique,
    /// The field was sent more than once.
    Duplicate,
    /// It refers to something that is not there, or that this caller cannot see.
    NotFound,
    /// It cannot be given here, or not beside another one that was given too.
    NotAllowed,
}

/// A field and the rule it broke.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldError {
    /// The name of the field, as the client spells it.
    pub field: Cow<'static, str>,
    /// The rule.
    pub code: FieldCode,
    /// Where in the body, as a JSON Pointer (RFC 6901).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<Cow<'static, str>>,
    /// A sentence for a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<Cow<'static, str>>,
}

impl FieldError {
    /// Names a field and the rule it broke.
    pub fn new(field: impl Into<Cow<'static, str>>, code: FieldCode) -> Self {
        Self { field: field.into(), code, pointer: None, detail: None }
    }

    /// The field is missing.
    pub fn required(field: impl Into<Cow<'static, str>>) -> Self {
        Self::new(field, FieldCode::Required)
    }

    /// The value of the field does not have the declared format.
    pub fn invalid_format(field: impl Into<Cow<'static, str>>) -> Self {
        Self::new(field, FieldCode::InvalidFormat)
    }

    /// Says where in the body the field is, as a JSON Pointer.
    #[must_use]
    pub fn pointer(mut self, pointer: impl Into<Cow<'static, str>>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// Adds a sentence for a person.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<Cow<'static, str>>) -> Self {
        self.detail = Some(detail.into());
        self
    }
}
