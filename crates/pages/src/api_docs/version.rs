//! Versions for people: which there are, how long each is good for, and what changed from one to the next.

use askama::filters::HtmlSafeOutput;

use crate::Language;

/// Where a version stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocsState {
    /// Not out yet.
    Planned,
    /// In normal use.
    Active,
    /// New use is discouraged.
    Deprecated,
    /// Past its sunset.
    Sunset,
    /// Gone.
    Removed,
}

/// One version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocsVersion {
    /// Its number.
    pub number: u32,
    /// Where it stands.
    pub state: DocsState,
    /// Its pages; none if they are gone, or not there yet.
    pub address: Option<String>,
    /// Is this page about it?
    pub is_shown: bool,
    /// The day it came out, as YYYY-MM-DD.
    pub released: String,
    /// The day from which new use is discouraged.
    pub deprecated: Option<String>,
    /// The day of its sunset.
    pub sunset: Option<String>,
    /// The day from which it is gone.
    pub removed: Option<String>,
    /// What changed since the version before.
    pub changes: Vec<DocsChange>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocsChange {
    /// What kind of change.
    pub kind: DocsChangeKind,
    /// What it is about.
    pub place: String,
    /// Before.
    pub from: String,
    /// Since.
    pub to: String,
}

/// The kinds of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocsChangeKind {
    /// Another name.
    Renamed,
    /// Another type.
    Retyped,
    /// New.
    Added,
    /// Gone.
    Removed,
    /// Another word.
    Reworded,
    /// Another place.
    Moved,
    /// Another status.
    Status,
}

impl DocsState {
    /// The word for it.
    pub fn word(self, language: Language) -> String {
        let word = language.say(match self {
            Self::Planned => "docs-state-planned",
            Self::Active => "docs-state-active",
            Self::Deprecated => "docs-state-deprecated",
            Self::Sunset => "docs-state-sunset",
            Self::Removed => "docs-state-removed",
        });
        word.to_lowercase()
    }

    /// Its colour.
    pub fn tone(self) -> &'static str {
        match self {
            Self::Active => "good",
            Self::Planned => "faint",
            Self::Deprecated => "warn",
            Self::Sunset | Self::Removed => "bad",
        }
    }
}

impl DocsVersion {
    /// What a reader of its page must know first; nothing of one in normal use.
    pub fn warning(&self, language: Language, newest: Option<u32>) -> Option<HtmlSafeOutput<String>> {
        let day = |day: &Option<String>| day.clone().unwrap_or_default();
        let newest = newest.filter(|newest| *newest != self.number).unwrap_or(self.number).to_string();
        let texts = [
            ("since", day(&self.deprecated)),
            ("sunset", day(&self.sunset)),
            ("removed", day(&self.removed)),
            ("newest", newest),
        ];
        let texts = texts.each_ref().map(|(name, text)| (*name, text.as_str()));
        if matches!(self.state, DocsState::Planned | DocsState::Active | DocsState::Removed) {
            return None;
        }
        let warning = language.prose(
            match (self.state, &self.removed) {
                (DocsState::Deprecated, _) => "docs-ends",
                (_, Some(_)) => "docs-ending",
                (_, None) => "docs-ended",
            },
            &texts,
        );
        Some(warning)
    }
}

impl DocsChange {
    /// The sentence.
    pub fn told(&self, language: Language) -> HtmlSafeOutput<String> {
        let Self { kind, place, from, to } = self;
        language.prose(
            match kind {
                DocsChangeKind::Renamed => "docs-change-renamed",
                DocsChangeKind::Retyped => "docs-change-retyped",
                DocsChangeKind::Added => "docs-change-added",
                DocsChangeKind::Removed => "docs-change-removed",
                DocsChangeKind::Reworded => "docs-change-reworded",
                DocsChangeKind::Moved => "docs-change-moved",
                DocsChangeKind::Status => "docs-change-status",
            },
            &[("place", place.as_str()), ("from", from.as_str()), ("to", to.as_str())],
        )
    }
}
