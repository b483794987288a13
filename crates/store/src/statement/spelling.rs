//! All ways to write a word in capital and small letters, as a regular expression of PostgreSQL.

use std::collections::HashMap;
use std::sync::LazyLock;

/// No letter with a small one comes after this one.
const LAST: char = '\u{1ffff}';
/// The one letter whose small form is two: an i, and its dot.
const DOTTED: (char, &str) = ('İ', "i\u{307}");

/// The letters that have a small form, by it.
static LARGE: LazyLock<HashMap<char, Vec<char>>> = LazyLock::new(|| {
    let mut by_small: HashMap<char, Vec<char>> = HashMap::new();
    for letter in '\u{80}'..=LAST {
        let mut small = letter.to_lowercase();
        if let (Some(small), None) = (small.next(), small.next())
            && small != letter
        {
            by_small.entry(small).or_default().push(letter);
        }
    }
    by_small
});

/// Finds a word, which is in small letters, wherever it stands as a whole.
pub(super) fn spelling(word: &str) -> String {
    let parts: Vec<String> = word.split(DOTTED.1).map(|part| part.chars().map(letter).collect()).collect();
    let (large, small) = DOTTED;
    format!("(^|[^[:alnum:]]){}($|[^[:alnum:]])", parts.join(&format!("({large}|{small})")))
}

fn letter(small: char) -> String {
    let large: String = LARGE.get(&small).into_iter().flatten().collect();
    // At the end of a word, Greek has another small letter.
    let last = if small == 'ς' { "Σ" } else { "" };
    format!("[{small}{}{large}{last}]", small.to_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_that_becomes_small_is_found_by_its_small_form() {
        for large in ('\0'..=char::MAX).filter(|letter| letter.is_alphanumeric()) {
            let word = large.to_lowercase().to_string();
            assert!(word == large.to_string() || spelling(&word).contains(large), "{large} is not in {word}");
        }
    }
}
