//! The properties, one file for each parser.

use crate::Target;

pub mod accept;
pub mod certificate;
pub mod cursor;
pub mod declaration;
pub mod form;
pub mod json;
pub mod json_patch;
pub mod query;
pub mod redirect_uri;
pub mod token;
pub mod version;

mod authority;

/// All of them.
pub const ALL: [Target; 11] = [
    Target { name: "accept", check: accept::check, words: accept::WORDS },
    Target { name: "certificate", check: certificate::check, words: certificate::WORDS },
    Target { name: "cursor", check: cursor::check, words: cursor::WORDS },
    Target { name: "declaration", check: declaration::check, words: declaration::WORDS },
    Target { name: "form", check: form::check, words: form::WORDS },
    Target { name: "json", check: json::check, words: json::WORDS },
    Target { name: "json_patch", check: json_patch::check, words: json_patch::WORDS },
    Target { name: "query", check: query::check, words: query::WORDS },
    Target { name: "redirect_uri", check: redirect_uri::check, words: redirect_uri::WORDS },
    Target { name: "token", check: token::check, words: token::WORDS },
    Target { name: "version", check: version::check, words: version::WORDS },
];

/// The lines of a text, for parsers that take several; none beyond the last.
fn lines(data: &[u8]) -> impl Iterator<Item = &[u8]> {
    data.split(|byte| *byte == b'\n')
}
