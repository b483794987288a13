//! A progress bar on a terminal; nothing where nobody looks.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar that appears with the first piece of work.
pub(super) struct Bar {
    what: &'static str,
    bar: Option<ProgressBar>,
}

impl Bar {
    pub(super) fn new(what: &'static str) -> Self {
        Self { what, bar: None }
    }

    /// So many of so many are done; this one is next.
    pub(super) fn show(&mut self, done: usize, total: usize, next: &str) {
        if !stderr().is_terminal() {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} {msg}") {
                bar.set_style(style);
            }
            bar.set_prefix(self.what);
            bar
        });
        bar.set_position(done as u64);
        bar.set_message(next.to_owned());
    }

    /// The same, for what is counted in rows.
    pub(super) fn count(&mut self, done: u64, total: u64, what: &str) {
        let size = |rows: u64| usize::try_from(rows).unwrap_or(usize::MAX);
        self.show(size(done), size(total), what);
    }

    pub(super) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
