//! The vocabulary of the wire, as pure functions: scopes, grant types, error words.

mod error_code;
mod grant_type;
mod pkce;
mod prompt;
mod response_mode;
mod scope;

pub use error_code::ErrorCode;
pub use grant_type::GrantType;
pub use pkce::{Challenge, is_verifier};
pub use prompt::Prompt;
pub use response_mode::ResponseMode;
pub use scope::{Scope, ScopeError};
