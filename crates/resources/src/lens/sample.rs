//! Documents that could be sent: made from schemas, the same ones each time.

use serde_json::{Map, Number, Value, json};

use crate::model::Field;

/// A source of numbers that repeats itself from the same seed (splitmix64).
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.roll() % end.max(1)
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(usize::try_from(self.below(of.len() as u64)).unwrap_or_default())
    }
}

/// A document of these fields.
pub(super) fn document(fields: &[Field], dice: &mut Dice) -> Map<String, Value> {
    let value = |field: &Field, dice: &mut Dice| {
        if field.is_nullable() && dice.below(4) == 0 { Value::Null } else { value(&field.schema, dice, 0) }
    };
    fields.iter().map(|field| (field.name.clone(), value(field, dice))).collect()
}

/// A value that fits a schema, as far as that can be made without trying. Where it cannot, its first example, or null.
fn value(schema: &Value, dice: &mut Dice, depth: usize) -> Value {
    if let Some(only) = schema.get("const") {
        return only.clone();
    }
    if let Some(value) = schema.get("enum").and_then(Value::as_array).and_then(|values| dice.pick(values)) {
        return value.clone();
    }
    let kind = match schema.get("type") {
        Some(Value::String(kind)) => kind.as_str(),
        Some(Value::Array(kinds)) => dice.pick(kinds).and_then(Value::as_str).unwrap_or("null"),
        _ => "string",
    };
    match kind {
        "integer" => integer(schema, dice),
        "number" => {
            let whole = integer(schema, dice).as_f64().unwrap_or_default();
            let is_whole = schema.get("multipleOf").is_some();
            // Not every number has two digits after the point.
            let parts = [1.0, 2.0, 100.0, 1_000.0];
            let number = if is_whole { whole } else { whole / dice.pick(&parts).copied().unwrap_or(1.0) };
            let is_inside = schema.get("minimum").and_then(Value::as_f64).is_none_or(|least| number >= least);
            Number::from_f64(if is_inside { number } else { whole }).map_or(Value::Null, Value::Number)
        }
        "boolean" => Value::Bool(dice.below(2) == 0),
        "array" => {
            let items = schema.get("items").unwrap_or(&Value::Null);
            let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
            let count = least + if depth < 3 { dice.below(3) } else { 0 };
            Value::Array((0..count).map(|_| value(items, dice, depth + 1)).collect())
        }
        "object" => object(schema, dice, depth),
        "string" => text(schema, dice),
        _ => Value::Null,
    }
}

fn integer(schema: &Value, dice: &mut Dice) -> Value {
    let bound = |name: &str| schema.get(name).and_then(Value::as_i64);
    let least = bound("minimum").or(bound("exclusiveMinimum").map(|bound| bound + 1)).unwrap_or(-1_000_000);
    let most =
        bound("maximum").or(bound("exclusiveMaximum").map(|bound| bound - 1)).unwrap_or(1_000_000_000).max(least);
    let step = bound("multipleOf").unwrap_or(1).max(1);
    let span = u64::try_from(most.saturating_sub(least)).unwrap_or(0).saturating_add(1);
    let number = least.saturating_add(i64::try_from(dice.below(span)).unwrap_or(0));
    json!(number - number.rem_euclid(step) + if number.rem_euclid(step) == 0 { 0 } else { step.min(most - number) })
}

fn object(schema: &Value, dice: &mut Dice, depth: usize) -> Value {
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let mut made = Map::new();
    for (name, inner) in members {
        if required.contains(&name.as_str()) || (depth < 3 && dice.below(3) > 0) {
            made.insert(name.clone(), value(inner, dice, depth + 1));
        }
    }
    Value::Object(made)
}

fn text(schema: &Value, dice: &mut Dice) -> Value {
    let number = dice.below(1_000_000);
    let made = match schema.get("format").and_then(Value::as_str) {
        Some("date-time") => {
            // Clocks show parts of a second.
            let micros = i64::try_from(number * 2_000_000_000 + dice.below(3) * 250_001).unwrap_or(0);
            jiff::Timestamp::from_microsecond(micros).unwrap_or_default().to_string()
        }
        Some("date") => format!("20{:02}-{:02}-{:02}", number % 100, 1 + number % 12, 1 + number % 28),
        Some("time") => format!("{:02}:{:02}:{:02}Z", number % 24, number % 60, number % 60),
        Some("email") => format!("person{number}@example.com"),
        Some("uuid") => uuid::Uuid::from_u128(u128::from(number) << 64 | u128::from(dice.roll())).to_string(),
        Some("uri" | "url") => format!("https://example.com/{number}"),
        Some(_) => return schema.pointer("/examples/0").cloned().unwrap_or(Value::Null),
        None if schema.get("pattern").is_some() => {
            return schema.pointer("/examples/0").cloned().unwrap_or(Value::Null);
        }
        None => {
            let bound = |name: &str| schema.get(name).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
            let least = bound("minLength").unwrap_or(0);
            let most = bound("maxLength").unwrap_or(12).max(least).min(least + 40);
            let letters: Vec<char> = "aB7 äß\u{1f511}_\"\\/.".chars().collect();
            let length = least + usize::try_from(dice.below((most - least) as u64 + 1)).unwrap_or(0);
            (0..length).filter_map(|_| dice.pick(&letters).copied()).collect()
        }
    };
    Value::String(made)
}
