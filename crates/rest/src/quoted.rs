//! Quoted strings of headers (RFC 9110 §5.6.4). Whatever goes in, the result is one quoted string and breaks no header.

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
