//! A user of the shop: which fields it has, and what may stand in them. Knows no HTTP but the problem that it reports.

use serde_json::{Map, Value, json};
use uuid::Uuid;
use valetkey_rest::{FieldCode, FieldError, Problem, problem::catalogue};

/// The fields, in the order of bodies.
pub const FIELDS: [&str; 4] = ["name", "email", "address", "tags"];

/// Integers beyond this are not the same in every reader of JSON.
const MAX_INTEGER: u64 = (1 << 53) - 1;

/// The fields of a user that passed the checks. What was not sent is null.
#[derive(Debug, Clone, PartialEq)]
pub struct User(Map<String, Value>);

impl User {
    /// Checks what a client sent. `own` is what the server set on the row it was sent for: that may stand in a body.
    pub fn check(body: Value, own: Option<&Value>) -> Result<Self, Problem> {
        let Value::Object(mut members) = body else {
            return Err(Problem::new(&catalogue::UNPROCESSABLE)
                .detail("A user is a JSON object.")
                .field(FieldError::new("", FieldCode::InvalidType).pointer("")));
        };
        let mut errors = Errors::default();
        for name in ["id", "links"] {
            errors.read_only(name, members.remove(name), own.and_then(|own| own.get(name)));
        }
        for name in members.keys().filter(|name| !FIELDS.contains(&name.as_str())) {
            errors.add(name, FieldCode::Unknown, "A user has no such field.");
        }
        let mut fields = Map::new();
        for name in FIELDS {
            let value = members.remove(name);
            check_field(name, value.as_ref(), &mut errors);
            fields.insert(name.to_owned(), value.unwrap_or_default());
        }
        errors.finish().map(|()| Self(fields))
    }

    /// The address, which no two users share.
    pub fn email(&self) -> &str {
        self.0["email"].as_str().unwrap_or_default()
    }

    /// The body that clients see, or the part of it that they asked for.
    pub fn body(&self, id: Uuid, prefix: &str, wanted: Option<&[String]>) -> Value {
        let mut members = self.0.clone();
        members.insert("id".to_owned(), json!(id));
        members.insert("links".to_owned(), json!({"self": format!("/api{prefix}/users/{id}")}));
        if let Some(wanted) = wanted {
            members.retain(|name, _| wanted.contains(name));
        }
        Value::Object(members)
    }
}

fn check_field(name: &'static str, value: Option<&Value>, errors: &mut Errors) {
    let required = matches!(name, "name" | "email");
    match (name, value) {
        (_, None) if required => errors.add(name, FieldCode::Required, "This field is required."),
        (_, None) => {}
        (_, Some(Value::Null)) if !required => {}
        ("name", Some(Value::String(text))) => match text.chars().count() {
            0 => errors.add(name, FieldCode::TooShort, "A name has at least one character."),
            1..=200 => {}
            _ => errors.add(name, FieldCode::TooLong, "A name has at most 200 characters."),
        },
        ("email", Some(Value::String(text))) => {
            if !is_email(text) {
                errors.add(name, FieldCode::InvalidFormat, "This is no e-mail address.");
            }
        }
        ("address", Some(Value::Object(members))) => {
            for part in ["street", "postal_code", "city", "country"] {
                if members.get(part).is_some_and(|value| !value.is_string()) {
                    errors.push(&format!("/address/{part}"), FieldCode::InvalidType, "This is a text.");
                }
            }
            check_numbers("/address", &Value::Object(members.clone()), errors);
        }
        ("tags", Some(Value::Array(items))) => {
            for (at, _) in items.iter().enumerate().filter(|(_, item)| !item.is_string()) {
                errors.push(&format!("/tags/{at}"), FieldCode::InvalidType, "A tag is a text.");
            }
        }
        (_, Some(_)) => errors.add(name, FieldCode::InvalidType, "The value has another type than this field."),
    }
}

/// An address may have members that nobody declared; their numbers must still mean the same to everyone.
fn check_numbers(pointer: &str, value: &Value, errors: &mut Errors) {
    match value {
        Value::Number(number) => {
            let whole = number.is_u64() || number.is_i64() || number.as_f64().is_some_and(|float| float.fract() == 0.0);
            let size =
                number.as_i64().map_or(number.as_f64().unwrap_or_default().abs(), |int| int.unsigned_abs() as f64);
            if whole && size > MAX_INTEGER as f64 {
                errors.push(pointer, FieldCode::OutOfRange, "Integers reach from -(2^53-1) to 2^53-1.");
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                check_numbers(&format!("{pointer}/{at}"), item, errors);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let step = name.replace('~', "~0").replace('/', "~1");
                check_numbers(&format!("{pointer}/{step}"), member, errors);
            }
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// One `@` between a local part and a domain of labels: enough to catch a slip, without a claim that mail arrives.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let dots = |part: &str| !part.starts_with('.') && !part.ends_with('.') && !part.contains("..");
    let label = |label: &str| {
        !label.is_empty()
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let word = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c);
    text.len() <= 254 && !local.is_empty() && dots(local) && local.chars().all(word) && domain.split('.').all(label)
}

/// What is wrong with a body, all of it.
#[derive(Default)]
struct Errors(Vec<FieldError>);

impl Errors {
    fn add(&mut self, name: &str, code: FieldCode, detail: &'static str) {
        let step = name.replace('~', "~0").replace('/', "~1");
        self.0.push(FieldError::new(name.to_owned(), code).pointer(format!("/{step}")).detail(detail));
    }

    fn push(&mut self, pointer: &str, code: FieldCode, detail: &'static str) {
        let name = pointer.trim_start_matches('/').replace('/', ".");
        self.0.push(FieldError::new(name, code).pointer(pointer.to_owned()).detail(detail));
    }

    /// A client that sends back what it was given changes nothing.
    fn read_only(&mut self, name: &str, sent: Option<Value>, own: Option<&Value>) {
        if sent.is_some() && sent.as_ref() != own {
            self.add(name, FieldCode::ReadOnly, "The server sets this field.");
        }
    }

    /// One missing field makes it 400, whatever else is wrong.
    fn finish(self) -> Result<(), Problem> {
        if self.0.is_empty() {
            return Ok(());
        }
        let missing = self.0.iter().any(|error| error.code == FieldCode::Required);
        let kind = if missing { &catalogue::BAD_REQUEST } else { &catalogue::UNPROCESSABLE };
        Err(Problem::new(kind).detail("The user cannot be saved; `errors` names what is wrong.").with_fields(self.0))
    }
}
