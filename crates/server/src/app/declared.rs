//! The API that is served: the declaration that the settings name, or the demonstration. Read once, before anything else
//! starts.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use valetkey_resources::declaration::{self, Declared, Fault, LARGEST};
use valetkey_resources::shop;

use crate::config::Config;

/// Why there is no API to serve.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("{} cannot be read: {why}. Name another file with `api`, or write one with `valetkey init`.", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: io::Error,
    },
    /// The file is not text.
    #[error("{} is not text in UTF-8: line {line} has other bytes. Save it as UTF-8.", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// Where that shows first, counted from one.
        line: usize,
    },
    /// The declaration is wrong.
    #[error("{}", shown(path, text, faults))]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What it holds.
        text: String,
        /// Everything that is wrong with it.
        faults: Vec<Fault>,
    },
}

impl LoadError {
    /// The setting to look at.
    pub const KEY: &str = "api";
    /// What to do.
    pub const REMEDY: &str = "Mend the file; `valetkey api check` shows what is left.";
}

/// A declaration with the text that it was read from.
#[derive(Debug)]
pub struct Loaded {
    /// What it declares, and doubts about it.
    pub declared: Declared,
    /// The text, for showing the places of doubts.
    pub text: String,
}

/// The API of this deployment.
pub fn load(config: &Config) -> Result<Declared, LoadError> {
    match &config.api {
        Some(path) => read(path).map(|loaded| loaded.declared),
        None => Ok(Declared { api: shop::api(), warnings: Vec::new() }),
    }
}

/// The declaration in a file.
pub fn read(path: &Path) -> Result<Loaded, LoadError> {
    let bytes = bytes(path).map_err(|why| LoadError::Unreadable { path: path.to_owned(), why })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let sound = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + sound.iter().filter(|byte| **byte == b'\n').count();
        LoadError::NotText { path: path.to_owned(), line }
    })?;
    match declaration::read(&text) {
        Ok(declared) => Ok(Loaded { declared, text }),
        Err(faults) => Err(LoadError::Wrong { path: path.to_owned(), text, faults }),
    }
}

/// Reads no more than it takes to know that a file is too large.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    // Asked first: opening a pipe would wait for whoever writes to it.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Each fault with the line that it stands in.
fn shown(path: &Path, text: &str, faults: &[Fault]) -> String {
    let file = path.display().to_string();
    faults.iter().map(|fault| fault.show(&file, text)).collect::<Vec<_>>().join("\n\n")
}
