//! How commands answer: sentences and tables for people, one JSON value for programs.

use std::io::{self, ErrorKind, Write, stdout};
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
        let line = if self.json { format!("{value}\n") } else { format!("{}\n", text()) };
        // What was asked is done; that nobody could be told does not undo it.
        let _ = write(line.as_bytes());
    }

    /// Says on standard error what was done and was probably not meant.
    pub(super) fn doubt(self, doubts: &[String]) {
        for doubt in doubts {
            eprintln!("valetkey: warning: {doubt}.");
        }
    }

    /// Prints why nothing came of it: a sentence on standard error and, for programs, one JSON value.
    pub(super) fn fail(self, message: &str, code: u8) -> ExitCode {
        if self.json {
            tell(message);
        }
        eprintln!("valetkey: {message}");
        ExitCode::from(code)
    }
}

/// Why nothing came of it, for programs.
pub(super) fn tell(message: &str) {
    let _ = write(format!("{}\n", json!({ "error": message })).as_bytes());
}

/// Writes to standard output. A reader that has left, such as `head`, has read all it wanted.
pub(super) fn write(bytes: &[u8]) -> io::Result<()> {
    let mut out = stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

/// A table for people.
pub(super) fn table(head: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic).set_header(head);
    table.add_rows(rows);
    table.to_string()
}
