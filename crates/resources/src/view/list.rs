//! A list: the envelope with `data`, `meta` and `links`.

use serde::Serialize;

use super::{Fields, Row};
use crate::ports::{Counted, Shown};

/// What is told about a list.
#[derive(Debug, Clone, Serialize)]
pub struct Meta {
    /// Which page; only with `page`.
    pub page: Option<u64>,
    /// How many rows a page has at most.
    pub per_page: u32,
    /// How many rows there are in all, if that was counted.
    pub total: Option<u64>,
    /// The count was ended at `total`: there are at least so many.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub total_is_capped: bool,
}

impl Meta {
    /// Notes a count.
    #[must_use]
    pub fn counted(mut self, counted: Option<Counted>) -> Self {
        match counted {
            None => {}
            Some(Counted::Exactly(total)) => self.total = Some(total),
            Some(Counted::AtLeast(total)) => {
                self.total = Some(total);
                self.total_is_capped = true;
            }
        }
        self
    }
}

#[derive(Serialize)]
struct Links<'a> {
    next: Option<&'a str>,
    #[serde(rename = "prev")]
    previous: Option<&'a str>,
    #[serde(rename = "self")]
    here: &'a str,
}

/// A list and its neighbours.
pub struct ListView<'a> {
    /// How each row is written.
    pub row: Row<'a>,
    /// The rows.
    pub rows: &'a [Shown],
    /// What is told about them.
    pub meta: &'a Meta,
    /// This page.
    pub here: &'a str,
    /// The next one.
    pub next: Option<&'a str>,
    /// The one before.
    pub previous: Option<&'a str>,
}

impl ListView<'_> {
    /// The body.
    pub fn text(&self) -> String {
        let size: usize = self.rows.iter().map(|row| row.document.len() + 300).sum();
        let mut out = String::with_capacity(size + 512);
        out.push_str("{\"data\":[");
        let mut fields = Fields::default();
        for (place, row) in self.rows.iter().enumerate() {
            if place > 0 {
                out.push(',');
            }
            self.row.write(&mut out, row, &mut fields);
        }
        let links = Links { next: self.next, previous: self.previous, here: self.here };
        // Neither can fail: they are numbers and texts.
        out.push_str("],\"meta\":");
        out.push_str(&serde_json::to_string(self.meta).unwrap_or_default());
        out.push_str(",\"links\":");
        out.push_str(&serde_json::to_string(&links).unwrap_or_default());
        out.push('}');
        out
    }
}
