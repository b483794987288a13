//! JSON Pointer (RFC 6901): a place in a document, as decoded steps.

use std::fmt;

use serde_json::Value;

/// A place in a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pointer {
    tokens: Vec<String>,
}

impl Pointer {
    /// Reads `""` or `/a/b~1c/0`. None if it starts otherwise or has a `~` that is not `~0` or `~1`.
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::default());
        }
        let tokens = text.strip_prefix('/')?.split('/').map(unescape).collect::<Option<_>>()?;
        Some(Self { tokens })
    }

    /// A place from its decoded steps.
    pub fn from_tokens(tokens: Vec<String>) -> Self {
        Self { tokens }
    }

    /// The steps, decoded. None of them for the whole document.
    pub fn tokens(&self) -> &[String] {
        &self.tokens
    }

    /// Whether the other place is this one or inside it.
    pub(super) fn contains(&self, other: &Self) -> bool {
        other.tokens.starts_with(&self.tokens)
    }

    /// The place around this one, and the last step. None for the whole document.
    pub(super) fn split_last(&self) -> Option<(&[String], &str)> {
        self.tokens.split_last().map(|(last, parent)| (parent, last.as_str()))
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for token in &self.tokens {
            write!(f, "/{}", token.replace('~', "~0").replace('/', "~1"))?;
        }
        Ok(())
    }
}

fn unescape(token: &str) -> Option<String> {
    let mut parts = token.split('~');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push(match part.as_bytes().first()? {
            b'0' => '~',
            b'1' => '/',
            _ => return None,
        });
        text.push_str(&part[1..]);
    }
    Some(text)
}

/// The index that a step means: digits without a leading zero. `-` and all else are none.
pub(super) fn index(token: &str) -> Option<usize> {
    let canonical = token == "0" || !token.starts_with('0');
    (canonical && token.bytes().all(|byte| byte.is_ascii_digit())).then(|| token.parse().ok())?
}

/// The value at the end of these steps.
pub(super) fn find<'a>(document: &'a Value, tokens: &[String]) -> Option<&'a Value> {
    tokens.iter().try_fold(document, |value, token| match value {
        Value::Object(members) => members.get(token),
        Value::Array(items) => items.get(index(token)?),
        _ => None,
    })
}

/// The value at the end of these steps, to be changed.
pub(super) fn find_mut<'a>(document: &'a mut Value, tokens: &[String]) -> Option<&'a mut Value> {
    tokens.iter().try_fold(document, |value, token| match value {
        Value::Object(members) => members.get_mut(token),
        Value::Array(items) => items.get_mut(index(token)?),
        _ => None,
    })
}
