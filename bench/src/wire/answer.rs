//! Reading an answer: status, length, and where the body lies. Both ways to tell a length are understood.

/// One answer, still in the buffer it was read into.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// 200 and its relatives.
    pub status: u16,
    /// Status line and headers.
    pub head: &'a [u8],
    /// What follows; still in chunks if it came so.
    pub body: &'a [u8],
}

impl Answer<'_> {
    /// The first header of this name (in lower case).
    pub fn header<'b>(&'b self, name: &'b str) -> Option<&'b str> {
        self.headers(name).next()
    }

    /// Every header of this name (in lower case).
    pub fn headers<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'b str> {
        self.head.split(|byte| *byte == b'\n').skip(1).filter_map(move |line| {
            let at = line.iter().position(|byte| *byte == b':')?;
            let (found, value) = line.split_at(at);
            found.eq_ignore_ascii_case(name.as_bytes()).then(|| std::str::from_utf8(&value[1..]).ok())?.map(str::trim)
        })
    }

    /// The text between `"name":"` and the next quote: enough for tokens and ids, which need no escapes.
    pub fn member(&self, name: &str) -> Option<&str> {
        let text = std::str::from_utf8(self.body).ok()?;
        let mark = format!("\"{name}\":");
        let rest = text[text.find(&mark)? + mark.len()..].trim_start().strip_prefix('"')?;
        rest.split('"').next()
    }

    /// The body as text, for people.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.body).into_owned()
    }
}

/// How long the answer at the start of `bytes` is, head and whole, as soon as that can be told.
pub fn measure(bytes: &[u8]) -> Option<(usize, usize)> {
    let head = find(bytes, b"\r\n\r\n")? + 4;
    let mut length = 0;
    for line in bytes[..head].split(|byte| *byte == b'\n') {
        // Most lines are told from these two by their first letter.
        match line.first() {
            Some(b'c' | b'C') => {
                if let Some(value) = value_of(line, b"content-length:") {
                    length = std::str::from_utf8(value).ok()?.trim().parse().ok()?;
                }
            }
            Some(b't' | b'T') if value_of(line, b"transfer-encoding:").is_some() => {
                let end = find(&bytes[head - 2..], b"\r\n0\r\n\r\n")?;
                return Some((head, head - 2 + end + 7));
            }
            _ => {}
        }
    }
    let whole = head + length;
    (bytes.len() >= whole).then_some((head, whole))
}

fn value_of<'a>(line: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let (front, value) = line.split_at_checked(name.len())?;
    front.eq_ignore_ascii_case(name).then_some(value)
}

fn find(bytes: &[u8], mark: &[u8]) -> Option<usize> {
    bytes.windows(mark.len()).position(|window| window == mark)
}

#[cfg(test)]
mod tests;
