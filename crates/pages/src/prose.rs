//! Sentences with words in backticks, as problem types have them, become HTML with `code`.

/// Escapes a sentence and sets what stands between backticks as code. A backtick without a partner stays.
pub(crate) fn html(sentence: &str) -> String {
    let mut html = String::with_capacity(sentence.len() + 32);
    let mut rest = sentence;
    while let Some((before, code, after)) = next_code(rest) {
        escape(before, &mut html);
        html.push_str("<code>");
        escape(code, &mut html);
        html.push_str("</code>");
        rest = after;
    }
    escape(rest, &mut html);
    html
}

/// Text as it may stand in HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + 8);
    escape(text, &mut html);
    html
}

fn next_code(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('`')?;
    let (code, after) = rest.split_once('`')?;
    Some((before, code, after))
}

fn escape(text: &str, html: &mut String) {
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::html;

    #[test]
    fn backticks_become_code_and_all_else_is_escaped() {
        assert_eq!(html("Send `a<b>` & `c`."), "Send <code>a&lt;b&gt;</code> &amp; <code>c</code>.");
        assert_eq!(html("one ` alone"), "one ` alone");
    }
}
