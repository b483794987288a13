//! The languages of the pages. Owns which one a person gets and how a message becomes text; the words stand in `locales/`.

use askama::filters::HtmlSafeOutput;
use axum::extract::Query;
use fluent_bundle::{FluentArgs, FluentValue};
use http::{HeaderMap, Uri, header};
use jiff::{Timestamp, tz::TimeZone};
use serde::Deserialize;

mod bundle;
mod choose;
#[cfg(test)]
mod tests;

/// A language that pages are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// English, which is also the answer when nothing better is known.
    #[default]
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
}

impl Language {
    /// All languages, in the order in which a page would list them.
    pub const ALL: [Self; 4] = [Self::English, Self::German, Self::French, Self::Spanish];

    /// The tag for `<html lang>` and for `ui_locales_supported`.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
        }
    }

    /// The first language we have: of `ui_locales` (OpenID Connect, in order of preference), then of `Accept-Language`
    /// (by its weights), then English. What cannot be read is passed over.
    pub fn choose(ui_locales: Option<&str>, accept_language: Option<&str>) -> Self {
        choose::choose(ui_locales, accept_language)
    }

    /// The same for a request of which nothing is known but its address and its headers.
    pub fn of_request(uri: &Uri, headers: &HeaderMap) -> Self {
        #[derive(Deserialize)]
        struct Asked {
            ui_locales: Option<String>,
        }
        let asked = Query::<Asked>::try_from_uri(uri).ok().and_then(|Query(asked)| asked.ui_locales);
        Self::of_reader(asked.as_deref(), headers)
    }

    /// The same for the languages that an app asks for, if it does, and the headers of a browser.
    pub fn of_reader(ui_locales: Option<&str>, headers: &HeaderMap) -> Self {
        let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        Self::choose(ui_locales, accepted)
    }

    /// A message without arguments. An unknown id shows itself, and a test keeps that from happening.
    pub fn say(self, id: &str) -> String {
        bundle::format(self, id, None)
    }

    /// A message about a number, which it knows as `$count`.
    pub fn count(self, id: &str, count: u64) -> String {
        let mut args = FluentArgs::new();
        args.set("count", FluentValue::from(count));
        bundle::format(self, id, Some(&args))
    }

    /// A message with text in it, as plain text: for titles and labels.
    pub fn fill(self, id: &str, texts: &[(&str, &str)]) -> String {
        let args: FluentArgs<'_> = texts.iter().map(|&(name, text)| (name, FluentValue::from(text))).collect();
        bundle::format(self, id, Some(&args))
    }

    /// A message with names in it, as HTML: each name is escaped, set off, and kept from reordering the words around it.
    pub fn rich(self, id: &str, names: &[(&str, &str)]) -> HtmlSafeOutput<String> {
        let set_off = |text: &str| format!("<bdi class=\"name\">{}</bdi>", crate::prose::escaped(text));
        let args: FluentArgs<'_> = names.iter().map(|&(name, text)| (name, FluentValue::from(set_off(text)))).collect();
        HtmlSafeOutput(bundle::format(self, id, Some(&args)))
    }

    /// A message with names in it, as HTML: what stands between backticks is set as code.
    pub fn prose(self, id: &str, names: &[(&str, &str)]) -> HtmlSafeOutput<String> {
        HtmlSafeOutput(crate::prose::html(&self.fill(id, names)))
    }

    /// A day in words. Pages without script do not know a person's time zone, so days are those of UTC.
    pub fn day(self, at: Timestamp) -> String {
        let day = at.to_zoned(TimeZone::UTC);
        let month = self.say(&format!("month-{}", day.month()));
        let (date, year) = (day.day().to_string(), day.year().to_string());
        self.fill("day", &[("date", &date), ("month", &month), ("year", &year)])
    }

    /// A day and the time on it, in UTC.
    pub fn moment(self, at: Timestamp) -> String {
        let time = at.to_zoned(TimeZone::UTC).strftime("%H:%M").to_string();
        self.fill("moment", &[("day", &self.day(at)), ("time", &time)])
    }

    /// How long to wait, in seconds below two minutes and in whole minutes above.
    pub fn wait(self, seconds: u64) -> String {
        if seconds < 120 {
            self.count("wait-seconds", seconds.max(1))
        } else {
            self.count("wait-minutes", seconds.div_ceil(60))
        }
    }
}
