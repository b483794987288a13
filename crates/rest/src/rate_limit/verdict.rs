//! What a request learned about its limits, and how an answer tells it.

use std::time::Duration;

use axum::response::Response;
use http::{HeaderMap, HeaderValue, header};

use super::{Charge, Count, LIMIT, RATE_LIMIT, RATE_LIMIT_POLICY, REMAINING, RESET};
use crate::{
    answering::Touch,
    digits::digits,
    problem::{Problem, catalogue},
};

/// Between two policies.
const BETWEEN: &str = ", ";

/// What one request learned about its limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    charges: Vec<Charge>,
    counts: Vec<Count>,
    now: Duration,
}

impl Verdict {
    pub(super) fn of(charges: Vec<Charge>, counts: Vec<Count>, now: Duration) -> Self {
        Self { charges, counts, now }
    }

    /// 429, if the request is one too many. The time to wait is rounded up, and never zero, since a client that waits zero
    /// seconds asks again at once.
    pub fn refusal(&self) -> Option<Problem> {
        // Of several that are used up, the one that takes longest: a client that waits for another is refused again.
        let spent = self.each().filter(|(charge, count)| count.used > charge.policy.quota().limit);
        let (charge, count) = spent.max_by_key(|(_, count)| count.reset_at)?;
        let seconds = self.until(count).max(1);
        let (name, quota) = (charge.policy.name(), charge.policy.quota());
        let detail = format!(
            "The limit `{name}` is {} requests in {} s. The next window begins in {seconds} s.",
            quota.limit,
            quota.window.as_secs()
        );
        Some(Problem::new(&catalogue::TOO_MANY_REQUESTS).detail(detail).header(header::RETRY_AFTER, seconds.into()))
    }

    /// Writes what every answer tells: three headers for the tightest limit, and the two fields of the IETF for all.
    pub fn write(&self, headers: &mut HeaderMap) {
        let Some((charge, count)) = self.tightest() else { return };
        headers.insert(LIMIT, charge.policy.limit());
        headers.insert(REMAINING, digits(left(charge, count)));
        headers.insert(RESET, digits(count.reset_at));
        // As long as it will be: a text with room behind it takes memory once more to be a header.
        let words: usize = self.charges.iter().map(|charge| charge.policy.said().len()).sum();
        let mut policies = String::with_capacity(words + BETWEEN.len() * (self.charges.len() - 1));
        let mut state = String::with_capacity(64);
        for (charge, count) in self.each() {
            if !state.is_empty() {
                policies.push_str(BETWEEN);
                state.push_str(BETWEEN);
            }
            policies.push_str(charge.policy.said());
            let mut digits = itoa::Buffer::new();
            state.push('"');
            state.push_str(charge.policy.name());
            state.push_str("\";r=");
            state.push_str(digits.format(left(charge, count)));
            state.push_str(";t=");
            state.push_str(digits.format(self.until(count)));
        }
        for (name, value) in
            [(RATE_LIMIT_POLICY, HeaderValue::try_from(policies)), (RATE_LIMIT, HeaderValue::from_str(&state))]
        {
            if let Ok(value) = value {
                headers.insert(name, value);
            }
        }
    }

    /// The limit with the least left, and of equals the one that stays so longest.
    fn tightest(&self) -> Option<(&Charge, &Count)> {
        self.each().min_by_key(|(charge, count)| (left(charge, count), std::cmp::Reverse(count.reset_at)))
    }

    fn each(&self) -> impl Iterator<Item = (&Charge, &Count)> {
        self.charges.iter().zip(&self.counts)
    }

    /// Whole seconds until the window ends, rounded up.
    fn until(&self, count: &Count) -> u64 {
        let wait = Duration::from_secs(count.reset_at).saturating_sub(self.now);
        wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
    }
}

impl Touch for Verdict {
    fn touch(self, response: &mut Response) {
        self.write(response.headers_mut());
    }
}

fn left(charge: &Charge, count: &Count) -> u64 {
    charge.policy.quota().limit.saturating_sub(count.used)
}
