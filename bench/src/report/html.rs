//! A page with plots.

use super::Report;

/// The page.
pub fn html(_report: &Report) -> String {
    String::new()
}
