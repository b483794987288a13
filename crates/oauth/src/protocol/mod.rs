//! The vocabulary of the wire, as pure functions: scopes, grant types, error words.

mod error_code;
mod grant_type;
mod scope;

pub use error_code::ErrorCode;
pub use grant_type::GrantType;
pub use scope::{Scope, ScopeError};
