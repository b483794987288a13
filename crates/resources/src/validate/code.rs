//! From a broken keyword of JSON Schema to the word that clients compare, and a sentence for people.

use std::borrow::Cow;

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value;
use valetkey_rest::FieldCode;

use super::faults::{Faults, escape};

/// How whoever sent it writes a value of a field, by its stored name. None: it cannot be written.
pub(crate) type Written<'a> = dyn Fn(&str, &Value) -> Option<Value> + 'a;

/// Values are written as they are stored.
pub(super) fn as_is(_: &str, value: &Value) -> Option<Value> {
    Some(value.clone())
}

/// Notes what one error of the validator says. `place` is the pointer of the field, `written` how its values are written.
pub(super) fn note(
    faults: &mut Faults,
    place: &str,
    error: &ValidationError<'_>,
    written: &dyn Fn(&Value) -> Option<Value>,
) {
    // What is further in is no value of the field, and is written as it is.
    let is_whole = error.instance_path().as_str().is_empty();
    let shown = |value: &Value| if is_whole { written(value) } else { Some(value.clone()) };
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
            let (code, detail) = sentence(kind, &shown);
            faults.add(&pointer, code, detail);
        }
    }
}

fn sentence(kind: &Kind, shown: &dyn Fn(&Value) -> Option<Value>) -> (FieldCode, Cow<'static, str>) {
    use FieldCode::{Duplicate, InvalidFormat, InvalidType, InvalidValue, OutOfRange, TooLong, TooShort, Unknown};
    let limited = |told: &str, limit: &Value| match shown(limit) {
        Some(limit) => format!("It must be {told} {limit}.").into(),
        None => "It is beyond what this field can be.".into(),
    };
    match kind {
        Kind::Type { kind } => (InvalidType, format!("It must be {}.", types(kind)).into()),
        Kind::Format { format } => (InvalidFormat, format!("It must have the format `{format}`.").into()),
        Kind::Pattern { pattern } => (InvalidFormat, format!("It must match `{pattern}`.").into()),
        Kind::Enum { options } => {
            let options = options.as_array().into_iter().flatten().filter_map(shown).collect::<Vec<_>>();
            (InvalidValue, format!("It must be one of {}.", Value::Array(options)).into())
        }
        Kind::Constant { expected_value } => {
            (InvalidValue, format!("It must be {}.", shown(expected_value).unwrap_or_default()).into())
        }
        Kind::Minimum { limit } => (OutOfRange, limited("at least", limit)),
        Kind::Maximum { limit } => (OutOfRange, limited("at most", limit)),
        Kind::ExclusiveMinimum { limit } => (OutOfRange, limited("greater than", limit)),
        Kind::ExclusiveMaximum { limit } => (OutOfRange, limited("less than", limit)),
        Kind::MultipleOf { multiple_of } => (OutOfRange, limited("a multiple of", &number(*multiple_of))),
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

/// A number as people write it: without a fraction where it has none.
fn number(number: f64) -> Value {
    let text = number.to_string();
    text.parse::<i64>().map_or_else(|_| Value::from(number), Value::from)
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
