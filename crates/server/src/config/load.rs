//! Gathers the settings from flags, environment and file, in that order of weight, and remembers where each came from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::declare::Setting;
use super::error::{ConfigError, Place, Problem};
use super::settings::{Config, SETTINGS};
use super::words::Switch;
use super::{file, provider};
use valetkey_resources::suggest::nearest;

const CONFIG_VARIABLE: &str = "VALETKEY_CONFIG";
const CONFIG_FLAG: &str = "--config";
const USUAL_FILE: &str = "valetkey.toml";

/// What was given on the command line.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// `--config`
    pub config: Option<String>,
    /// `--data`
    pub data: Option<String>,
    /// `--listen`
    pub listen: Option<String>,
    /// `--public-url`
    pub public_url: Option<String>,
    /// `--api`
    pub api: Option<String>,
    /// `--database`
    pub database: Option<String>,
}

impl Flags {
    fn given(&self, flag: &str) -> Option<&str> {
        match flag {
            "--data" => self.data.as_deref(),
            "--listen" => self.listen.as_deref(),
            "--public-url" => self.public_url.as_deref(),
            "--api" => self.api.as_deref(),
            "--database" => self.database.as_deref(),
            _ => None,
        }
    }
}

/// Where a value that is not the default came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The configuration file, at this line.
    File {
        /// Counted from one.
        line: usize,
    },
    /// The environment variable of the setting.
    Environment,
    /// The flag of the setting.
    Flag,
}

/// The settings, and how they came to be.
#[derive(Debug)]
pub struct Loaded {
    /// The settings.
    pub config: Config,
    /// By key: where each value that somebody gave came from.
    pub origins: BTreeMap<&'static str, Source>,
    /// What looks like a mistake and does not stop the server.
    pub warnings: Vec<String>,
    /// The file that was read.
    pub file: Option<PathBuf>,
}

impl Loaded {
    /// Whether the demonstration user and client are wanted.
    #[must_use]
    pub fn demo(&self) -> bool {
        match self.config.demo {
            // Its secret is in the log, and its client may do everything: it is for whoever sits at this machine.
            Switch::Auto => {
                self.file.is_none() && self.config.origin().is_loopback() && self.config.listen.ip().is_loopback()
            }
            Switch::On => true,
            Switch::Off => false,
        }
    }
}

/// The environment of this process. Nothing else reads it, so that tests and commands can bring their own.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "this is the one place that reads the environment")]
pub fn environment() -> BTreeMap<String, String> {
    let text = |value: std::ffi::OsString| value.to_string_lossy().into_owned();
    std::env::vars_os().map(|(name, value)| (text(name), text(value))).collect()
}

impl Config {
    /// Gathers the settings: flags over environment over file over defaults. Variables that are empty count as unset.
    pub fn load(flags: &Flags, env: &BTreeMap<String, String>, cwd: &Path) -> Result<Loaded, ConfigError> {
        let mut config = Config::default();
        let mut origins = BTreeMap::new();
        let mut problems = Vec::new();

        let file = find_file(flags, env, cwd)?;
        if let Some(path) = &file {
            let text = std::fs::read_to_string(path)
                .map_err(|source| ConfigError::FileUnreadable { path: path.clone(), source })?;
            let reading = file::apply(&mut config, path, &text);
            origins.extend(reading.sources);
            problems.extend(reading.problems);
        }
        for setting in SETTINGS {
            let variable = env.get(setting.env).filter(|value| !value.is_empty()).map(String::as_str);
            let flag = setting.flag.and_then(|flag| Some((flag, flags.given(flag)?)));
            let given = variable.map(|text| (Source::Environment, Place::Environment(setting.env.to_owned()), text));
            let given = given.into_iter().chain(flag.map(|(flag, text)| (Source::Flag, Place::Flag(flag), text)));
            for (source, place, text) in given {
                match (setting.set)(&mut config, text) {
                    Ok(()) => _ = origins.insert(setting.key, source),
                    Err(message) => problems.push(Problem { place, message }),
                }
            }
        }
        problems.extend(provider::apply(&mut config.providers, env));
        if problems.is_empty() {
            Ok(Loaded { config, origins, warnings: unknown_variables(env), file })
        } else {
            Err(ConfigError::Invalid(problems))
        }
    }
}

/// The file to read: the one that is named, which must exist, or else the usual one if it is there.
fn find_file(flags: &Flags, env: &BTreeMap<String, String>, cwd: &Path) -> Result<Option<PathBuf>, ConfigError> {
    let variable = env.get(CONFIG_VARIABLE).filter(|value| !value.is_empty()).map(|path| (path, CONFIG_VARIABLE));
    match flags.config.as_ref().map(|path| (path, CONFIG_FLAG)).or(variable) {
        Some((path, named_by)) => {
            let path = cwd.join(path);
            if path.exists() { Ok(Some(path)) } else { Err(ConfigError::FileMissing { path, named_by }) }
        }
        None => Ok(Some(cwd.join(USUAL_FILE)).filter(|path| path.exists())),
    }
}

/// Variables with our prefix that no setting reads: most likely a slip, and silence would hide it.
fn unknown_variables(env: &BTreeMap<String, String>) -> Vec<String> {
    let known = |name: &str| {
        name == CONFIG_VARIABLE
            || SETTINGS.iter().any(|setting: &Setting| setting.env == name)
            || provider::variable(name).is_some()
    };
    let ours = env.keys().filter(|name| name.starts_with("VALETKEY_") && !known(name));
    ours.map(|name| match nearest(name, SETTINGS.iter().map(|setting| setting.env).chain([CONFIG_VARIABLE])) {
        Some(meant) => format!("environment variable {name} is not read; did you mean {meant}?"),
        None => format!("environment variable {name} is not read; `valetkey config reference` lists all that are"),
    })
    .collect()
}

#[cfg(test)]
mod tests;
