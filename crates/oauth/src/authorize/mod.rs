//! The authorization endpoint's rules: is the request sound, who must be asked, and what is the answer?
//!
//! Until the client and its redirect URI are known to belong together, nothing is ever sent to that URI. What waits for
//! a person travels sealed through the pages, so that nothing is stored for a request that nobody finishes.

mod check;
mod decision;
mod interaction;
mod response;

pub use check::{AuthorizationRequest, check};
pub(crate) use check::{resource, scope};
pub use decision::{Step, approve, decide, deny};
pub use interaction::Interaction;
pub use response::AuthorizationResponse;

use crate::Refusal;

/// Response types that work. Metadata advertises exactly these.
pub const RESPONSE_TYPES: [&str; 1] = ["code"];

/// Where a refused request ends.
#[derive(Debug, Clone)]
pub enum Refused {
    /// On a page: the redirect URI cannot be trusted.
    Page(Refusal),
    /// Back at the app.
    Respond(AuthorizationResponse, Refusal),
}

/// How a request ended: with an answer for the app, or refused. Whoever faces the network turns it into a response.
pub type Answer = Result<AuthorizationResponse, Refused>;
