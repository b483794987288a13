//! Lists: which rows, in which order, which part of them.

use super::Shown;
use crate::model::Cell;

/// So many bytes of documents one answer holds, about. A page ends early where it would hold more; one row it always has.
pub const PAGE_BYTES: usize = 4 << 20;

/// A list that was asked for, checked against the declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct ListPlan {
    /// All of these hold for each row.
    pub conditions: Vec<Condition>,
    /// All of these words stand in the searchable fields of each row. Empty: no search.
    pub search: Vec<String>,
    /// Where a version does not see every searchable field: the words must stand in what it sees.
    pub in_sight: Option<InSight>,
    /// The order. The last one is always [`By::Id`], so that no two rows are equal.
    pub order: Vec<Order>,
    /// Which part of the list.
    pub window: Window,
}

/// The searchable fields that a version sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InSight {
    /// Their stored names.
    pub fields: Vec<String>,
    /// All of these stand in them.
    pub words: Vec<String>,
}

/// One test on one column.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// What is tested.
    pub by: By,
    /// How.
    pub test: Test,
}

/// A column as a list names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The id of the row.
    Id,
    /// A column, by its place in `Resource::columns`.
    Column(usize),
    /// How well the row fits the search. Only as the first [`Order`], only with a search and [`Window::Offset`].
    Relevance,
}

/// What a column must be. A comparison never holds for nothing; `NoneOf` does.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// One of these; [`Cell::Null`] among them means that it may be nothing.
    AnyOf(Vec<Cell>),
    /// None of these.
    NoneOf(Vec<Cell>),
    /// Greater.
    Above(Cell),
    /// Greater or equal.
    AtLeast(Cell),
    /// Less.
    Below(Cell),
    /// Less or equal.
    AtMost(Cell),
}

/// One key of an order. Nothing is less than anything: it comes first upwards and last downwards, on every engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    /// By what.
    pub by: By,
    /// Which way.
    pub direction: Direction,
}

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The least first.
    Up,
    /// The greatest first.
    Down,
}

/// Which part of a list.
#[derive(Debug, Clone, PartialEq)]
pub enum Window {
    /// The rows next to a position.
    Beside {
        /// None: from the beginning (or, backwards, from the end).
        position: Option<Position>,
        /// After it or before it? The rows come in the order of the list either way.
        place: Place,
        /// At most so many.
        limit: u32,
    },
    /// So many rows are left out.
    Offset {
        /// How many.
        offset: u64,
        /// At most so many.
        limit: u32,
    },
}

impl Window {
    /// Are there rows before and after this part, if there are more in the direction that was asked for? For parts beside a
    /// position alone.
    pub fn goes_on(&self, more: bool) -> (bool, bool) {
        match self {
            Self::Beside { position, place: Place::After, .. } => (position.is_some(), more),
            Self::Beside { place: Place::Before, .. } => (more, true),
            Self::Offset { .. } => (false, false),
        }
    }
}

/// On which side of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Later in the list.
    After,
    /// Earlier in the list.
    Before,
}

/// Where a row stands in an order: one cell for each [`Order`], the id last.
#[derive(Debug, Clone, PartialEq)]
pub struct Position(pub Vec<Cell>);

/// Where a list goes on beside a part of it. None where it does not, or goes by numbers, or the part is empty.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ends {
    /// The position of the first row, if there are rows before it.
    pub first: Option<Position>,
    /// The position of the last row, if there are rows after it.
    pub last: Option<Position>,
}

/// A part of a list.
#[derive(Debug, Clone)]
pub enum Listing {
    /// The rows.
    Rows {
        /// In the order of the list. Fewer than the limit where they would be more than [`PAGE_BYTES`].
        rows: Vec<Shown>,
        /// Are there more in the direction that was asked for?
        more: bool,
        /// Where the list goes on.
        ends: Ends,
    },
    /// It would have taken longer than one request may.
    TooExpensive,
}

/// How many rows a list has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Exactly so many.
    Exactly(u64),
    /// At least so many: the count was ended there.
    AtLeast(u64),
}
