//! A connection that breaks while something is written leaves a doubt: did it happen? Whoever can tell by what stands there
//! looks again, over another connection, and need not send the caller away with what was used up.

use tokio::time::Instant;
use valetkey_oauth::ports::StoreError;

use super::BLIP;

/// Whether something may have happened of which nobody was told.
pub(in crate::postgres) struct Doubt {
    began: Instant,
    why: Option<StoreError>,
}

impl Doubt {
    /// None yet.
    pub(in crate::postgres) fn new() -> Self {
        Self { began: Instant::now(), why: None }
    }

    /// What a statement brought. `None` if that is not known, and a look may tell. A server that is away for longer is told as
    /// such.
    pub(in crate::postgres) fn over<T>(&mut self, outcome: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
        match outcome {
            Ok(outcome) => Ok(Some(outcome)),
            Err(error @ StoreError::Unavailable(_)) if self.began.elapsed() <= BLIP => {
                self.why = Some(error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Is there one?
    pub(in crate::postgres) fn is_there(&self) -> bool {
        self.why.is_some()
    }

    /// What is told if no look could settle it: why there is a doubt, or else this.
    pub(in crate::postgres) fn or(self, otherwise: &str) -> StoreError {
        self.why.unwrap_or_else(|| StoreError::Unavailable(otherwise.to_owned()))
    }
}
