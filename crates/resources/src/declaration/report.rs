//! Collects what is wrong, so that everything is told at once. A file that is all wrong is not told endlessly.

use super::Fault;

/// More faults than this help nobody.
const MOST: usize = 100;

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) faults: Vec<Fault>,
    pub(super) warnings: Vec<Fault>,
}

impl Report {
    pub(super) fn fault(&mut self, fault: Fault) {
        if self.faults.len() < MOST {
            self.faults.push(fault);
        }
    }

    pub(super) fn warning(&mut self, warning: Fault) {
        if self.warnings.len() < MOST {
            self.warnings.push(warning);
        }
    }

    /// In the order of the file.
    pub(super) fn sort(&mut self) {
        self.faults.sort_by_key(|fault| (fault.line, fault.column));
        self.warnings.sort_by_key(|warning| (warning.line, warning.column));
    }
}
