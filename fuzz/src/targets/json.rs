//! JSON bodies: what the strict reader takes, every reader understands the same way.

use serde_json::Value;

pub const WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"a\":",
    "\"a\":1,",
    ",",
    "null",
    "true",
    "1e999",
    "-0",
    "0.1",
    "9007199254740993",
    "\\u0000",
    "\\ud800",
    "\"\\ud83d\\ude00\"",
    "1E400",
    " ",
];

pub fn check(data: &[u8]) {
    let Ok(value) = valetkey_rest::json::parse(data) else { return };
    let lenient: Value = serde_json::from_slice(data).unwrap();
    assert_eq!(lenient, value);
    let written = serde_json::to_vec(&value).unwrap();
    assert_eq!(valetkey_rest::json::parse(&written).unwrap(), value, "what was read is written and read again");
}
