//! Typed columns: which fields get one, and what a document puts into them. The document is the truth; columns follow it.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Field;

/// A column beside the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The field it holds, or the path of a value inside of one: `address.city`.
    pub field: String,
    /// The type it has.
    pub kind: ColumnKind,
    /// May two rows have the same value?
    pub unique: bool,
    /// Are rows found or ordered by it?
    pub indexed: bool,
}

/// The types that both engines compare alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// A whole number of at most 53 bits.
    Integer,
    /// A number.
    Number,
    /// Text, compared byte by byte.
    Text,
    /// True or false.
    Boolean,
    /// A point in time, in microseconds.
    Moment,
    /// The id of a row.
    Id,
}

/// What stands in a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Nothing.
    Null,
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// Text.
    Text(String),
    /// True or false.
    Boolean(bool),
    /// Microseconds since 1970.
    Moment(i64),
    /// The id of a row.
    Id(Uuid),
}

impl Column {
    /// The columns of these fields: what is filtered, sorted, unique or points at a row gets one, if its type has one.
    pub fn of(fields: &[Field]) -> Vec<Self> {
        let all = fields.iter().flat_map(|field| std::iter::once(field).chain(&field.inner));
        all.filter(|field| field.filter || field.sort || field.unique || field.references.is_some())
            .filter_map(|field| {
                let indexed = field.filter || field.sort || field.references.is_some();
                let kind = ColumnKind::of(field)?;
                Some(Self { field: field.name.clone(), kind, unique: field.unique, indexed })
            })
            .collect()
    }

    /// What a document puts into this column. What does not fit the type is nothing: it cannot have passed validation.
    pub fn cell(&self, document: &Map<String, Value>) -> Cell {
        let mut steps = self.field.split('.');
        let first = steps.next().and_then(|field| document.get(field));
        let found = steps.fold(first, |here, name| here?.as_object()?.get(name));
        found.map_or(Cell::Null, |value| self.kind.cell(value))
    }
}

impl ColumnKind {
    /// The type for a field; none for objects, arrays and what may be of several types.
    pub fn of(field: &Field) -> Option<Self> {
        if field.references.is_some() {
            return Some(Self::Id);
        }
        let kind = field.schema.get("type").and_then(Value::as_str);
        let format = field.schema.get("format").and_then(Value::as_str);
        match (kind, format) {
            (Some("integer"), _) => Some(Self::Integer),
            (Some("number"), _) => Some(Self::Number),
            (Some("boolean"), _) => Some(Self::Boolean),
            (Some("string"), Some("date-time")) => Some(Self::Moment),
            (Some("string"), _) => Some(Self::Text),
            (None, _) if field.schema.get("enum").is_some_and(is_all_text) => Some(Self::Text),
            _ => None,
        }
    }

    /// A JSON value as it stands in such a column.
    pub fn cell(self, value: &Value) -> Cell {
        let cell = match self {
            Self::Integer => whole(value).map(Cell::Integer),
            Self::Number => value.as_f64().map(Cell::Number),
            Self::Text => value.as_str().map(|text| Cell::Text(text.to_owned())),
            Self::Boolean => value.as_bool().map(Cell::Boolean),
            Self::Moment => value.as_str().and_then(moment).map(Cell::Moment),
            Self::Id => value.as_str().and_then(|text| Uuid::parse_str(text).ok()).map(Cell::Id),
        };
        cell.unwrap_or(Cell::Null)
    }
}

impl Cell {
    /// What a document would have; `written` is how it was written, where that is text.
    pub fn to_json(&self, written: &str) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Integer(number) => Value::from(*number),
            Self::Number(number) => Value::from(*number),
            Self::Boolean(flag) => Value::Bool(*flag),
            Self::Text(_) | Self::Moment(_) | Self::Id(_) => Value::String(written.to_owned()),
        }
    }
}

/// A moment in microseconds since 1970. What people write when they mean the end of time, the last day of the year 9999,
/// is later than any moment that a clock here could show, and is one all the same.
pub fn moment(text: &str) -> Option<i64> {
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Some(moment.as_microsecond());
    }
    let (civil, offset) = text.split_at_checked(text.rfind(['Z', 'z', '+', '-'])?)?;
    let civil: DateTime = civil.parse().ok().filter(|_| civil.contains(['T', 't']))?;
    let is_last_year = civil.date().year() == Date::MAX.year();
    let east = match offset {
        "Z" | "z" => 0,
        _ => {
            let (hours, minutes) = offset.get(1..)?.split_once(':').filter(|_| offset.len() == "+01:00".len())?;
            let minutes = 60 * hours.parse::<i64>().ok()? + minutes.parse::<i64>().ok().filter(|part| *part < 60)?;
            if offset.starts_with('-') { -minutes } else { minutes }
        }
    };
    // The day before, at the same time, is a moment that a clock can show.
    let before = civil.checked_sub(Span::new().days(2)).ok()?.to_zoned(TimeZone::UTC).ok()?;
    let moment = before.timestamp().as_microsecond() + 2 * DAY - east * 60_000_000;
    (is_last_year && moment <= LAST).then_some(moment)
}

/// The last microsecond of the year 9999.
pub const LAST: i64 = 253_402_300_799_999_999;
/// A day, in microseconds.
const DAY: i64 = 86_400_000_000;

fn is_all_text(values: &Value) -> bool {
    values.as_array().is_some_and(|values| values.iter().all(Value::is_string))
}

/// `1.0` is a whole number too, as JSON Schema has it.
fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        let number = value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0)?;
        #[allow(clippy::cast_possible_truncation, reason = "it is whole and below 2^53")]
        Some(number as i64)
    })
}

/// So many words of a row are looked at for the search. PostgreSQL counts their positions no further.
pub const MOST_WORDS: usize = 16_383;

/// The words of a text, the same for both engines: runs of letters and digits, in lower case.
pub fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}
