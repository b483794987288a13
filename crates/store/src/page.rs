//! A part of a list from the rows that an engine found, as they come. It ends where a page is full: by its rows, or by the
//! bytes that are held for them.

use valetkey_oauth::ports::StoreError;
use valetkey_resources::ports::{Ends, ListPlan, Listing, PAGE_BYTES, Place, Shown, Window};

use crate::statement::List;

/// So many rows have room from the beginning.
const ROOM: u32 = 32;

/// Rows on their way into a page.
pub(crate) struct Page {
    rows: Vec<Shown>,
    skip: u64,
    limit: u32,
    bytes: usize,
    more: bool,
}

impl Page {
    /// An empty page for this part of a list.
    pub(crate) fn of(window: &Window) -> Self {
        let (skip, limit) = match window {
            Window::Beside { limit, .. } => (0, *limit),
            Window::Offset { offset, limit } => (*offset, *limit),
        };
        Self { rows: Vec::new(), skip, limit, bytes: 0, more: false }
    }

    /// The same for an engine that leaves out by itself what comes before.
    pub(crate) fn skipped(mut self) -> Self {
        self.skip = 0;
        self
    }

    /// What is still missing, as a page of its own: an attempt that fails leaves nothing behind.
    pub(crate) fn rest(&self) -> Self {
        let limit = self.limit - self.count();
        Self { rows: Vec::with_capacity(limit.min(ROOM) as usize), limit, ..*self }
    }

    /// Takes over what a [`rest`](Self::rest) became.
    pub(crate) fn append(&mut self, rest: Self) {
        if self.rows.is_empty() {
            self.rows = rest.rows;
        } else {
            self.rows.extend(rest.rows);
        }
        (self.skip, self.bytes, self.more) = (rest.skip, rest.bytes, rest.more);
    }

    /// So many rows are to be asked for: those that are left out, those that are shown, and one that tells of more.
    pub(crate) fn wanted(&self) -> u64 {
        self.skip.saturating_add(u64::from(self.limit - self.count()) + 1)
    }

    /// Is there nothing more to find out?
    pub(crate) fn is_full(&self) -> bool {
        self.more
    }

    /// Is this row one of those that come before the page?
    pub(crate) fn skips(&mut self) -> bool {
        let skips = self.skip > 0;
        self.skip = self.skip.saturating_sub(1);
        skips
    }

    /// Is there room for a document of so many bytes? If not, the page is full. One row always has room.
    pub(crate) fn has_room(&mut self, bytes: usize) -> bool {
        self.more |= self.count() >= self.limit || !self.rows.is_empty() && self.bytes + bytes > PAGE_BYTES;
        !self.more
    }

    /// Puts a row in. Ask first whether there is room.
    pub(crate) fn add(&mut self, row: Shown) {
        self.bytes += row.document.len();
        self.rows.push(row);
    }

    /// The engine knows of more rows that had no room.
    pub(crate) fn fill(&mut self) {
        self.more = true;
    }

    /// So many rows are left out yet, and so many bytes have room.
    pub(crate) fn measures(&self) -> (u64, usize) {
        (self.skip, PAGE_BYTES.saturating_sub(self.bytes))
    }

    /// Are there no rows yet?
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Is it as it was in the beginning, with nothing to leave out?
    pub(crate) fn is_untouched(&self) -> bool {
        self.is_empty() && self.measures() == (0, PAGE_BYTES)
    }

    fn count(&self) -> u32 {
        u32::try_from(self.rows.len()).unwrap_or(u32::MAX)
    }

    /// The part of the list that was asked for. The rows are in the order they were read.
    pub(crate) fn listing(self, list: &List<'_>, plan: &ListPlan) -> Result<Listing, StoreError> {
        let mut rows = self.rows;
        if matches!(plan.window, Window::Beside { place: Place::Before, .. }) {
            rows.reverse();
        }
        let (before, after) = plan.window.goes_on(self.more);
        let first = rows.first().filter(|_| before).map(|row| list.position(row)).transpose()?;
        let last = rows.last().filter(|_| after).map(|row| list.position(row)).transpose()?;
        let ends = Ends { first, last };
        Ok(Listing::Rows { rows, more: self.more, ends })
    }
}

#[cfg(test)]
mod tests;
