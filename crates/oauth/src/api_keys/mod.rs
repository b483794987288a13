//! API keys of services: making, renewing and taking back, and whether one that is presented is good.

mod making;
mod presented;
#[cfg(test)]
mod tests;
mod uses;

pub use making::{ApiKeyError, Made, NewApiKey, make, revoke, rotate};
pub use presented::{Admission, admit};
pub use uses::Uses;
