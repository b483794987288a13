//! What is wrong with the settings, and where it was written.

use std::fmt;
use std::path::PathBuf;

/// Where a value was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In the file, counted from one.
    File {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// The column, in characters.
        column: usize,
    },
    /// In an environment variable.
    Environment(String),
    /// On the command line.
    Flag(&'static str),
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, line, column } => write!(out, "{}:{line}:{column}", path.display()),
            Self::Environment(name) => write!(out, "environment variable {name}"),
            Self::Flag(flag) => write!(out, "{flag}"),
        }
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where it stands.
    pub place: Place,
    /// What is wrong, as a sentence without its full stop.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.place, self.message)
    }
}

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file was asked for and is not there.
    #[error("there is no file {path}, which {named_by} names; create it with `valetkey config example > {path}`, or leave {named_by} away to use defaults", path = path.display())]
    FileMissing {
        /// The file asked for.
        path: PathBuf,
        /// The flag or variable that asks for it.
        named_by: &'static str,
    },
    /// The file is there and cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    FileUnreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Values cannot be understood; all of them are listed.
    #[error("{}", lines(.0))]
    Invalid(Vec<Problem>),
}

fn lines(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n")
}
