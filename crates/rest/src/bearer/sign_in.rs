//! What is asked of the sign-in behind a token (RFC 9470): how fresh it is, and how strong.

use std::time::Duration;

use http::header;

use super::{Caller, Challenge};
use crate::problem::{Problem, catalogue};

/// What the sign-in of a user must be like. A client that speaks for itself has none, and needs none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SignInNeed {
    /// It is no older than this.
    pub max_age: Option<Duration>,
    /// It is of one of these strengths; any will do if none is named.
    pub acr: Vec<String>,
}

impl SignInNeed {
    /// One that is no older than this.
    pub fn fresh(max_age: Duration) -> Self {
        Self { max_age: Some(max_age), acr: Vec::new() }
    }

    /// Is the sign-in behind this caller good enough? What a token does not say is not believed.
    pub fn is_met_by(&self, caller: &Caller, now: i64) -> bool {
        if caller.subject.is_none() {
            return true;
        }
        let is_fresh = self.max_age.is_none_or(|most| {
            let most = i64::try_from(most.as_secs()).unwrap_or(i64::MAX);
            caller.authenticated_at.is_some_and(|since| now.saturating_sub(since) <= most)
        });
        let is_strong = self.acr.is_empty() || caller.acr.as_ref().is_some_and(|acr| self.acr.contains(acr));
        is_fresh && is_strong
    }
}

impl Challenge {
    /// 401: the token is valid, and its user has to sign in again for this. The client learns how to ask for that.
    pub fn insufficient_user_authentication(&self, need: &SignInNeed) -> Problem {
        let detail = match need.max_age {
            Some(most) => format!(
                "This needs a user who signed in within the last {} seconds. Send them to sign in again, with `max_age`.",
                most.as_secs()
            ),
            None => {
                "This needs a user who signed in more strongly. Send them to sign in again, with `acr_values`.".into()
            }
        };
        let (acr, max_age) = (need.acr.join(" "), need.max_age.map(|most| most.as_secs().to_string()));
        let mut members = vec![("error", "insufficient_user_authentication"), ("error_description", detail.as_str())];
        members.extend((!acr.is_empty()).then_some(("acr_values", acr.as_str())));
        members.extend(max_age.as_deref().map(|seconds| ("max_age", seconds)));
        let value = self.value(&members);
        Problem::new(&catalogue::UNAUTHORIZED).detail(detail).header(header::WWW_AUTHENTICATE, value)
    }
}

#[cfg(test)]
mod tests;
