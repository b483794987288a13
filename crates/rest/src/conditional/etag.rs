//! Entity tags (RFC 9110 §8.8.3).

use std::fmt;

use http::HeaderValue;

/// The tag of one state of a resource.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ETag {
    /// What stands between the quotes: visible ASCII without quotes.
    pub opaque: String,
    /// Equal tags mean equal use, not equal bytes.
    pub weak: bool,
}

impl ETag {
    /// A tag that changes with every byte.
    pub fn strong(opaque: impl Into<String>) -> Self {
        Self { opaque: opaque.into(), weak: false }
    }

    /// A tag that changes with the meaning.
    pub fn weak(opaque: impl Into<String>) -> Self {
        Self { opaque: opaque.into(), weak: true }
    }

    /// Reads `"x"` or `W/"x"`.
    pub fn parse(text: &str) -> Option<Self> {
        match take(text)? {
            (tag, "") => Some(tag),
            _ => None,
        }
    }

    /// Both strong and the same (§8.8.3.2).
    pub fn equals_strongly(&self, other: &Self) -> bool {
        !self.weak && !other.weak && self.opaque == other.opaque
    }

    /// The same, strong or weak.
    pub fn equals_weakly(&self, other: &Self) -> bool {
        self.opaque == other.opaque
    }

    /// As a header has it.
    pub fn text(&self) -> String {
        [if self.weak { "W/\"" } else { "\"" }, &self.opaque, "\""].concat()
    }
}

impl fmt::Display for ETag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl From<&ETag> for HeaderValue {
    /// A tag that no header can carry becomes the weak empty one, which nobody can match strongly.
    fn from(etag: &ETag) -> Self {
        let sound = etag.opaque.bytes().all(is_tag_byte);
        let value = sound.then(|| HeaderValue::try_from(etag.text()).ok()).flatten();
        value.unwrap_or(HeaderValue::from_static("W/\"\""))
    }
}

fn is_tag_byte(byte: u8) -> bool {
    matches!(byte, b'!' | b'#'..=b'~')
}

/// Takes one tag from the front.
fn take(text: &str) -> Option<(ETag, &str)> {
    let (weak, rest) = text.strip_prefix("W/").map_or((false, text), |rest| (true, rest));
    let (opaque, rest) = rest.strip_prefix('"')?.split_once('"')?;
    opaque.bytes().all(is_tag_byte).then(|| (ETag { opaque: opaque.to_owned(), weak }, rest))
}

/// A list of tags with commas between them; a comma inside quotes belongs to its tag. At least one.
pub(super) fn list(text: &str) -> Option<Vec<ETag>> {
    let blank = |c: char| c == ' ' || c == '\t';
    let mut tags = Vec::new();
    let mut rest = text;
    loop {
        // RFC 9110 §5.6.1.2: empty elements are read and count for nothing.
        rest = rest.trim_start_matches(|c: char| blank(c) || c == ',');
        if rest.is_empty() {
            return (!tags.is_empty()).then_some(tags);
        }
        let (tag, after) = take(rest)?;
        tags.push(tag);
        rest = after.trim_start_matches(blank);
        if !rest.is_empty() && !rest.starts_with(',') {
            return None;
        }
    }
}
