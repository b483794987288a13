//! What a kind of problem is: its link, its title and the two sentences on the page behind the link.

use http::StatusCode;

/// A kind of problem. Declared once, as a `static`, and never changed after release: clients compare its link.
#[derive(Debug, PartialEq, Eq)]
pub struct ProblemType {
    /// The last segment of the `type` link.
    pub slug: &'static str,
    /// The short, fixed summary.
    pub title: &'static str,
    /// The status it usually comes with.
    pub status: StatusCode,
    /// What has happened, as a plain sentence.
    pub meaning: &'static str,
    /// What the reader can do next, as a plain sentence.
    pub remedy: &'static str,
}
