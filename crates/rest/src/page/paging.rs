//! The five parameters of paging, and the one way of paging that they mean together.

use crate::problem::{FieldCode, FieldError};

/// Rows on a page when the request does not say.
pub const DEFAULT_SIZE: u32 = 20;
/// Rows on a page at most.
pub const MAX_SIZE: u32 = 100;
/// The farthest row that can be asked for: the largest integer that every JSON reader reads alike, plus one.
pub const MAX_OFFSET: u64 = 1 << 53;
/// The farthest page that can be asked for. It does not depend on how large pages are, so that it can be described.
pub const MAX_PAGE: u64 = MAX_OFFSET / MAX_SIZE as u64;

/// Which part of a list is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Paging {
    /// What follows a place; from the beginning without one.
    Cursor {
        /// The place, as an earlier answer gave it. Not opened yet.
        cursor: Option<String>,
        /// At most so many rows, 1 to 100.
        limit: u32,
    },
    /// What follows so many rows.
    Offset {
        /// How many.
        offset: u64,
        /// At most so many rows, 1 to 100.
        limit: u32,
    },
    /// A page by its number.
    Page {
        /// Counted from 1.
        page: u64,
        /// At most so many rows, 1 to 100.
        size: u32,
    },
}

impl Default for Paging {
    fn default() -> Self {
        Self::Cursor { cursor: None, limit: DEFAULT_SIZE }
    }
}

impl Paging {
    /// How many rows a page has at most.
    pub fn per_page(&self) -> u32 {
        match self {
            Self::Cursor { limit, .. } | Self::Offset { limit, .. } => *limit,
            Self::Page { size, .. } => *size,
        }
    }

    /// How many rows come before it; unknown for a cursor.
    pub fn offset(&self) -> Option<u64> {
        match self {
            Self::Cursor { .. } => None,
            Self::Offset { offset, .. } => Some(*offset),
            Self::Page { page, size } => Some((page - 1).saturating_mul(u64::from(*size))),
        }
    }
}

/// The parameters as they came, decoded.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PagingParameters<'a> {
    pub(crate) cursor: Option<&'a str>,
    pub(crate) limit: Option<&'a str>,
    pub(crate) offset: Option<&'a str>,
    pub(crate) page: Option<&'a str>,
    pub(crate) size: Option<&'a str>,
}

impl PagingParameters<'_> {
    /// Adds what is wrong to `errors`; none if anything was.
    pub(crate) fn read(self, errors: &mut Vec<FieldError>) -> Option<Paging> {
        let before = errors.len();
        self.check_kinds(errors);
        let limit = self.limit.map_or(DEFAULT_SIZE, |text| rows("limit", text, errors));
        let size = self.size.map_or(DEFAULT_SIZE, |text| rows("size", text, errors));
        let offset = self.offset.map(|text| number("offset", text, 0, errors));
        let page = self.page.map(|text| number("page", text, 1, errors));
        if self.cursor.is_some_and(str::is_empty) {
            errors.push(FieldError::invalid_format("cursor").detail("Leave the parameter out to begin at the start."));
        }
        let paging = match (offset, page.or(self.size.map(|_| 1))) {
            (Some(offset), _) => Paging::Offset { offset, limit },
            (None, Some(page)) => Paging::Page { page: page.max(1), size },
            (None, None) => Paging::Cursor { cursor: self.cursor.map(str::to_owned), limit },
        };
        let beyond = match paging {
            Paging::Offset { offset, .. } if offset > MAX_OFFSET => Some("offset"),
            Paging::Page { page, .. } if page > MAX_PAGE => Some("page"),
            _ => None,
        };
        if let Some(name) = beyond {
            errors.push(FieldError::new(name, FieldCode::OutOfRange).detail("No list is that long."));
        }
        (errors.len() == before).then_some(paging)
    }

    /// `limit` goes with a cursor or an offset, `size` with a page; else the request asks for two things at once.
    fn check_kinds(self, errors: &mut Vec<FieldError>) {
        let paged = self.page.is_some() || self.size.is_some();
        let mixed = (self.cursor.is_some() && self.offset.is_some())
            || (paged && (self.cursor.is_some() || self.offset.is_some() || self.limit.is_some()));
        if !mixed {
            return;
        }
        let given = [
            ("cursor", self.cursor),
            ("limit", self.limit),
            ("offset", self.offset),
            ("page", self.page),
            ("size", self.size),
        ];
        errors.extend(given.into_iter().filter(|(_, value)| value.is_some()).map(|(name, _)| {
            FieldError::new(name, FieldCode::NotAllowed)
                .detail("Use one way of paging: cursor and limit, offset and limit, or page and size.")
        }));
    }
}

/// A number of rows: larger than allowed is coerced, less than one is refused.
fn rows(name: &'static str, text: &str, errors: &mut Vec<FieldError>) -> u32 {
    let number = number(name, text, 1, errors);
    u32::try_from(number).unwrap_or(MAX_SIZE).clamp(1, MAX_SIZE)
}

/// Digits. What is beyond any integer saturates; whether that is too much is the caller's to say.
fn number(name: &'static str, text: &str, least: u64, errors: &mut Vec<FieldError>) -> u64 {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let negative = text.strip_prefix('-').is_some_and(digits);
    if !negative && !digits(text) {
        errors.push(FieldError::invalid_format(name).detail("Give a whole number."));
        return least;
    }
    let number = text.parse().unwrap_or(u64::MAX);
    if negative || number < least {
        errors.push(FieldError::new(name, FieldCode::OutOfRange).detail(format!("The least is {least}.")));
        return least;
    }
    number
}
