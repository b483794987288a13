//! A kind of thing that the API serves, as its readers see it.

use super::DocsOperation;
use crate::prose;

/// One resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocsResource {
    /// The plural noun.
    pub name: String,
    /// What it is; backticks are set as code, and an empty line begins a paragraph.
    pub description: String,
    /// Whether a user sees the rows that were made in their name only.
    pub is_owned: bool,
    /// In the order of bodies; none hides the table.
    pub fields: Vec<DocsField>,
    /// The operations at its own address, and those below another resource.
    pub groups: Vec<DocsGroup>,
}

/// The operations below one address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocsGroup {
    /// The address below which the resource is found once more; none for its own.
    pub under: Option<String>,
    /// In the order to show.
    pub operations: Vec<DocsOperation>,
}

/// One field, and what holds for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DocsField {
    /// Its name in bodies.
    pub name: String,
    /// What its values look like, in a few words.
    pub kind: String,
    /// What it means, if the declaration says so.
    pub description: String,
    /// Must a new row have it?
    pub required: bool,
    /// What it is when nothing is sent, as JSON.
    pub default: Option<String>,
    /// Is it set by the server only?
    pub read_only: bool,
    /// Must its value be another in each row?
    pub unique: bool,
    /// May a list be filtered by it?
    pub filter: bool,
    /// May a list be sorted by it?
    pub sort: bool,
    /// Are its words found by `q`?
    pub search: bool,
    /// The resource whose ids it holds.
    pub references: Option<String>,
}

/// Sentences of a declaration as HTML: paragraphs, and code between backticks.
pub(super) fn paragraphs(text: &str) -> String {
    let parts = text.split("\n\n").map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| format!("<p>{}</p>", prose::html(part))).collect()
}

impl DocsResource {
    pub(super) fn description_html(&self) -> String {
        paragraphs(&self.description)
    }
}

impl DocsField {
    pub(super) fn description_html(&self) -> String {
        prose::html(&self.description)
    }
}
