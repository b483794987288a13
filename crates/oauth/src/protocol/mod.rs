//! The vocabulary of the wire, as pure functions: scopes, grant types, redirect URIs, error words.

mod error_code;
mod grant_type;
mod pkce;
mod prompt;
mod redirect_uri;
mod response_mode;
mod scope;

pub use error_code::ErrorCode;
pub use grant_type::GrantType;
pub use pkce::{Challenge, is_verifier};
pub use prompt::Prompt;
pub use redirect_uri::is_registered;
pub use response_mode::ResponseMode;
pub use scope::{OF_USERS, Scope, ScopeError};
