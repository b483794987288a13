//! The words of a row for the search, cut to what both engines take, so that both find the same.

use std::collections::BTreeMap;
use std::fmt::Write;

/// PostgreSQL takes no longer word.
const LONGEST: usize = 2046;
/// PostgreSQL counts positions no further.
const MOST: usize = 16_383;
/// PostgreSQL takes a megabyte in all, positions included. What comes after half of it is not found.
const BYTES: usize = 512 * 1024;

/// The words that are searched for or found.
pub(crate) fn kept(words: &[String]) -> impl Iterator<Item = &str> {
    let mut left = BYTES;
    words.iter().map(|word| &word[..word.floor_char_boundary(LONGEST)]).take(MOST).take_while(move |word| {
        let fits = left >= word.len() + 8;
        left = left.saturating_sub(word.len() + 8);
        fits
    })
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
