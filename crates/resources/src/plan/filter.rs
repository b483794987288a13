//! One filter: a declared field, an operator that its type has, values of its type.

mod units;
mod words;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use serde_json::Value;
use uuid::Uuid;
use valetkey_rest::FieldCode;
use valetkey_rest::query::{Filter, FilterOp};

use self::units::Unit;
use self::words::Words;
use super::Refused;
use super::refused::one_of;
use crate::model::{self, Cell, ColumnKind, Field};
use crate::ports::{By, Condition, Test};
use crate::service::Served;

const LARGEST: i64 = 9_007_199_254_740_991;

/// The conditions that a filter means, or a note why it means none.
pub(super) fn conditions(served: &Served, filter: &Filter, refused: &mut Refused) -> Vec<Condition> {
    let tested = tested(served, filter, refused);
    tested.map(|(by, tests)| tests.into_iter().map(|test| Condition { by, test }).collect()).unwrap_or_default()
}

fn tested(served: &Served, filter: &Filter, refused: &mut Refused) -> Option<(By, Vec<Test>)> {
    let of = &served.face;
    let Some((by, kind, field)) = column(served, &filter.field) else {
        let known = of.keys().filter(|field| field.filter).map(|field| field.name.as_str());
        let told = format!(
            "{} cannot be filtered by this. {}",
            of.name,
            one_of(&filter.field, ["id"].into_iter().chain(known))
        );
        refused.add(&filter.name, FieldCode::Unknown, told);
        return None;
    };
    let is_comparison = !matches!(filter.op, FilterOp::Eq | FilterOp::Ne | FilterOp::In);
    let words = field.filter(|_| is_comparison).and_then(|field| Words::of(served, field, kind));
    if let Some(field) = field
        && let Some(unit) = Unit::of(field, kind)
        && let [value] = &filter.values[..]
        && let Ok(number) = cell(ColumnKind::Integer, Some(field), value)
        && let Some(tests) = unit.tests(filter.op, &number)
    {
        return Some((by, tests));
    }
    let cells: Option<Vec<Vec<Cell>>> = filter
        .values
        .iter()
        .map(|value| {
            let cells = match (&words, field.and_then(ColumnKind::of)) {
                (Some(_), Some(seen)) => cell(seen, field, value).map(|cell| vec![cell]),
                _ => seen_cells(served, kind, field, is_comparison, value),
            };
            if let Err((code, told)) = &cells {
                refused.add(&filter.name, *code, told.clone());
            }
            cells.ok()
        })
        .collect();
    let cells = cells?.concat();
    // In the version that asks as well as where it is stored.
    let has_order = |kind: ColumnKind| !matches!(kind, ColumnKind::Boolean | ColumnKind::Id);
    let is_ordered = has_order(kind) && field.and_then(ColumnKind::of).is_none_or(has_order);
    let mut one = || match (&cells[..], is_ordered) {
        ([cell], true) if *cell != Cell::Null => Some(cell.clone()),
        (_, true) => {
            refused.add(&filter.name, FieldCode::InvalidValue, "A comparison takes exactly one value.");
            None
        }
        (_, false) => {
            refused.add(&filter.name, FieldCode::InvalidValue, "This field has no order: use it without an operator.");
            None
        }
    };
    if let Some(words) = words {
        return Some((by, vec![words.test(filter.op, &one()?)]));
    }
    let test = match filter.op {
        FilterOp::Eq | FilterOp::In => Test::AnyOf(cells),
        FilterOp::Ne => Test::NoneOf(cells),
        FilterOp::Gt => Test::Above(one()?),
        FilterOp::Gte => Test::AtLeast(one()?),
        FilterOp::Lt => Test::Below(one()?),
        FilterOp::Lte => Test::AtMost(one()?),
    };
    Some((by, vec![test]))
}

fn column<'a>(served: &'a Served, name: &str) -> Option<(By, ColumnKind, Option<&'a Field>)> {
    if name == "id" {
        return Some((By::Id, ColumnKind::Id, None));
    }
    let field = served.face.key(name).filter(|field| field.filter)?;
    let place = served.column(name)?;
    Some((By::Column(place), served.resource.columns()[place].kind, Some(field)))
}

/// What a version writes in its own way becomes what the column has. What newer versions cannot write no row has: nothing
/// is equal to it, as it was before they came; only where it would stand in their order cannot be said.
fn seen_cells(
    served: &Served,
    kind: ColumnKind,
    field: Option<&Field>,
    is_comparison: bool,
    value: &str,
) -> Result<Vec<Cell>, (FieldCode, String)> {
    let written = field.and_then(|field| Some((field, served.lens.key(&field.name)?)));
    let Some((field, column)) = written.filter(|(_, column)| !column.is_plain()) else {
        return Ok(vec![cell(kind, field, value)?]);
    };
    let wrong = || (FieldCode::InvalidFormat, format!("`{value}` is not written in the way that this field has."));
    let seen = cell(ColumnKind::of(field).ok_or_else(wrong)?, Some(field), value)?;
    let stored = served.lens.values_up(column, written_out(&seen, value)).unwrap_or_default();
    let cells =
        stored.iter().map(|stored| Some(kind.cell(stored)).filter(|cell| *cell != Cell::Null || stored.is_null()));
    let cells: Vec<Cell> = cells.flatten().collect();
    if cells.is_empty() && is_comparison {
        return Err(wrong());
    }
    Ok(cells)
}

/// The value as a body would have it: a moment whole, even if only its day was written.
fn written_out(seen: &Cell, written: &str) -> Value {
    if let Cell::Moment(micros) = seen
        && let Ok(moment) = Timestamp::from_microsecond(*micros)
    {
        return Value::String(moment.to_string());
    }
    seen.to_json(written)
}

fn cell(kind: ColumnKind, field: Option<&Field>, value: &str) -> Result<Cell, (FieldCode, String)> {
    let wrong = |told: &str| (FieldCode::InvalidFormat, format!("`{value}` is not {told}."));
    if value == "null" && kind != ColumnKind::Text && field.is_some_and(Field::is_nullable) {
        return Ok(Cell::Null);
    }
    match kind {
        ColumnKind::Integer => {
            // JSON knows no `+1`, and neither do other parameters.
            let digits = value.strip_prefix('-').unwrap_or(value);
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(wrong("a whole number"));
            }
            let number = value.parse().ok().filter(|number| (-LARGEST..=LARGEST).contains(number));
            number.map(Cell::Integer).ok_or_else(|| (FieldCode::OutOfRange, "It is too large.".to_owned()))
        }
        ColumnKind::Number => {
            let number: Option<f64> = value.parse().ok().filter(|number: &f64| number.is_finite());
            number.map(Cell::Number).ok_or_else(|| wrong("a number"))
        }
        ColumnKind::Boolean => match value {
            "true" => Ok(Cell::Boolean(true)),
            "false" => Ok(Cell::Boolean(false)),
            _ => Err(wrong("`true` or `false`")),
        },
        ColumnKind::Moment => {
            moment(value).map(Cell::Moment).ok_or_else(|| wrong("a moment such as 2026-11-15T08:00:00Z, nor a date"))
        }
        // Of the many ways to write one, the one that answers use.
        ColumnKind::Id => {
            let id = Uuid::parse_str(value).ok().filter(|_| value.len() == 36);
            id.map(Cell::Id).ok_or_else(|| wrong("an id"))
        }
        ColumnKind::Text => {
            let options = field.and_then(|field| field.schema.get("enum")).and_then(Value::as_array);
            match options {
                Some(options) if !options.iter().any(|option| option.as_str() == Some(value)) => {
                    let known = one_of(value, options.iter().filter_map(Value::as_str));
                    Err((FieldCode::InvalidValue, format!("`{value}` is none of the values of this field. {known}")))
                }
                _ => Ok(Cell::Text(value.to_owned())),
            }
        }
    }
}

/// A date alone means its first moment, in UTC. What is later than any moment that we know means the last one.
fn moment(value: &str) -> Option<i64> {
    if value.len() == "2026-11-15".len() {
        let date: Date = value.parse().ok()?;
        return model::moment(&format!("{date}T00:00:00Z"));
    }
    // Of the many ways of ISO 8601, the one of RFC 3339, as in bodies.
    let (civil, rest) = (value.get(..19)?, value.get(19..)?);
    let is_shaped = matches!(civil.as_bytes(), [.., b'T' | b't', _, _, b':', _, _, b':', _, _])
        && !rest.contains(['[', ','])
        && (rest.ends_with(['Z', 'z'])
            || rest.rfind(['+', '-']).is_some_and(|sign| rest.len() - sign == "+01:00".len()));
    let civil: DateTime = civil.parse().ok().filter(|_| is_shaped)?;
    // West of Greenwich, the last day ends when no year is left.
    model::moment(value).or_else(|| (civil.date() == Date::MAX).then_some(model::LAST))
}

#[cfg(test)]
mod tests;
