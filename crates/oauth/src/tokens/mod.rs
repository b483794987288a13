//! Tokens: made, opened, looked into and taken back. Nothing is stored for an access token.

mod codec;
mod introspection;
mod issue;
pub(crate) mod jws;
mod jwt;
mod revocation;
pub(crate) mod seal;
mod verify;
mod window;

pub use introspection::{Introspection, introspect};
pub use issue::{IssuedToken, issue};
pub use revocation::revoke;
pub use seal::RefreshToken;
pub use verify::{Opened, is_good, is_good_at_once, open, open_at_once, verify};
pub use window::Window;
