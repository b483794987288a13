//! How far a command is: a bar on a terminal, lines of JSON for programs, and for what takes long, lines in a log.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use valetkey_store::Step;

use super::output::{Output, complain};

/// Programs are told this often.
const EVERY: Duration = Duration::from_secs(1);

/// A bar that appears with the first piece of work.
pub(super) struct Bar {
    work: &'static str,
    bar: Option<ProgressBar>,
    is_json: bool,
    /// Are there lines where there is no terminal?
    is_logged: bool,
    /// What was told last, and when.
    told: Option<(String, Instant)>,
}

impl Bar {
    pub(super) fn new(work: &'static str) -> Self {
        Self { work, bar: None, is_json: false, is_logged: false, told: None }
    }

    /// One that also tells programs: the answer stands on standard output, and how far it is on standard error.
    pub(super) fn told(work: &'static str, output: Output) -> Self {
        Self { is_json: output.is_json(), ..Self::new(work) }
    }

    /// One that also tells those who look neither at a terminal nor with a program, but at a log.
    pub(super) fn logged(work: &'static str, output: Output) -> Self {
        let told = Some((String::new(), Instant::now()));
        Self { is_logged: true, told, ..Self::told(work, output) }
    }

    /// How far migrations are. A wait is told everywhere: whoever sees nothing would take it for a fault.
    pub(super) fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Waiting => {
                complain("valetkey: another process changes the tables, or moves them; waiting until it is done");
            }
            Step::Next { done, total, migration } => self.show(done, total, &migration.name),
        }
    }

    /// So many of so many are done; this one is next.
    fn show(&mut self, done: usize, total: usize, next: &str) {
        self.draw(done as u64, total as u64, next, "{prefix} [{bar:30}] {pos}/{len} {msg}");
    }

    /// The same, for what is counted in rows.
    pub(super) fn count(&mut self, done: u64, total: u64, what: &str) {
        if self.is_json || (self.is_logged && !stderr().is_terminal()) {
            return self.line(done, total, what);
        }
        let rows = "{prefix} [{bar:30}] {percent:>3} % {pos}/{len} {msg}, {per_sec}, {eta} left";
        self.draw(done, total, what, rows);
    }

    fn draw(&mut self, done: u64, total: u64, what: &str, template: &str) {
        if self.is_json || !stderr().is_terminal() {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.set_prefix(self.work);
            bar
        });
        if bar.message() != what {
            bar.reset();
            bar.set_message(what.to_owned());
        }
        bar.set_length(total);
        bar.set_position(done);
    }

    fn line(&mut self, done: u64, total: u64, what: &str) {
        // A log gets what takes a while, and not a line for each of many small things.
        let is_news = |known: &str| self.is_json && (known != what || done == total);
        let is_due = |(known, at): &(String, Instant)| at.elapsed() >= EVERY || is_news(known);
        if self.told.as_ref().is_none_or(is_due) {
            self.told = Some((what.to_owned(), Instant::now()));
            let percent = done.saturating_mul(100).checked_div(total).unwrap_or(100);
            if !self.is_json {
                return complain(&format!("{} {percent:>3} % {done}/{total} {what}", self.work));
            }
            let line = json!({ "work": self.work, "what": what, "done": done, "total": total, "percent": percent });
            complain(&json!({ "progress": line }).to_string());
        }
    }

    pub(super) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
