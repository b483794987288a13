//! `prompt` (OpenID Connect Core §3.1.2.1): what the app wants the user to be asked.

use serde::{Deserialize, Serialize};

/// One word of `prompt`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Prompt {
    /// Ask nothing: succeed silently or fail.
    None,
    /// Ask for the password again.
    Login,
    /// Ask for consent again.
    Consent,
    /// Let the user choose the account.
    SelectAccount,
}

impl Prompt {
    /// Reads the words. `None` for an unknown word, and for `none` beside another.
    pub fn parse(text: &str) -> Option<Vec<Self>> {
        let word = |word: &str| match word {
            "none" => Some(Self::None),
            "login" => Some(Self::Login),
            "consent" => Some(Self::Consent),
            "select_account" => Some(Self::SelectAccount),
            _ => None,
        };
        let words: Vec<Self> = text.split_whitespace().map(word).collect::<Option<_>>()?;
        let is_alone = !words.contains(&Self::None) || words.len() == 1;
        is_alone.then_some(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_stands_alone() {
        assert_eq!(Prompt::parse("none"), Some(vec![Prompt::None]));
        assert_eq!(Prompt::parse("login consent"), Some(vec![Prompt::Login, Prompt::Consent]));
        assert_eq!(Prompt::parse("none login"), None);
        assert_eq!(Prompt::parse("whatever"), None);
    }
}
