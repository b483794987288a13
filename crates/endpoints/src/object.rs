//! A JSON object, written member by member. Most texts in our answers have nothing that JSON escapes, which is seen at a
//! glance; a serializer looks at each letter.

use axum::body::Body;
use uuid::Uuid;

/// About so many bytes an answer has.
const BYTES: usize = 512;

/// An object that is being written. Names are ours, and have nothing to escape.
pub(crate) struct Object(String);

impl Object {
    /// An empty one.
    pub(crate) fn new() -> Self {
        let mut text = String::with_capacity(BYTES);
        text.push('{');
        Self(text)
    }

    /// A text.
    #[must_use]
    pub(crate) fn text(mut self, name: &'static str, value: &str) -> Self {
        self.name(name);
        if has_escapes(value) {
            self.0.push_str(&serde_json::Value::from(value).to_string());
        } else {
            self.0.push('"');
            self.0.push_str(value);
            self.0.push('"');
        }
        self
    }

    /// A text, if there is one.
    #[must_use]
    pub(crate) fn text_if(self, name: &'static str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.text(name, value),
            None => self,
        }
    }

    /// An id.
    #[must_use]
    pub(crate) fn id(self, name: &'static str, id: Uuid) -> Self {
        self.text(name, id.hyphenated().encode_lower(&mut Uuid::encode_buffer()))
    }

    /// A number.
    #[must_use]
    pub(crate) fn number(mut self, name: &'static str, number: impl itoa::Integer) -> Self {
        self.name(name);
        self.0.push_str(itoa::Buffer::new().format(number));
        self
    }

    /// True or false.
    #[must_use]
    pub(crate) fn flag(mut self, name: &'static str, is: bool) -> Self {
        self.name(name);
        self.0.push_str(if is { "true" } else { "false" });
        self
    }

    /// Another object.
    #[must_use]
    pub(crate) fn object(mut self, name: &'static str, object: Self) -> Self {
        self.name(name);
        self.0.push_str(&object.end());
        self
    }

    /// The text.
    fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }

    fn name(&mut self, name: &str) {
        self.0.push_str(if self.0.len() > 1 { ",\"" } else { "\"" });
        self.0.push_str(name);
        self.0.push_str("\":");
    }
}

impl From<Object> for Body {
    fn from(object: Object) -> Self {
        object.end().into()
    }
}

/// All letters are looked at, even after one that is found: that goes many at a time.
fn has_escapes(text: &str) -> bool {
    text.bytes().fold(false, |has, byte| has | (byte < b' ') | (byte == b'"') | (byte == b'\\'))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_reader_gets_back_what_was_written() {
        let all: String = (0..0x250).filter_map(char::from_u32).chain("\"\\ 🔑".chars()).collect();
        let id = Uuid::from_u128(7);

        let inner = Object::new().text("plain", "x");
        let text = Object::new()
            .flag("active", true)
            .text("all", &all)
            .text_if("none", None)
            .text_if("some", Some(""))
            .number("exp", -5_i64)
            .id("jti", id)
            .object("cnf", inner)
            .object("empty", Object::new())
            .end();

        let expected = json!({
            "active": true, "all": all, "some": "", "exp": -5, "jti": id, "cnf": { "plain": "x" }, "empty": {},
        });
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);
    }

    #[test]
    fn each_letter_that_json_escapes_is_found_alone() {
        for letter in (0..0x250).filter_map(char::from_u32) {
            let text = format!("before{letter}after, and so on for a while");
            let written = serde_json::to_string(&letter).unwrap();
            let is_escaped = written != format!("\"{letter}\"");

            assert_eq!(has_escapes(&text), is_escaped, "{letter:?}");
        }
    }
}
