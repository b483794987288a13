//! Which value stands at a line and column. Only for texts that a parser has read up to there: it checks nothing itself.

/// One step from a container to a value in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// A member of an object; none before its first key.
    Key(Option<String>),
    /// An item of an array.
    Index(usize),
}

/// The steps from the root to what the parser had last read at this place. Line and column count from one, in bytes.
pub(super) fn at(text: &str, line: usize, column: usize) -> Vec<Step> {
    let line_start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let end = text.floor_char_boundary(line_start.saturating_add(column).min(text.len()));
    let read = &text[..end];
    let mut steps = Vec::new();
    let mut expects_key = false;
    let mut at = 0;
    while let Some(byte) = read.as_bytes().get(at) {
        let mut width = 1;
        match byte {
            b'{' => {
                steps.push(Step::Key(None));
                expects_key = true;
            }
            b'[' => {
                steps.push(Step::Index(0));
                expects_key = false;
            }
            b'}' | b']' => {
                steps.pop();
                expects_key = false;
            }
            b',' => match steps.last_mut() {
                Some(Step::Index(index)) => *index += 1,
                Some(Step::Key(_)) => expects_key = true,
                None => {}
            },
            b'"' => {
                width = string_width(&read[at..]);
                if let (true, Some(Step::Key(key))) = (expects_key, steps.last_mut()) {
                    *key = serde_json::from_str(&read[at..at + width]).ok();
                    expects_key = false;
                }
            }
            _ => {}
        }
        at += width;
    }
    steps
}

/// The length of the string that opens `text`, quotes included; all of it if it does not end.
fn string_width(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The steps as a JSON Pointer (RFC 6901).
pub(super) fn pointer(steps: &[Step]) -> String {
    let mut pointer = String::new();
    for step in steps {
        pointer.push('/');
        match step {
            Step::Key(key) => {
                pointer.push_str(&key.as_deref().unwrap_or_default().replace('~', "~0").replace('/', "~1"));
            }
            Step::Index(index) => pointer.push_str(&index.to_string()),
        }
    }
    pointer
}

/// The steps as a person writes them: `address.lines.0`.
pub(super) fn name(steps: &[Step]) -> String {
    let words: Vec<String> = steps
        .iter()
        .map(|step| match step {
            Step::Key(key) => key.clone().unwrap_or_default(),
            Step::Index(index) => index.to_string(),
        })
        .collect();
    words.join(".")
}
