//! The declaration: any text is an API, or a report that can be shown; what is an API can be described.

use valetkey_resources::declaration::{LARGEST, read};
use valetkey_resources::openapi::{Surroundings, document};
use valetkey_rest::version::Lifecycle;

pub const WORDS: &[&str] = &[
    "api:",
    "name: ",
    "resources:",
    "fields:",
    "scopes:",
    "actions:",
    "versions:",
    "type: ",
    "enum: [a, b]",
    "default: ",
    "string",
    "integer",
    "references: ",
    "parent: ",
    "state: ",
    "operations: [",
    "\n  ",
    "\n    ",
    "- ",
    "&a ",
    "*a",
    "<<: ",
    "!!str ",
    "---\n",
    "...\n",
    "? ",
    "\t",
    "\r\n",
    "\u{feff}",
    "%YAML 1.2\n",
    "~",
    ".inf",
    "|\n",
    "'",
    "\"",
];

pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match read(&text) {
        Ok(declared) => {
            assert!(text.len() <= LARGEST);
            let surroundings = Surroundings {
                base_url: "https://shop.example/api".to_owned(),
                issuer: "https://shop.example".to_owned(),
                version: declared.api.versions.last().map_or(1, |version| version.number),
                state: Lifecycle::Active,
            };
            let described = document(&declared.api, &surroundings);
            assert!(described.get("paths").is_some());
        }
        Err(faults) => {
            assert!(!faults.is_empty());
            for fault in faults {
                assert!(fault.line >= 1 && fault.column >= 1 && fault.width >= 1 && !fault.message.is_empty());
                assert!(!fault.show("api.yaml", &text).is_empty());
            }
        }
    }
}
