//! Scope: a set of permission names, kept in the order in which they were first named.

use std::fmt;

use serde::{Deserialize, Serialize};

/// More names than any honest request holds; the bound keeps comparison cheap.
const MOST_NAMES: usize = 64;

/// Longer names are no names. With the bound above, a token that carries every one of them still fits in a header.
const LONGEST_NAME: usize = 100;

/// Names that speak of the user alone: who they are, and that an app may go on while they are away.
pub const OF_USERS: [&str; 6] = ["openid", "profile", "email", "address", "phone", "offline_access"];

/// A set of permission names, written with single spaces between them.
#[derive(Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Scope(Box<str>);

/// Why a string is not a scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScopeError {
    /// RFC 6749 §3.3 allows printable ASCII without space, quote and backslash.
    #[error("a scope name holds a character outside printable ASCII, or a quote or backslash")]
    BadCharacter,
    /// Beyond the bound.
    #[error("more than {MOST_NAMES} scope names")]
    TooMany,
    /// Beyond the other bound.
    #[error("a scope name has more than {LONGEST_NAME} characters")]
    TooLong,
}

impl Scope {
    /// No permission at all.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Reads space-separated names. Extra spaces and repeated names are dropped.
    pub fn parse(text: &str) -> Result<Self, ScopeError> {
        // All of them, even after one that is not: that goes many at a time.
        let is_sound = |byte: u8| (0x20..=0x7E).contains(&byte) & (byte != b'"') & (byte != b'\\');
        if !text.bytes().fold(true, |sound, byte| sound & is_sound(byte)) {
            return Err(ScopeError::BadCharacter);
        }
        let (mut names, mut count) = ([""; MOST_NAMES], 0);
        let (mut from, mut length) = (0, 0);
        while from < text.len() {
            let rest = &text[from..];
            let name = &rest[..rest.bytes().position(|byte| byte == b' ').unwrap_or(rest.len())];
            from += name.len() + 1;
            if name.len() > LONGEST_NAME {
                return Err(ScopeError::TooLong);
            }
            if name.is_empty() || names[..count].contains(&name) {
                continue;
            }
            *names.get_mut(count).ok_or(ScopeError::TooMany)? = name;
            count += 1;
            length += name.len() + 1;
        }
        // Most often it is written as we would write it.
        Ok(if length == text.len() + 1 { Self(text.into()) } else { Self::from_names(&names[..count]) })
    }

    fn from_names(names: &[&str]) -> Self {
        Self(names.join(" ").into_boxed_str())
    }

    /// The names, one by one.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.split(' ').filter(|name| !name.is_empty())
    }

    /// Is this name in the set?
    pub fn contains(&self, name: &str) -> bool {
        self.names().any(|own| own == name)
    }

    /// Is every name of `self` in `other`?
    pub fn is_within(&self, other: &Self) -> bool {
        self.names().all(|name| other.contains(name))
    }

    /// The names of `self` that satisfy the condition.
    pub fn filter(&self, keep: impl Fn(&str) -> bool) -> Self {
        Self::from_names(&self.names().filter(|name| keep(name)).collect::<Vec<_>>())
    }

    /// Is no permission named?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names with single spaces between them.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scope({})", self.0)
    }
}

impl TryFrom<String> for Scope {
    type Error = ScopeError;

    fn try_from(text: String) -> Result<Self, ScopeError> {
        Self::parse(&text)
    }
}

impl From<Scope> for String {
    fn from(scope: Scope) -> Self {
        scope.0.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_names_and_spaces_are_dropped_and_order_is_kept() {
        let scope = Scope::parse("  write:b read:a  write:b ").unwrap();

        assert_eq!(scope.as_str(), "write:b read:a");
    }

    #[test]
    fn characters_outside_the_rfc_are_refused() {
        for bad in ["a\"b", "a\\b", "a\tb", "ä", "a\u{7f}", "a\nb"] {
            assert_eq!(Scope::parse(bad), Err(ScopeError::BadCharacter), "{bad:?}");
        }
    }

    #[test]
    fn a_flood_of_names_is_refused() {
        let flood: String = (0..65).map(|n| format!("s{n} ")).collect();

        assert_eq!(Scope::parse(&flood), Err(ScopeError::TooMany));
    }

    #[test]
    fn an_endless_name_is_refused() {
        assert!(Scope::parse(&"a".repeat(100)).is_ok());
        assert_eq!(Scope::parse(&"a".repeat(101)), Err(ScopeError::TooLong));
    }

    #[test]
    fn a_name_is_not_contained_by_a_longer_one() {
        let scope = Scope::parse("read:files").unwrap();

        assert!(!scope.contains("read"));
        assert!(!Scope::parse("read").unwrap().is_within(&scope));
        assert!(Scope::empty().is_within(&scope));
    }
}
