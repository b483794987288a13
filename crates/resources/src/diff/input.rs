//! What is compared: a declaration or an OpenAPI document, told apart by what they hold.

use jiff::civil::Date;
use serde_json::Value;
use valetkey_rest::version::Lifecycle;

use super::edition::{self, editions};
use super::finding::Finding;
use super::{openapi, rule};
use crate::declaration::{self, Declared, Fault};
use crate::openapi::{Surroundings, document};

/// One side of a comparison.
#[derive(Debug)]
pub enum Input {
    /// A declaration.
    Declaration(Box<Declared>),
    /// An OpenAPI document.
    OpenApi(Box<Value>),
}

/// Why a text is neither.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// A declaration with faults.
    #[error("the declaration is wrong")]
    Wrong(Vec<Fault>),
    /// No text that could be either.
    #[error(transparent)]
    Unreadable(#[from] openapi::Unreadable),
    /// Something else.
    #[error("it is neither a declaration (no `resources`) nor an OpenAPI document 3.0 or 3.1 (no `openapi: 3.…`)")]
    Foreign,
    /// A reference into another file leads nowhere.
    #[error(transparent)]
    Dangling(#[from] openapi::Dangling),
    /// A forerunner of OpenAPI.
    #[error("it is a Swagger 2 document; convert it to OpenAPI 3 first")]
    Swagger,
}

impl Input {
    /// Reads a text that stands alone as what it is.
    pub fn read(text: &str) -> Result<Self, InputError> {
        Self::read_beside(text, |_| Err("there are no other files beside it".to_owned()))
    }

    /// Reads a text as what it is. `load` reads the text of another file, by its path beside this one.
    pub fn read_beside(text: &str, mut load: impl FnMut(&str) -> Result<String, String>) -> Result<Self, InputError> {
        let value = match openapi::read(text) {
            Ok(value) => value,
            // The reader of declarations says more about what is wrong, and where.
            Err(_) if text.lines().any(|line| line.starts_with("resources:")) => return Self::declaration(text),
            Err(error) => return Err(error.into()),
        };
        let version = value.get("openapi").map(|version| version.as_str().map_or(version.to_string(), str::to_owned));
        match version {
            Some(version) if version.starts_with("3.") => {
                let mut value = value;
                openapi::bundle(&mut value, &mut |name| {
                    openapi::read(&load(name)?).map_err(|error| format!("{name}, {error}"))
                })?;
                Ok(Self::OpenApi(Box::new(value)))
            }
            None if value.get("resources").is_some() => Self::declaration(text),
            None if value.get("swagger").is_some() => Err(InputError::Swagger),
            _ => Err(InputError::Foreign),
        }
    }

    fn declaration(text: &str) -> Result<Self, InputError> {
        declaration::read(text).map(|declared| Self::Declaration(Box::new(declared))).map_err(InputError::Wrong)
    }

    /// The word for it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Declaration(_) => "declaration",
            Self::OpenApi(_) => "openapi",
        }
    }

    fn describe(&self) -> Value {
        match self {
            Self::OpenApi(document) => (**document).clone(),
            Self::Declaration(declared) => {
                let version = declared.api.versions.last().map_or(1, |version| version.number);
                let state = Lifecycle::Active;
                let at = Surroundings { base_url: String::new(), issuer: String::new(), version, state };
                document(&declared.api, &at)
            }
        }
    }
}

/// What a client of the older one would notice. A declaration and a document are compared as documents.
pub fn compare(old: &Input, new: &Input, today: Date) -> Vec<Finding> {
    match (old, new) {
        (Input::Declaration(old), Input::Declaration(new)) => {
            edition::compare(&editions(&old.api), &editions(&new.api), today)
        }
        (Input::OpenApi(old), Input::OpenApi(new)) => openapi::compare(old, new, Some(today)),
        _ => {
            let mut found = openapi::compare(&old.describe(), &new.describe(), Some(today));
            // A declaration does not say where it is served.
            found.retain(|finding| *finding.rule != rule::AUTHENTICATION_MOVED);
            found
        }
    }
}
