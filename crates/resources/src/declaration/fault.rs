//! What is wrong with a declaration, and how it is shown: the line, a caret under the place, and what to do next.

use std::fmt;

/// As much of a long line as is shown.
const WIDEST: usize = 100;

/// One thing that is wrong, or doubtful.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Counted from one.
    pub line: usize,
    /// Counted from one, in characters.
    pub column: usize,
    /// How many characters are meant, at least one.
    pub width: usize,
    /// Where it stands in the declaration, such as `resources.orders.fields.amount`. Empty: the file as a whole.
    pub path: String,
    /// What is wrong and what to do, in whole sentences.
    pub message: String,
    /// The word that was probably meant.
    pub suggestion: Option<String>,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)?;
        self.suggestion.as_ref().map_or(Ok(()), |meant| write!(out, " Did you mean `{meant}`?"))
    }
}

impl Fault {
    /// The fault with the line that it stands in. `file` is what the reader calls the file, `text` what it holds.
    pub fn show(&self, file: &str, text: &str) -> String {
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        let mut shown = format!("{file}:{}:{}: {self}", self.line, self.column);
        if let Some(line) = text.trim_start_matches('\u{feff}').lines().nth(self.line - 1) {
            let (line, before) = cut(line, self.column - 1);
            let carets = "^".repeat(self.width.min(line.chars().count().saturating_sub(before)).max(1));
            let gap = " ".repeat(before);
            shown.push_str(&format!("\n{margin} |\n{number} | {line}\n{margin} | {gap}{carets}"));
        }
        if !self.path.is_empty() {
            shown.push_str(&format!("\n{margin} = in {}", self.path));
        }
        shown
    }
}

/// The part of a line around a column, and where the column stands in it. Tabs would move the caret.
fn cut(line: &str, column: usize) -> (String, usize) {
    let start = if column < WIDEST { 0 } else { column - WIDEST / 2 };
    let part = line.chars().skip(start).take(WIDEST);
    let part: String = part.map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    (part.trim_end().to_owned(), column - start)
}
