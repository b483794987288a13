//! The schemas of one resource, compiled once at start.

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;
use valetkey_rest::FieldCode;

use super::code::{self, Written, as_is};
use super::faults::{Faults, MOST, escape};
use super::spread::Spread;
use crate::model::{Cell, ColumnKind, Field, Resource, moment};

/// Numbers beyond it do not survive a client that reads them as floating point (RFC 8259 §6).
const LARGEST: f64 = 9_007_199_254_740_991.0;

/// Of a field that is made of more values than this, the first fault is told and no other: to find all of them, the library
/// makes an error for each before it hands out the first.
const LARGE: usize = 20_000;

/// Where several forms are declared for a value, there is an error for each of them at each step. Where there would be more
/// than this many, nothing is told but that none fits.
const MANIFOLD: u64 = 5_000;

/// The compiled rules for one resource.
#[derive(Debug)]
pub struct Rules {
    fields: Vec<Rule>,
    /// For each action, in their order; none where no body is expected.
    inputs: Vec<Option<Form>>,
}

#[derive(Debug)]
struct Rule {
    /// Where the field stands in a body.
    pointer: String,
    form: Form,
    kind: Option<ColumnKind>,
}

/// A schema, ready to be used.
#[derive(Debug)]
struct Form {
    validator: Validator,
    spread: Spread,
}

/// A schema that is none. The declaration is checked before, so this is a defect of that check.
#[derive(Debug, thiserror::Error)]
#[error("the schema of `{place}` cannot be used: {why}")]
pub struct RuleError {
    place: String,
    why: String,
}

impl Rules {
    /// Compiles them.
    pub fn of(resource: &Resource) -> Result<Self, RuleError> {
        let compiled = |place: &str, schema: &Value| {
            let place = format!("{}.{place}", resource.name);
            let validator = compile(schema).map_err(|error| RuleError { place, why: error.to_string() })?;
            Ok(Form { validator, spread: Spread::of(schema) })
        };
        let fields = resource.fields.iter().map(|field| {
            let (pointer, kind) = (format!("/{}", field.name), ColumnKind::of(field));
            Ok(Rule { pointer, form: compiled(&field.name, &field.schema)?, kind })
        });
        let inputs = resource
            .actions
            .iter()
            .map(|action| action.input.as_ref().map(|schema| compiled(&action.name, schema)).transpose());
        Ok(Self { fields: fields.collect::<Result<_, _>>()?, inputs: inputs.collect::<Result<_, _>>()? })
    }

    /// Checks the value of a field, by its place in `Resource::fields`.
    pub(super) fn check(&self, place: usize, field: &Field, value: &Value, written: &Written<'_>, faults: &mut Faults) {
        let Some(Rule { pointer, form, kind }) = self.fields.get(place) else { return };
        if value.is_null() {
            if !field.is_nullable() {
                faults.add(pointer, FieldCode::InvalidType, "It cannot be null.");
            }
            return;
        }
        check(form, pointer, value, &|limit| written(&field.name, limit), faults);
        if *kind == Some(ColumnKind::Moment) && value.as_str().is_some_and(|text| moment(text).is_none()) {
            faults.add(pointer, FieldCode::InvalidFormat, "It must be a moment such as 2026-11-15T08:00:00Z.");
        }
    }

    /// What can be written in several ways is told in one. `7.0` and `1e2` are whole numbers, and typed clients read no
    /// fraction where none was declared; ids are in small letters, as in addresses.
    pub(super) fn in_one_way(&self, place: usize, value: Value) -> Value {
        let kind = self.fields.get(place).and_then(|rule| rule.kind);
        match kind.filter(|kind| matches!(kind, ColumnKind::Integer | ColumnKind::Id)).map(|kind| kind.cell(&value)) {
            Some(Cell::Integer(number)) => Value::from(number),
            Some(Cell::Id(id)) => Value::String(id.hyphenated().to_string()),
            _ => value,
        }
    }

    /// Could a field have this value, by its place in `Resource::fields`?
    pub(crate) fn accepts(&self, place: usize, value: &Value) -> bool {
        self.fields.get(place).is_some_and(|rule| rule.form.validator.is_valid(value))
    }

    /// Checks the body of an action, by its place in `Resource::actions`.
    pub fn check_input(&self, place: usize, input: &Value, faults: &mut Faults) {
        match self.inputs.get(place).and_then(Option::as_ref) {
            Some(form) => check(form, "", input, &|limit| as_is("", limit), faults),
            None => {
                for name in input.as_object().into_iter().flat_map(|members| members.keys()) {
                    let pointer = format!("/{}", escape(name));
                    faults.add(&pointer, FieldCode::Unknown, "This action takes no body.");
                }
            }
        }
    }
}

fn compile(schema: &Value) -> Result<Validator, jsonschema::ValidationError<'static>> {
    // The engine behind `regex` is linear in the length of the text, whatever the pattern.
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_pattern_options(PatternOptions::regex())
        .should_validate_formats(true)
        .build(schema)
}

fn check(form: &Form, pointer: &str, value: &Value, written: &dyn Fn(&Value) -> Option<Value>, faults: &mut Faults) {
    let Form { validator, spread } = form;
    let mut place = Place { field: pointer, steps: Vec::new(), seen: 0, deepest: 0 };
    look_through(&mut place, value, faults);
    if spread.is_straight() && place.seen > LARGE {
        if let Err(error) = validator.validate(value) {
            code::note(faults, pointer, &error, written);
        }
    } else if !validator.is_valid(value) {
        if !spread.is_straight() && spread.over(place.seen, place.deepest) > MANIFOLD {
            faults.add(pointer, FieldCode::InvalidValue, "It fits none of the forms that are declared for it.");
            return;
        }
        // A hostile body has a fault in each of its thousands of items: nobody reads more than the first few.
        for error in validator.iter_errors(value).take(MOST + 1) {
            code::note(faults, pointer, &error, written);
        }
    }
}

/// A place in a body, written down only where something is wrong.
struct Place<'a> {
    field: &'a str,
    steps: Vec<Step<'a>>,
    /// Values that were looked at so far.
    seen: usize,
    /// So many steps led to the one that is deepest inside.
    deepest: usize,
}

enum Step<'a> {
    Member(&'a str),
    Item(usize),
}

impl Place<'_> {
    fn pointer(&self) -> String {
        let mut pointer = self.field.to_owned();
        for step in &self.steps {
            pointer.push('/');
            match step {
                Step::Member(name) => pointer.push_str(&escape(name)),
                Step::Item(number) => pointer.push_str(&number.to_string()),
            }
        }
        pointer
    }
}

/// What no schema says, and no store can hold.
fn look_through<'a>(place: &mut Place<'a>, value: &'a Value, faults: &mut Faults) {
    place.seen += 1;
    place.deepest = place.deepest.max(place.steps.len());
    match value {
        Value::Number(number) if number.as_f64().is_none_or(|number| number.abs() > LARGEST) => {
            let told = "Numbers go from -9007199254740991 to 9007199254740991.";
            faults.add(&place.pointer(), FieldCode::OutOfRange, told);
        }
        Value::String(text) if text.contains('\0') => {
            faults.add(&place.pointer(), FieldCode::InvalidFormat, "Text cannot hold the character U+0000.");
        }
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                place.steps.push(Step::Item(number));
                look_through(place, item, faults);
                place.steps.pop();
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                if name.contains('\0') {
                    faults.add(&place.pointer(), FieldCode::InvalidFormat, "Names cannot hold the character U+0000.");
                }
                place.steps.push(Step::Member(name));
                look_through(place, member, faults);
                place.steps.pop();
            }
        }
        _ => {}
    }
}
