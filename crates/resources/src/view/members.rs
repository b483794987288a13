//! Takes an object apart as this server writes it: without blanks, and with names that need no escaping. What is simple is seen
//! to be sound on the way, which is most of what a row costs; what is not is left to a reader.

use serde::de::IgnoredAny;

/// Finds names and values as they stand in the text. Answers whether the names are these (each with its quotes and its colon),
/// all of them and in this order, for which they are looked at first; none if the object was written in another way.
pub(super) fn members<'a>(object: &'a str, names: &[String], found: &mut Vec<(&'a str, &'a str)>) -> Option<bool> {
    let bytes = object.as_bytes();
    let mut at = match bytes {
        b"{}" => return Some(names.is_empty()),
        [b'{', b'"', ..] => 1,
        _ => return None,
    };
    let (mut names, mut are_these) = (names.iter(), true);
    while *bytes.get(at)? == b'"' {
        let known = names.next().filter(|name| bytes[at..].starts_with(name.as_bytes()));
        are_these &= known.is_some();
        let from = match known {
            Some(name) => at + name.len(),
            None => at + 3 + plain(bytes.get(at + 1..)?),
        };
        if known.is_none() && bytes.get(from - 2..from)? != b"\":" {
            return None;
        }
        let name = object.get(at + 1..from - 2)?;
        at = end(object, from)?;
        found.push((name, object.get(from..at)?));
        match *bytes.get(at)? {
            b',' => at += 1,
            b'}' if at + 1 == bytes.len() => return Some(are_these && names.next().is_none()),
            _ => return None,
        }
    }
    None
}

/// Behind the value that begins there, if it is one.
fn end(object: &str, from: usize) -> Option<usize> {
    let bytes = object.as_bytes();
    let (to, is_simple) = match *bytes.get(from)? {
        b'"' => text_end(bytes, from + 1)?,
        b'{' | b'[' => (nest_end(bytes, from + 1)?, false),
        _ => {
            let to = from + bytes[from..].iter().position(|byte| matches!(byte, b',' | b'}'))?;
            (to, is_whole_or_word(&bytes[from..to]))
        }
    };
    let is_value = is_simple || serde_json::from_str::<IgnoredAny>(object.get(from..to)?).is_ok();
    is_value.then_some(to)
}

/// A whole number or a word of JSON.
fn is_whole_or_word(bytes: &[u8]) -> bool {
    let digits = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let is_whole = digits.iter().all(u8::is_ascii_digit) && (digits == b"0" || !matches!(digits, [] | [b'0', ..]));
    is_whole || matches!(bytes, b"true" | b"false" | b"null")
}

/// Behind the text that was begun, and whether it has nothing that is escaped.
fn text_end(bytes: &[u8], mut at: usize) -> Option<(usize, bool)> {
    let mut is_plain = true;
    loop {
        at += plain(bytes.get(at..)?);
        match *bytes.get(at)? {
            b'"' => return Some((at + 1, is_plain)),
            b'\\' => (at, is_plain) = (at + 2, false),
            // No text has a control character as it is.
            _ => return None,
        }
    }
}

/// Behind the object or array that was begun. Whether it is one is not seen here.
fn nest_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 1_usize;
    while depth > 0 {
        let byte = *bytes.get(at)?;
        at += 1;
        match byte {
            b'"' => at = text_end(bytes, at)?.0,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    Some(at)
}

/// How many bytes come before the next quote, backslash or control character. Eight at a time.
fn plain(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(word) = bytes[at..].first_chunk() {
        let word = u64::from_le_bytes(*word);
        let quotes = below(word ^ (ONES * u64::from(b'"')), 1);
        let slashes = below(word ^ (ONES * u64::from(b'\\')), 1);
        let found = quotes | slashes | below(word, b' ');
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + bytes[at..].iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | ..b' ')).count()
}

const ONES: u64 = u64::from_le_bytes([1; 8]);

/// The highest bit of each byte that is less than this, which is at most 128. Above the first of them there may be others.
fn below(word: u64, least: u8) -> u64 {
    word.wrapping_sub(ONES * u64::from(least)) & !word & (ONES << 7)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::*;

    fn json() -> impl Strategy<Value = Value> {
        let text = "[a-z\"\\\\{}\\[\\],:é🔑\n ]{0,20}";
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            text.prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 20, 4, move |inner| {
            let list = prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from);
            let object = prop::collection::btree_map(text, inner, 0..4);
            prop_oneof![list, object.prop_map(|object| Value::Object(object.into_iter().collect()))]
        })
    }

    /// The members of an object of which no name is known.
    fn taken_apart(text: &str) -> Option<Vec<(&str, &str)>> {
        let mut found = Vec::new();
        members(text, &[], &mut found).map(|_| found)
    }

    fn names(object: &Map<String, Value>) -> Vec<String> {
        object.keys().map(|name| format!("\"{name}\":")).collect()
    }

    proptest! {
        #[test]
        fn what_the_server_wrote_is_taken_apart_as_a_reader_would(
            object in prop::collection::btree_map("[a-z_]{1,12}", json(), 0..8)
        ) {
            let object: Map<String, Value> = object.into_iter().collect();
            let text = Value::Object(object.clone()).to_string();

            let known = names(&object);
            let mut found = Vec::new();
            prop_assert_eq!(members(&text, &known, &mut found), Some(true));
            prop_assert_eq!(&taken_apart(&text), &Some(found.clone()), "without knowing the names");

            let read: Vec<(&str, Value)> =
                found.iter().map(|(name, value)| (*name, serde_json::from_str(value).unwrap())).collect();
            let meant: Vec<(&str, Value)> = object.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
            prop_assert_eq!(read, meant);
        }

        #[test]
        fn what_is_taken_apart_is_json(inside in "[{}\\[\\]\",:\\\\a1é ]{0,24}") {
            let text = format!("{{\"a\":{inside}}}");

            let mut found = Vec::new();
            let guided = members(&text, &["\"a\":".to_owned()], &mut found);
            prop_assert_eq!(guided.map(|_| found), taken_apart(&text));
            if taken_apart(&text).is_some() {
                prop_assert!(serde_json::from_str::<Value>(&text).is_ok(), "{}", text);
            }
        }
    }

    #[test]
    fn what_was_written_in_another_way_is_left_to_others() {
        let spaced = serde_json::to_string_pretty(&json!({"a": 1, "b": [2]})).unwrap();
        let others = r#" { } [] null {}x {"a"} {"a":} {"a":1,} {"a":"b} {"a":[1} {"a\"b":1} {"a":1}} {"a":1 {"a":nope} {"a":[1}}
            {"a":[nope]} {"a":01} {"a":-} {"a":1-2} {"a":1e} {"a":truer} {"a":"\q"} {"a":1,b} {"a":{"b":}} "#;
        let blanks = [
            "",
            r#"{"a" :1}"#,
            r#"{"a": "b,c"}"#,
            r#"{"a":1 2}"#,
            "{\"a\":\"b\nc\"}",
            "{\"a\":\"a long text with a tab\tin it\"}",
        ];

        for text in others.split_whitespace().chain(blanks).chain([spaced.as_str()]) {
            assert_eq!(taken_apart(text), None, "{text}");
        }
        assert_eq!(taken_apart("{}"), Some(Vec::new()));
    }

    #[test]
    fn names_are_those_that_are_known_if_all_are_there_in_their_order() {
        let text = r#"{"a":1,"ab":"b"}"#;
        let are_these = |known: &[&str]| {
            let known: Vec<String> = known.iter().map(|name| format!("\"{name}\":")).collect();
            let mut found = Vec::new();
            let are_these = members(text, &known, &mut found);
            assert_eq!(found, [("a", "1"), ("ab", "\"b\"")], "{known:?}");
            are_these
        };

        assert_eq!(are_these(&["a", "ab"]), Some(true));
        for others in [&["ab", "a"][..], &["a"], &["a", "ab", "c"], &["a", "a"], &["a", "abc"], &[]] {
            assert_eq!(are_these(others), Some(false), "{others:?}");
        }
    }

    #[test]
    fn each_letter_that_ends_a_plain_stretch_is_found_where_it_stands() {
        for byte in 0..=u8::MAX {
            for place in 0..20 {
                let mut bytes = [b'x'; 20];
                bytes[place] = byte;
                let expected = if matches!(byte, b'"' | b'\\' | ..b' ') { place } else { 20 };

                assert_eq!(plain(&bytes), expected, "{byte} at {place}");
            }
        }
    }
}
