//! The words of a row for the search, cut to what both engines take, so that both find the same.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

use serde_json::value::RawValue;
use valetkey_resources::model::MOST_WORDS;

/// PostgreSQL takes no longer word.
const LONGEST: usize = 2046;
/// So many different words of a row are found. A text that people write has less; one that is made of nothing else keeps
/// PostgreSQL busy for a tenth of a second with five times as many, to sort them and to write them down.
const DIFFERENT: usize = 3072;
/// PostgreSQL takes a megabyte in all, positions included. What comes after half of it is not found.
const BYTES: usize = 512 * 1024;

/// The words that are searched for or found.
pub(crate) fn kept(words: &[String]) -> impl Iterator<Item = &str> {
    let (mut left, mut known) = (BYTES, HashSet::new());
    let cut = words.iter().map(|word| &word[..word.floor_char_boundary(LONGEST)]).take(MOST_WORDS);
    // Few words cannot be too many different ones.
    let may_be_many = words.len() > DIFFERENT;
    let found = cut
        .filter(move |word| !may_be_many || known.contains(word) || (known.len() < DIFFERENT && known.insert(*word)));
    found.take_while(move |word| {
        let fits = left >= word.len() + 8;
        left = left.saturating_sub(word.len() + 8);
        fits
    })
}

/// The function that looks for words in a document: see [`has_all`]. Connections to SQLite have it.
pub(crate) const HAS_WORDS: &str = "has_words";

/// Does a document have all of these words in these fields, as a search would find them? Words and fields stand between
/// spaces.
pub(crate) fn has_all(document: &str, fields: &str, words: &str) -> bool {
    let Ok(members) = serde_json::from_str::<HashMap<Cow<'_, str>, &RawValue>>(document) else { return false };
    let text =
        |field: &str| members.get(field).and_then(|value| serde_json::from_str::<Cow<'_, str>>(value.get()).ok());
    let found: Vec<String> =
        fields.split(' ').filter_map(text).flat_map(|text| of_text(&text)).take(MOST_WORDS).collect();
    let found: HashSet<&str> = kept(&found).collect();
    words.split(' ').all(|word| found.contains(word))
}

fn of_text(text: &str) -> Vec<String> {
    valetkey_resources::model::words(text).collect()
}

/// For FTS5: words with spaces between them.
pub(crate) fn text(words: &[String]) -> String {
    kept(words).collect::<Vec<_>>().join(" ")
}

/// For FTS5: all of these words.
pub(crate) fn match_all(words: &[String]) -> String {
    let quoted: Vec<_> = kept(words).map(|word| format!("\"{}\"", word.replace('"', "\"\""))).collect();
    quoted.join(" AND ")
}

/// For PostgreSQL: a `tsvector` with positions.
pub(crate) fn vector(words: &[String]) -> String {
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, word) in kept(words).enumerate() {
        places.entry(word).or_default().push(place + 1);
    }
    let mut text = String::new();
    for (word, places) in places {
        let _ = write!(text, "{}:", quoted(word));
        // It counts no more than 256 of one word.
        for (at, place) in places.iter().take(255).enumerate() {
            let comma = if at == 0 { "" } else { "," };
            let _ = write!(text, "{comma}{place}");
        }
        text.push(' ');
    }
    text
}

/// For PostgreSQL: a `tsquery` of all of these words.
pub(crate) fn query_all(words: &[String]) -> String {
    kept(words).map(quoted).collect::<Vec<_>>().join(" & ")
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\\', "\\\\").replace('\'', "''"))
}

#[cfg(test)]
mod tests;
