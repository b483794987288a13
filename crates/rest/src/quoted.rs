//! Quoted strings of headers (RFC 9110 §5.6.4): written so that they break no header, and read so that what stands in them
//! separates nothing.

use std::borrow::Cow;

/// Writes `text` as a quoted string: quotes and backslashes escaped, what a header cannot carry replaced by `?`.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            ' '..='~' => quoted.push(c),
            _ => quoted.push('?'),
        }
    }
    quoted.push('"');
    quoted
}

/// Splits at `separator`, and not within quotes. A quote that is never closed reaches to the end.
pub(crate) fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut in_quotes, mut escaped) = (false, false);
    text.split(move |c: char| {
        let is_escaped = std::mem::take(&mut escaped);
        match c {
            _ if is_escaped => false,
            '\\' => {
                escaped = in_quotes;
                false
            }
            '"' => {
                in_quotes = !in_quotes;
                false
            }
            _ => c == separator && !in_quotes,
        }
    })
}

/// What a parameter's value means: a quoted string without its quotes and escapes, anything else as it is.
pub(crate) fn unquoted(value: &str) -> Cow<'_, str> {
    let Some(inner) = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return Cow::Borrowed(value);
    };
    let mut escaped = false;
    let meant = inner.chars().filter(|c| {
        escaped = *c == '\\' && !escaped;
        !escaped
    });
    Cow::Owned(meant.collect())
}
