//! How commands answer: sentences and tables for people, one JSON value for programs.

use std::io::{self, ErrorKind, Write, stderr, stdout};
use std::process::ExitCode;

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{ContentArrangement, Table};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
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

    /// Prints the value, or what a person reads in its place. What was asked is done by then; that nobody could be told
    /// does not undo it, but is told in its turn.
    pub(super) fn print(self, value: &Value, text: impl FnOnce() -> String) -> Result<(), Unwritten> {
        let line = if self.json { format!("{value}\n") } else { format!("{}\n", text()) };
        write(line.as_bytes())
    }

    /// Says on standard error what was done and was probably not meant.
    pub(super) fn doubt(self, doubts: &[String]) {
        for doubt in doubts {
            complain(&format!("valetkey: warning: {doubt}."));
        }
    }

    /// Prints why nothing came of it: a sentence on standard error and, for programs, one JSON value.
    pub(super) fn fail(self, message: &str, code: u8) -> ExitCode {
        if self.json {
            tell(message);
        }
        complain(&format!("valetkey: {message}"));
        ExitCode::from(code)
    }
}

/// Why nothing came of it, for programs.
pub(super) fn tell(message: &str) {
    let _ = write(format!("{}\n", json!({ "error": message })).as_bytes());
}

/// Why an answer did not get to whoever asked.
#[derive(Debug, thiserror::Error)]
#[error("the answer could not be written to standard output: {0}")]
pub(super) struct Unwritten(io::Error);

/// Writes to standard output. A reader that has left, such as `head`, has read all it wanted.
pub(super) fn write(bytes: &[u8]) -> Result<(), Unwritten> {
    let mut out = stdout().lock();
    heard(out.write_all(bytes).and_then(|()| out.flush()))
}

/// What became of words to standard output.
pub(super) fn heard(outcome: io::Result<()>) -> Result<(), Unwritten> {
    match outcome {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome.map_err(Unwritten),
    }
}

/// Has whoever read standard output left? Known without another word to them.
pub(super) fn reader_has_left() -> bool {
    let out = stdout();
    let mut looked = [PollFd::new(&out, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut looked, Some(&now)).is_ok() && looked[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

/// Writes a line to standard error. Where nobody can hear it, the work goes on.
pub(super) fn complain(line: &str) {
    let _ = stderr().lock().write_all(format!("{line}\n").as_bytes());
}

/// A table for people.
pub(super) fn table(head: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic).set_header(head);
    table.add_rows(rows);
    table.to_string()
}
