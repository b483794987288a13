//! Blanks what the compiler does not run, so that a rule about code never trips over a comment or a string.

/// Blanks comments and the insides of string and character literals. Newlines stay.
pub fn without_comments_and_literals(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = end_of_blank(&chars, at);
        if end == at {
            out.push(chars[at]);
            at += 1;
        } else {
            blank(&mut out, &chars[at..end]);
            at = end;
        }
    }
    out
}

/// Where the comment or literal that starts at `at` ends, or `at` itself if none starts there.
fn end_of_blank(chars: &[char], at: usize) -> usize {
    let next = chars.get(at + 1).copied();
    match chars[at] {
        '/' if next == Some('/') => position(chars, at, '\n'),
        '/' if next == Some('*') => end_of_block_comment(chars, at),
        '"' => end_of_quoted(chars, at, '"'),
        'r' if !continues_a_word(chars, at) => end_of_raw_string(chars, at),
        '\'' if next == Some('\\') => end_of_quoted(chars, at, '\''),
        // `'x'` is a character, `'x` a lifetime.
        '\'' if chars.get(at + 2) == Some(&'\'') => at + 3,
        _ => at,
    }
}

fn end_of_block_comment(chars: &[char], start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    chars.len()
}

fn end_of_quoted(chars: &[char], start: usize, quote: char) -> usize {
    let mut at = start + 1;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

fn end_of_raw_string(chars: &[char], start: usize) -> usize {
    let hashes = chars[start + 1..].iter().take_while(|c| **c == '#').count();
    let open = start + 1 + hashes;
    if chars.get(open) != Some(&'"') {
        return start;
    }
    let mut at = open + 1;
    while at < chars.len() {
        if chars[at] == '"' && chars[at + 1..].iter().take_while(|c| **c == '#').count() >= hashes {
            return at + 1 + hashes;
        }
        at += 1;
    }
    chars.len()
}

/// Whether the character at `at` stands inside a longer word; the `b` and `c` before a raw string do not count.
fn continues_a_word(chars: &[char], at: usize) -> bool {
    let word = |index: usize| chars[index].is_alphanumeric() || chars[index] == '_';
    let is_prefix = |index: usize| matches!(chars[index], 'b' | 'c') && (index == 0 || !word(index - 1));
    at > 0 && word(at - 1) && !is_prefix(at - 1)
}

/// Blanks every item under `#[cfg(test)]`. Expects masked code, so that braces can be counted.
pub fn without_tests(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(start) = next_test_item(rest) {
        let item: Vec<char> = rest[start..].chars().collect();
        let end = end_of_item(&item);
        out.push_str(&rest[..start]);
        blank(&mut out, &item[..end]);
        let bytes: usize = item[..end].iter().map(|c| c.len_utf8()).sum();
        rest = &rest[start + bytes..];
    }
    out.push_str(rest);
    out
}

fn next_test_item(code: &str) -> Option<usize> {
    ["#[cfg(test)]", "#[cfg(all(test"].iter().filter_map(|attribute| code.find(attribute)).min()
}

/// The end of an attribute and the item after it: a `;` or the closing brace, outside of other brackets.
fn end_of_item(chars: &[char]) -> usize {
    let mut depth = 0_usize;
    for (at, c) in chars.iter().enumerate() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            ';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    chars.len()
}

fn position(chars: &[char], from: usize, wanted: char) -> usize {
    chars[from..].iter().position(|c| *c == wanted).map_or(chars.len(), |offset| from + offset)
}

fn blank(out: &mut String, chars: &[char]) {
    out.extend(chars.iter().map(|c| if *c == '\n' { '\n' } else { ' ' }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blank_and_lines_keep_their_number() {
        let text = "let a = \"todo!\\\"\"; // todo!\nlet b = br#\"todo!\"#; /* /* */ todo! */ 'x'; '\\''; f::<'a>(b\"todo!\");\n";

        let masked = without_comments_and_literals(text);

        assert!(!masked.contains("todo"), "{masked}");
        assert!(masked.contains("f::<'a>("), "{masked}");
        assert_eq!(masked.lines().count(), text.lines().count());
    }

    #[test]
    fn code_after_a_literal_is_kept() {
        let masked = without_comments_and_literals("for r in var { let q = '\"'; dbg!(r) }");

        assert!(masked.contains("dbg!(r)"), "{masked}");
    }

    #[test]
    fn only_items_under_cfg_test_are_blank() {
        let code = "fn a() {}\n#[cfg(test)]\nmod tests {\n fn b(x: [u8; 3]) { c() }\n}\nfn d() {}\n#[cfg(test)]\nuse e::f;\nfn g() {}";

        let product = without_tests(code);

        for kept in ["fn a", "fn d", "fn g"] {
            assert!(product.contains(kept), "{kept} is gone:\n{product}");
        }
        for gone in ["fn b", "c()", "e::f"] {
            assert!(!product.contains(gone), "{gone} is left:\n{product}");
        }
        assert_eq!(product.lines().count(), code.lines().count());
    }
}
