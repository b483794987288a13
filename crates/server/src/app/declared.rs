//! The API that is served: the declaration that the settings name, or the demonstration. Read once, before anything else
//! starts.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use valetkey_oauth::ports::Clock;
use valetkey_resources::declaration::{self, Declared, Fault, LARGEST};
use valetkey_resources::diff::lock::{self, Broken};
use valetkey_resources::diff::{Finding, editions};
use valetkey_resources::shop;

use super::system::SystemClock;
use crate::config::Config;

/// The largest lock that is read: more than any declaration makes.
const LARGEST_LOCK: usize = 16 * LARGEST;

/// Why there is no API to serve.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("{} cannot be read: {why}.", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: io::Error,
    },
    /// The file is not text.
    #[error("{} is not text in UTF-8: line {line} has other bytes.", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// Where that shows first, counted from one.
        line: usize,
    },
    /// Handlers are called, and nothing signs the calls.
    #[error("{}: {action} calls a handler, and `handlers.secret` is not set: nobody could tell our calls from others.", path.display())]
    Unsigned {
        /// The file.
        path: PathBuf,
        /// An action that has a handler.
        action: String,
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
    /// The lock beside it is no lock.
    #[error("{} cannot be used: {why}.", path.display())]
    LockUnreadable {
        /// The lock.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// Clients of a released version would see something else.
    #[error("{} holds what was released, and the declaration differs:\n\n{}", path.display(), told(findings).join("\n"))]
    Locked {
        /// The lock.
        path: PathBuf,
        /// What differs.
        findings: Vec<Finding>,
    },
}

impl LoadError {
    /// The setting to look at.
    pub const KEY: &str = "api";

    /// What to do.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "Name another file, or write one with `valetkey init`.",
            Self::NotText { .. } => "Save it as UTF-8.",
            Self::Unsigned { .. } => {
                "Set VALETKEY_HANDLERS_SECRET, for instance to the output of `openssl rand -base64 32`."
            }
            Self::Wrong { .. } => "Mend the file; `valetkey api check` shows what is left.",
            Self::LockUnreadable { .. } => {
                "Take it from your version control, or delete it and write a new one with `valetkey api lock`."
            }
            Self::Locked { findings, .. } if findings.iter().any(Finding::is_breaking) => {
                "Take the breaking changes back, or declare them as a new version, with the lenses that are named above. If no \
                 client is left that could break, `valetkey api lock --accept-breaking` releases them as they are."
            }
            Self::Locked { .. } => "No client breaks. Release the changes with `valetkey api lock`.",
        }
    }

    /// Everything at once: what is wrong, and what to do.
    pub fn explain(&self) -> String {
        let between = if matches!(self, Self::Wrong { .. } | Self::Locked { .. }) { "\n\n" } else { " " };
        format!("{self}{between}{}", self.remedy())
    }

    /// What differs from the lock.
    pub fn findings(&self) -> &[Finding] {
        if let Self::Locked { findings, .. } = self { findings } else { &[] }
    }

    /// What is wrong, each on one line.
    pub fn lines(&self) -> Vec<String> {
        match self {
            Self::Unreadable { .. } | Self::NotText { .. } | Self::Unsigned { .. } | Self::LockUnreadable { .. } => {
                vec![self.to_string()]
            }
            Self::Locked { path, findings } => {
                told(findings).into_iter().map(|line| format!("{}: {line}", path.display())).collect()
            }
            Self::Wrong { path, faults, .. } => faults.iter().map(|fault| line(path, fault)).collect(),
        }
    }
}

/// Findings, each on one line.
fn told(findings: &[Finding]) -> Vec<String> {
    let one = |finding: &Finding| {
        let lens = finding.lens.as_ref().map(|lens| format!(" Lens: {lens}")).unwrap_or_default();
        let Finding { rule, place, told, .. } = finding;
        format!("{} ({}, {}): {told}{lens}", place, rule.name, rule.severity.as_str())
    };
    findings.iter().map(one).collect()
}

/// A fault on one line.
fn line(path: &Path, fault: &Fault) -> String {
    format!("{}:{}:{}: {fault}", path.display(), fault.line, fault.column)
}

/// The API of this deployment.
pub fn load(config: &Config) -> Result<Declared, LoadError> {
    let Some(path) = &config.api else { return Ok(Declared { api: shop::api(), warnings: Vec::new() }) };
    let (declared, _) = read(path)?;
    keep(path, &declared)?;
    let mut actions = declared.api.resources.iter().flat_map(|resource| {
        resource.actions.iter().map(move |action| (action, format!("{}.{}", resource.name, action.name)))
    });
    match actions.find(|(action, _)| action.handler.is_some()) {
        Some((_, action)) if config.handlers.secret.is_none() => {
            Err(LoadError::Unsigned { path: path.clone(), action })
        }
        _ => Ok(declared),
    }
}

/// The API of this deployment, whatever was promised of it.
pub fn unlocked(config: &Config) -> Result<Declared, LoadError> {
    match &config.api {
        Some(path) => read(path).map(|(declared, _)| declared),
        None => Ok(Declared { api: shop::api(), warnings: Vec::new() }),
    }
}

/// Does a declaration keep to the lock beside it? Without one, nothing was promised.
pub fn keep(path: &Path, declared: &Declared) -> Result<(), LoadError> {
    let Some(text) = lock_text(path)? else { return Ok(()) };
    lock::verify(&text, &editions(&declared.api), today()).map_err(|broken| match broken {
        Broken::Changed(findings) => LoadError::Locked { path: lock_path(path), findings },
        garbage @ Broken::Garbage(_) => self::garbage(path, &garbage),
    })
}

/// Where the lock of a declaration is.
pub fn lock_path(path: &Path) -> PathBuf {
    path.with_file_name(lock::FILE)
}

/// What the lock of a declaration holds, if there is one.
pub fn lock_text(path: &Path) -> Result<Option<String>, LoadError> {
    let path = lock_path(path);
    let unusable = |why: String| LoadError::LockUnreadable { path: path.clone(), why };
    match bytes(&path, LARGEST_LOCK) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unusable(error.to_string())),
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| unusable("it is not text in UTF-8".to_owned())),
    }
}

/// A lock that is none.
pub fn garbage(path: &Path, why: &Broken) -> LoadError {
    LoadError::LockUnreadable { path: lock_path(path), why: why.to_string() }
}

/// The day it is, in UTC, by which versions come and go.
pub fn today() -> Date {
    SystemClock.now().to_zoned(TimeZone::UTC).date()
}

/// What is allowed and probably not meant, each on one line.
pub fn doubts(config: &Config, declared: &Declared) -> Vec<String> {
    let path = config.api.as_deref().unwrap_or(Path::new("the demonstration"));
    let told = declared.warnings.iter().map(|doubt| line(path, doubt));
    told.chain(config.api.as_deref().and_then(dated_lock)).collect()
}

/// Says so if the lock beside a declaration was written before locks held all that they hold now.
pub fn dated_lock(path: &Path) -> Option<String> {
    let lock = lock::read(&lock_text(path).ok()??).ok()?;
    lock.is_dated().then(|| {
        format!(
            "{} was written by an earlier version of this program, and does not hold all that is compared now. Run `valetkey \
             api lock` again.",
            lock_path(path).display()
        )
    })
}

/// The declaration in a file, and its text.
pub fn read(path: &Path) -> Result<(Declared, String), LoadError> {
    let bytes = bytes(path, LARGEST).map_err(|why| LoadError::Unreadable { path: path.to_owned(), why })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let sound = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + sound.iter().filter(|byte| **byte == b'\n').count();
        LoadError::NotText { path: path.to_owned(), line }
    })?;
    match declaration::read(&text) {
        Ok(mut declared) => {
            declared.warnings.extend(declaration::doubts(&declared.api, today()));
            Ok((declared, text))
        }
        Err(faults) => Err(LoadError::Wrong { path: path.to_owned(), text, faults }),
    }
}

/// Reads no more than it takes to know that a file is too large.
fn bytes(path: &Path, largest: usize) -> io::Result<Vec<u8>> {
    // Asked first: opening a pipe would wait for whoever writes to it.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(largest as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Each fault with the line that it stands in.
fn shown(path: &Path, text: &str, faults: &[Fault]) -> String {
    let file = path.display().to_string();
    faults.iter().map(|fault| fault.show(&file, text)).collect::<Vec<_>>().join("\n\n")
}
