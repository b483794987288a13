//! Takes an object apart as this server writes it: without blanks, and with names that need no escaping. Finds where each
//! member ends and looks no closer, which is most of what a row costs.

/// Names and values as they stand in the text. None if it was written in another way.
pub(super) fn members(object: &str) -> Option<Vec<(&str, &str)>> {
    let bytes = object.as_bytes();
    let mut at = match bytes {
        b"{}" => return Some(Vec::new()),
        [b'{', b'"', ..] => 1,
        _ => return None,
    };
    let mut found = Vec::with_capacity(16);
    while *bytes.get(at)? == b'"' {
        let name = at + 1..at + 1 + plain(bytes.get(at + 1..)?);
        let from = name.end + 2;
        if bytes.get(name.end..from)? != b"\":" {
            return None;
        }
        at = end(bytes, from)?;
        found.push((object.get(name)?, object.get(from..at)?));
        match *bytes.get(at)? {
            b',' => at += 1,
            b'}' if at + 1 == bytes.len() => return Some(found),
            _ => return None,
        }
    }
    None
}

/// Behind the value that begins there.
fn end(bytes: &[u8], from: usize) -> Option<usize> {
    match *bytes.get(from)? {
        b'"' => text_end(bytes, from + 1),
        b'{' | b'[' => nest_end(bytes, from + 1),
        b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
            let length = bytes[from..].iter().position(|byte| matches!(byte, b',' | b'}'))?;
            Some(from + length)
        }
        _ => None,
    }
}

/// Behind the text that was begun.
fn text_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += plain(bytes.get(at..)?);
        if *bytes.get(at)? == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// Behind the object or array that was begun.
fn nest_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 1_usize;
    while depth > 0 {
        let byte = *bytes.get(at)?;
        at += 1;
        match byte {
            b'"' => at = text_end(bytes, at)?,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    Some(at)
}

/// How many bytes come before the next quote or backslash. Eight at a time.
fn plain(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(word) = bytes[at..].first_chunk() {
        let word = u64::from_le_bytes(*word);
        let found = zeroes(word ^ (ONES * u64::from(b'"'))) | zeroes(word ^ (ONES * u64::from(b'\\')));
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + bytes[at..].iter().take_while(|byte| !matches!(byte, b'"' | b'\\')).count()
}

const ONES: u64 = u64::from_le_bytes([1; 8]);

/// The highest bit of each byte that is zero. Above the first of them there may be others.
fn zeroes(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & (ONES << 7)
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

    proptest! {
        #[test]
        fn what_the_server_wrote_is_taken_apart_as_a_reader_would(
            object in prop::collection::btree_map("[a-z_]{1,12}", json(), 0..8)
        ) {
            let object: Map<String, Value> = object.into_iter().collect();
            let text = Value::Object(object.clone()).to_string();

            let found = members(&text).expect("written without blanks");

            let read: Vec<(&str, Value)> =
                found.iter().map(|(name, value)| (*name, serde_json::from_str(value).unwrap())).collect();
            let meant: Vec<(&str, Value)> = object.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
            prop_assert_eq!(read, meant);
        }

        #[test]
        fn no_text_makes_it_stumble(text in "[{}\\[\\]\",:\\\\a1é ]{0,24}") {
            let _ = members(&text);
        }
    }

    #[test]
    fn what_was_written_in_another_way_is_left_to_others() {
        let spaced = serde_json::to_string_pretty(&json!({"a": 1, "b": [2]})).unwrap();

        for text in [
            "",
            "{",
            "}",
            "[]",
            "null",
            "{}x",
            r#"{"a"}"#,
            r#"{"a":}"#,
            r#"{"a":1,}"#,
            r#"{"a":"b}"#,
            r#"{"a":[1}"#,
            r#"{"a\"b":1}"#,
            r#"{"a":1}}"#,
            r#"{"a":1"#,
            r#"{"a" :1}"#,
            r#"{"a": "b,c"}"#,
            &spaced,
        ] {
            assert_eq!(members(text), None, "{text}");
        }
        assert_eq!(members("{}"), Some(Vec::new()));
    }
}
