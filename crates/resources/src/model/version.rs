//! Versions of an API: the days of their lives, and what changed from one to the next.

use std::fmt;

use jiff::civil::Date;
use serde_json::Value;

use super::{Field, Operation};

/// One version. States follow from the dates and the clock alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// The N of `/v<N>/`.
    pub number: u32,
    /// The day it came out.
    pub released: Date,
    /// The day from which new use is discouraged.
    pub deprecated: Option<Date>,
    /// The day from which it is still usable, with strong warnings.
    pub sunset: Option<Date>,
    /// The day from which it is gone.
    pub removed: Option<Date>,
    /// Where people read about its end.
    pub notice: Option<String>,
    /// What is gone already once its sunset has come.
    pub gone: Vec<Gone>,
    /// What changed since the version before, in order.
    pub changes: Vec<Step>,
}

/// A part of the API that goes before the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gone {
    /// The resource, by its name in that version.
    pub resource: String,
    /// Which operation; none means all of them.
    pub operation: Option<Operation>,
    /// Which action, if the operation is to act; none means all of them.
    pub action: Option<String>,
}

/// As declarations write it: `orders`, `orders.delete`, `orders.cancel`.
impl fmt::Display for Gone {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.resource)?;
        match (&self.action, self.operation) {
            (Some(action), _) => write!(out, ".{action}"),
            (None, Some(operation)) => write!(out, ".{}", operation.as_str()),
            (None, None) => Ok(()),
        }
    }
}

/// One change from a version to the next, with what it takes to go back.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The resource, by its name in the newer version, or the older one if the newer has it no more.
    pub resource: String,
    /// What changed.
    pub change: Change,
    /// May something be lost on the way back?
    pub is_lossy: bool,
}

/// What can change. `from` is the older side, `to` the newer.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// The resource had another name.
    ResourceRenamed {
        /// The plural it had.
        from: String,
        /// The singular it had.
        singular: String,
    },
    /// The resource is new.
    ResourceAdded,
    /// The resource is served no more. It stays declared, for the older version.
    ResourceRemoved,
    /// A field had another name.
    Renamed {
        /// Before.
        from: String,
        /// Since.
        to: String,
    },
    /// The values of a field were written in another way.
    Retyped {
        /// Its name.
        field: String,
        /// The JSON Schema it had.
        from: Value,
        /// How one is made from the other.
        codec: Codec,
    },
    /// A field is new.
    Added {
        /// Its name.
        field: String,
        /// What rows get that are made by the older version; none means the default, or null.
        value: Option<Value>,
    },
    /// A field is shown no more.
    Removed {
        /// Its name.
        field: String,
        /// As it was declared, where it is stored no more. It is shown with its default, or as null.
        from: Option<Box<Field>>,
    },
    /// Values of an enumeration had other words.
    Reworded {
        /// The field.
        field: String,
        /// Older word and newer word, for what is written.
        values: Vec<(Value, Value)>,
        /// Newer word and older word, for what is only shown.
        shown: Vec<(Value, Value)>,
    },
    /// A value stood at another place in the document.
    Moved {
        /// Before: names of members, from the outside in.
        from: Vec<String>,
        /// Since.
        to: Vec<String>,
    },
    /// An operation answered with another status.
    Status {
        /// Which.
        operation: Operation,
        /// Before.
        from: u16,
    },
    /// An action had another name.
    ActionRenamed {
        /// Before.
        from: String,
        /// Since.
        to: String,
    },
    /// An action is new.
    ActionAdded(String),
    /// An action is offered no more. It stays declared, for the older version.
    ActionRemoved(String),
    /// An operation is new.
    OperationAdded(Operation),
    /// An operation is offered no more. It stays declared, for the older version.
    OperationRemoved(Operation),
}

/// How a value is written in another way. Each goes both ways, by the types on its sides.
#[derive(Debug, Clone, PartialEq)]
pub enum Codec {
    /// `"12.34"` or `12.34` and `1234`: so many digits after the point.
    Decimal(u32),
    /// `"7"`, `"true"` and `7`, `true`.
    Text,
    /// Seconds since 1970 and `2026-11-15T08:00:00Z`.
    Epoch,
    /// The same in milliseconds.
    EpochMillis,
    /// One value and a list with this value.
    List,
    /// Value by value: older and newer.
    Map(Vec<(Value, Value)>),
}

impl Version {
    /// The only version of an API that declares none.
    pub fn only() -> Self {
        Self::new(1, Date::constant(1970, 1, 1))
    }

    /// A version that came out on this day.
    pub fn new(number: u32, released: Date) -> Self {
        Self {
            number,
            released,
            deprecated: None,
            sunset: None,
            removed: None,
            notice: None,
            gone: Vec::new(),
            changes: Vec::new(),
        }
    }
}
