//! Colours, where a terminal shows them and nobody has asked for none (no-color.org).

use std::io::{IsTerminal, stdout};

use crate::config::environment;

/// Whether words are coloured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paint {
    is_on: bool,
}

/// What a word is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Tone {
    /// It harms.
    Bad,
    /// It does not.
    Good,
    /// It leads the eye.
    Strong,
    /// It can be passed over.
    Faint,
}

impl Paint {
    /// For what is written to standard output.
    pub(super) fn of_output() -> Self {
        let environment = environment();
        let is_unwanted = environment.get("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_dumb = environment.get("TERM").is_some_and(|term| term == "dumb");
        Self { is_on: stdout().is_terminal() && !is_unwanted && !is_dumb }
    }

    #[cfg(test)]
    pub(super) fn new(is_on: bool) -> Self {
        Self { is_on }
    }

    /// The words in their colour.
    pub(super) fn paint(self, tone: Tone, words: &str) -> String {
        let code = match tone {
            Tone::Bad => "1;31",
            Tone::Good => "32",
            Tone::Strong => "1",
            Tone::Faint => "2",
        };
        if self.is_on { format!("\x1b[{code}m{words}\x1b[0m") } else { words.to_owned() }
    }
}
