//! The JSON object of a problem: which members, in which order, and what a 5xx keeps to itself.

use std::fmt;

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::details::Details;
use crate::RequestId;

/// Members that an extension cannot replace.
const STANDARD: [&str; 9] =
    ["type", "title", "status", "detail", "instance", "errors", "error", "error_description", "error_uri"];

/// A problem together with what only the layer knows.
pub(super) struct ProblemBody<'a> {
    pub(super) details: &'a Details,
    pub(super) origin: &'a str,
    pub(super) id: Option<RequestId>,
}

impl Serialize for ProblemBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Details { kind, status, .. } = self.details;
        // A 5xx is ours to mend: its cause is in the log under `instance`, and tells an attacker nothing here.
        let ours = status.is_server_error();
        let detail = self.details.detail.as_deref().filter(|_| !ours || self.details.is_public).unwrap_or(kind.meaning);
        let link = TypeLink { origin: self.origin, slug: kind.slug };

        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", &link)?;
        map.serialize_entry("title", kind.title)?;
        map.serialize_entry("status", &status.as_u16())?;
        map.serialize_entry("detail", detail)?;
        if let Some(id) = self.id {
            map.serialize_entry("instance", &id.urn())?;
        }
        if !ours && !self.details.fields.is_empty() {
            map.serialize_entry("errors", &self.details.fields)?;
        }
        if let Some(code) = self.details.error_code {
            map.serialize_entry("error", code)?;
            map.serialize_entry("error_description", &reduce(detail))?;
            map.serialize_entry("error_uri", &link)?;
        }
        if !ours {
            for (name, value) in self.details.extensions.iter().filter(|(name, _)| !STANDARD.contains(name)) {
                map.serialize_entry(name, value)?;
            }
        }
        map.end()
    }
}

/// The `type` of a problem, written without building a string first.
struct TypeLink<'a> {
    origin: &'a str,
    slug: &'a str,
}

impl fmt::Display for TypeLink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/problems/{}", self.origin, self.slug)
    }
}

impl Serialize for TypeLink<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Reduces a sentence to the characters RFC 6749 §5.2 allows: %x20-21 / %x23-5B / %x5D-7E.
pub(super) fn reduce(sentence: &str) -> String {
    let allowed = |c| match c {
        '"' | '‘' | '’' | '“' | '”' => '\'',
        '\\' => '/',
        ' '..='~' => c,
        c if c.is_whitespace() => ' ',
        _ => '?',
    };
    sentence.chars().map(allowed).collect()
}
