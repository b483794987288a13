//! The same value, written in two ways. Which way it goes follows from the type on the side it goes to.

use jiff::Timestamp;
use serde_json::{Number, Value};

use crate::model::Codec;

/// Digits after the point that a number can have and still be counted.
const MOST_DIGITS: u32 = 15;

impl Codec {
    /// A value of the older side as the newer one writes it. None: it cannot be written so.
    pub(super) fn up(&self, value: &Value, newer: &str) -> Option<Value> {
        match self {
            Self::Map(pairs) => pairs.iter().find(|(old, _)| old == value).map(|(_, new)| new.clone()),
            _ => self.write(value, newer),
        }
    }

    /// A value of the newer side as the older one writes it.
    pub(super) fn down(&self, value: &Value, older: &str) -> Option<Value> {
        match self {
            Self::Map(pairs) => pairs.iter().find(|(_, new)| new == value).map(|(old, _)| old.clone()),
            _ => self.write(value, older),
        }
    }

    fn write(&self, value: &Value, kind: &str) -> Option<Value> {
        if value.is_null() {
            return Some(Value::Null);
        }
        match self {
            Self::Decimal(digits) => decimal(value, *digits, kind),
            Self::Text => text(value, kind),
            // What is finer is cut off: a moment that is shown roughly is better than none.
            Self::Epoch => moment(value, kind, Timestamp::from_second, Timestamp::as_second),
            Self::EpochMillis => moment(value, kind, Timestamp::from_millisecond, Timestamp::as_millisecond),
            Self::List => list(value, kind),
            Self::Map(_) => None,
        }
    }
}

fn decimal(value: &Value, digits: u32, kind: &str) -> Option<Value> {
    let scale = 10_i64.checked_pow(digits.min(MOST_DIGITS))?;
    match kind {
        "integer" => match value {
            Value::String(text) => count(text, digits).map(Value::from),
            // Through its shortest text: `12.34` times 100 is not quite 1234.
            Value::Number(number) => count(&number.to_string(), digits).map(Value::from),
            _ => None,
        },
        "string" => {
            let number = value.as_i64()?;
            let (whole, rest) = (number / scale, (number % scale).unsigned_abs());
            let sign = if number < 0 && whole == 0 { "-" } else { "" };
            let width = digits as usize;
            Some(Value::String(if digits == 0 { whole.to_string() } else { format!("{sign}{whole}.{rest:0width$}") }))
        }
        #[allow(clippy::cast_precision_loss, reason = "stored numbers are below 2^53")]
        "number" => Number::from_f64(value.as_i64()? as f64 / scale as f64).map(Value::Number),
        _ => None,
    }
}

/// `12.34` with two digits is 1234; what has more digits, or another form, is nothing.
fn count(text: &str, digits: u32) -> Option<i64> {
    let (sign, bare) = text.strip_prefix('-').map_or((1, text), |bare| (-1, bare));
    let (whole, rest) = bare.split_once('.').unwrap_or((bare, ""));
    let rest = rest.trim_end_matches('0');
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_formed = !whole.is_empty() && all_digits(whole) && all_digits(rest) && !bare.ends_with('.');
    if !is_formed || rest.len() > digits as usize || whole.len() > 16 {
        return None;
    }
    let padded = format!("{whole}{rest:0<width$}", width = digits as usize);
    padded.parse::<i64>().ok()?.checked_mul(sign)
}

fn text(value: &Value, kind: &str) -> Option<Value> {
    match (kind, value) {
        ("string", Value::Number(number)) => Some(Value::String(number.to_string())),
        ("string", Value::Bool(flag)) => Some(Value::String(flag.to_string())),
        ("boolean", Value::String(text)) => text.parse().ok().map(Value::Bool),
        ("integer", Value::String(text)) => {
            let number: i64 = text.parse().ok()?;
            (number.to_string() == *text).then(|| Value::from(number))
        }
        ("number", Value::String(text)) => {
            let number: Number = serde_json::from_str(text).ok()?;
            Some(Value::Number(number))
        }
        _ => None,
    }
}

fn moment(
    value: &Value,
    kind: &str,
    of_number: impl Fn(i64) -> Result<Timestamp, jiff::Error>,
    to_number: impl Fn(Timestamp) -> i64,
) -> Option<Value> {
    match (kind, value) {
        ("string", Value::Number(number)) => {
            of_number(number.as_i64()?).ok().map(|moment| Value::String(moment.to_string()))
        }
        ("integer", Value::String(text)) => Some(Value::from(to_number(text.parse().ok()?))),
        _ => None,
    }
}

fn list(value: &Value, kind: &str) -> Option<Value> {
    match (kind, value) {
        ("array", Value::Array(_)) => None,
        ("array", one) => Some(Value::Array(vec![one.clone()])),
        (_, Value::Array(items)) => Some(items.first().cloned().unwrap_or(Value::Null)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
