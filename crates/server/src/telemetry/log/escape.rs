//! Text that cannot break out of its line: quotes and control characters are written as escapes. Allocates nothing.

use std::fmt::{self, Write};

/// Writes what it is given as the inside of a JSON string.
pub(super) struct Json<'a, W>(pub(super) &'a mut W);

impl<W: Write> Write for Json<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        escape(self.0, text, |byte| matches!(byte, b'"' | b'\\' | 0..=0x1f))
    }
}

/// Writes what it is given with control characters as escapes, so that nobody steers the operator's terminal.
pub(super) struct Plain<'a, W>(pub(super) &'a mut W);

impl<W: Write> Write for Plain<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // C1 controls are two bytes in UTF-8; a terminal may still obey them.
        if text.chars().any(|c| ('\u{80}'..='\u{9f}').contains(&c)) {
            return text.chars().try_for_each(|c| match c.is_control() {
                true => write!(self.0, "\\u{:04x}", c as u32),
                false => self.0.write_char(c),
            });
        }
        escape(self.0, text, |byte| matches!(byte, 0..=0x1f | 0x7f))
    }
}

/// Copies `text` in as few pieces as possible. `special` knows only ASCII, so pieces end between characters.
fn escape(out: &mut impl Write, text: &str, special: impl Fn(u8) -> bool) -> fmt::Result {
    let mut rest = text;
    // Nearly all text is plain. Looking at all of it, and not only as far as the first of them, takes many bytes at a time.
    if !text.bytes().fold(false, |is_special, byte| is_special | special(byte)) {
        return out.write_str(text);
    }
    while let Some(at) = rest.bytes().position(&special) {
        out.write_str(&rest[..at])?;
        match rest.as_bytes()[at] {
            b'"' => out.write_str("\\\"")?,
            b'\\' => out.write_str("\\\\")?,
            b'\n' => out.write_str("\\n")?,
            b'\r' => out.write_str("\\r")?,
            b'\t' => out.write_str("\\t")?,
            control => write!(out, "\\u{control:04x}")?,
        }
        rest = &rest[at + 1..];
    }
    out.write_str(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_json_reader_gets_back_what_was_written() {
        let text: String = (0..0x250).filter_map(char::from_u32).chain("\"\\ 🔑".chars()).collect();

        let mut line = String::from("\"");
        Json(&mut line).write_str(&text).unwrap();
        line.push('"');

        assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);
        assert!(!line.contains('\n'));
    }

    #[test]
    fn a_terminal_is_not_steered() {
        let mut line = String::new();

        Plain(&mut line).write_str("a\n\u{1b}[31mred \u{9b}x \u{7f} é").unwrap();

        assert_eq!(line, "a\\u000a\\u001b[31mred \\u009bx \\u007f é");
        assert!(!line.chars().any(char::is_control));
    }
}
