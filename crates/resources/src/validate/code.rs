//! From a broken keyword of JSON Schema to the word that clients compare, and a sentence for people.

use std::borrow::Cow;

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use valetkey_rest::FieldCode;

use super::faults::{Faults, escape};

/// Notes what one error of the validator says. `place` is the pointer of the field.
pub(super) fn note(faults: &mut Faults, place: &str, error: &ValidationError<'_>) {
    let pointer = format!("{place}{}", error.instance_path().as_str());
    match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            faults.add(&format!("{pointer}/{}", escape(name)), FieldCode::Required, "This member is required.");
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            for name in unexpected {
                faults.add(&format!("{pointer}/{}", escape(name)), FieldCode::Unknown, "No member has this name.");
            }
        }
        kind => {
            let (code, detail) = sentence(kind);
            faults.add(&pointer, code, detail);
        }
    }
}

fn sentence(kind: &Kind) -> (FieldCode, Cow<'static, str>) {
    use FieldCode::{Duplicate, InvalidFormat, InvalidType, InvalidValue, OutOfRange, TooLong, TooShort, Unknown};
    match kind {
        Kind::Type { kind } => (InvalidType, format!("It must be {}.", types(kind)).into()),
        Kind::Format { format } => (InvalidFormat, format!("It must have the format `{format}`.").into()),
        Kind::Pattern { pattern } => (InvalidFormat, format!("It must match `{pattern}`.").into()),
        Kind::Enum { options } => (InvalidValue, format!("It must be one of {options}.").into()),
        Kind::Constant { expected_value } => (InvalidValue, format!("It must be {expected_value}.").into()),
        Kind::Minimum { limit } => (OutOfRange, format!("It must be at least {limit}.").into()),
        Kind::Maximum { limit } => (OutOfRange, format!("It must be at most {limit}.").into()),
        Kind::ExclusiveMinimum { limit } => (OutOfRange, format!("It must be greater than {limit}.").into()),
        Kind::ExclusiveMaximum { limit } => (OutOfRange, format!("It must be less than {limit}.").into()),
        Kind::MultipleOf { multiple_of } => (OutOfRange, format!("It must be a multiple of {multiple_of}.").into()),
        Kind::MinLength { limit } => (TooShort, format!("It must have at least {limit} characters.").into()),
        Kind::MaxLength { limit } => (TooLong, format!("It must have at most {limit} characters.").into()),
        Kind::MinItems { limit } => (TooShort, format!("It must have at least {limit} items.").into()),
        Kind::MaxItems { limit } => (TooLong, format!("It must have at most {limit} items.").into()),
        Kind::MinProperties { limit } => (TooShort, format!("It must have at least {limit} members.").into()),
        Kind::MaxProperties { limit } => (TooLong, format!("It must have at most {limit} members.").into()),
        Kind::UniqueItems => (Duplicate, "Its items must differ from each other.".into()),
        Kind::AdditionalItems { .. } | Kind::UnevaluatedItems { .. } => (TooLong, "It has too many items.".into()),
        Kind::PropertyNames { .. } => (Unknown, "A member has a name that is not allowed here.".into()),
        _ => (InvalidValue, format!("It breaks the rule `{}` of its schema.", kind.keyword()).into()),
    }
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => a(&one.to_string()),
        TypeKind::Multiple(many) => many.iter().map(|one| a(&one.to_string())).collect::<Vec<_>>().join(" or "),
    }
}

fn a(name: &str) -> String {
    match name {
        "null" => "null".to_owned(),
        "integer" => "a whole number".to_owned(),
        "boolean" => "true or false".to_owned(),
        "array" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}
