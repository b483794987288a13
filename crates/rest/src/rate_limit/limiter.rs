//! A counter and a clock: what a layer, or a handler that learns late who calls, asks about limits.

use std::{fmt, sync::Arc};

use super::{Away, Charge, Counter, Verdict};
use crate::{
    Clock,
    problem::{Problem, catalogue},
};

/// Charges requests and judges what comes of it.
#[derive(Clone)]
pub struct Limiter {
    counter: Arc<dyn Counter>,
    clock: Clock,
}

impl Limiter {
    /// Counts with `counter`, in the time of `clock`.
    pub fn new(counter: Arc<dyn Counter>, clock: Clock) -> Self {
        Self { counter, clock }
    }

    /// Charges one request, if that takes no waiting; else the charges come back.
    pub fn charge_at_once(&self, charges: Vec<Charge>) -> Result<Verdict, Vec<Charge>> {
        let now = (self.clock)();
        if charges.is_empty() {
            return Ok(Verdict::of(charges, Vec::new(), now));
        }
        match self.counter.hit_at_once(&charges, now) {
            Some(counts) => Ok(Verdict::of(charges, counts, now)),
            None => Err(charges),
        }
    }

    /// Charges one request.
    pub async fn charge(&self, charges: Vec<Charge>) -> Result<Verdict, Away> {
        let charges = match self.charge_at_once(charges) {
            Ok(verdict) => return Ok(verdict),
            Err(charges) => charges,
        };
        let now = (self.clock)();
        let counts = self.counter.hit(&charges, now).await?;
        Ok(Verdict::of(charges, counts, now))
    }
}

impl fmt::Debug for Limiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limiter").finish_non_exhaustive()
    }
}

/// In the extensions of an answer for which the counter was asked and did not answer: nobody asks it again further out.
#[derive(Debug, Clone, Copy)]
pub struct Unanswered;

impl From<Away> for Problem {
    /// 503: whoever chose to let nobody in uncounted, has it so.
    fn from(away: Away) -> Self {
        Problem::new(&catalogue::UNAVAILABLE)
            .detail(away.to_string())
            .header(http::header::RETRY_AFTER, http::HeaderValue::from_static("1"))
    }
}
