//! A scope as an API declares it: a name for machines and a sentence for the person who consents.

/// One permission of an API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeclaredScope {
    /// The name in tokens, `<action>:<object>`.
    pub name: &'static str,
    /// What it allows, in plain words.
    pub description: &'static str,
}
