//! How commands answer: sentences and tables for people, one JSON value for programs.

use std::process::ExitCode;

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{ContentArrangement, Table};
use serde_json::{Value, json};

/// Where answers go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output {
    json: bool,
}

impl Output {
    pub(super) fn new(json: bool) -> Self {
        Self { json }
    }

    /// Is one JSON value wanted?
    pub(super) fn is_json(self) -> bool {
        self.json
    }

    /// Prints the value, or what a person reads in its place.
    pub(super) fn print(self, value: &Value, text: impl FnOnce() -> String) {
        if self.json {
            println!("{value}");
        } else {
            println!("{}", text());
        }
    }

    /// Prints why nothing came of it: a sentence on standard error and, for programs, one JSON value.
    pub(super) fn fail(self, message: &str, code: u8) -> ExitCode {
        if self.json {
            println!("{}", json!({ "error": message }));
        }
        eprintln!("valetkey: {message}");
        ExitCode::from(code)
    }
}

/// A table for people.
pub(super) fn table(head: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic).set_header(head);
    table.add_rows(rows);
    table.to_string()
}
