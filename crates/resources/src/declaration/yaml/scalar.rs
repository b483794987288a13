//! What a plain word is: the core schema of YAML 1.2 (§10.3.2), and nothing of YAML 1.1.

use serde_json::Number;

use super::Tree;

/// Reads a word that stands without quotes. Some numbers cannot be told in JSON: then it is said why.
pub(super) fn plain(text: &str) -> Result<Tree, &'static str> {
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => Tree::Null,
        "true" | "True" | "TRUE" => Tree::Bool(true),
        "false" | "False" | "FALSE" => Tree::Bool(false),
        ".nan" | ".NaN" | ".NAN" => return Err("There is no such number in JSON."),
        _ => match number(text) {
            Some(number) => Tree::Number(number.ok_or(TOO_LARGE)?),
            None => Tree::Text(text.to_owned()),
        },
    })
}

const TOO_LARGE: &str = "This number is too large. Put it into quotes if it is a text.";

/// The number that a word is. Inside: none if it cannot be kept.
fn number(text: &str) -> Option<Option<Number>> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if let Some(digits) = text.strip_prefix("0o") {
        return is_all(digits, |digit| matches!(digit, b'0'..=b'7')).then(|| radix(digits, 8));
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return is_all(digits, |digit| digit.is_ascii_hexdigit()).then(|| radix(digits, 16));
    }
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return Some(None);
    }
    if is_all(unsigned, |digit| digit.is_ascii_digit()) {
        let text = text.strip_prefix('+').unwrap_or(text);
        let signed = text.parse::<i64>().ok().map(Number::from);
        return Some(signed.or_else(|| text.parse::<u64>().ok().map(Number::from)));
    }
    // Rust reads exactly the floats of the core schema, once the words for what is no number are out of the way.
    let is_float = unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && unsigned.bytes().any(|byte| byte.is_ascii_digit());
    is_float.then(|| text.parse::<f64>().ok()).flatten().map(Number::from_f64)
}

fn radix(digits: &str, radix: u32) -> Option<Number> {
    u64::from_str_radix(digits, radix).ok().map(Number::from)
}

fn is_all(digits: &str, is_digit: impl Fn(u8) -> bool) -> bool {
    !digits.is_empty() && digits.bytes().all(is_digit)
}
