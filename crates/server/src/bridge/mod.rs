//! Where crates that must not know each other meet: cookies and sign-ins, addresses, certificates and callers, pages and
//! the ends of authorization requests, other providers and the way out.

pub mod api_key;
pub mod bearer;
pub mod browser;
pub mod caller;
pub mod certificate;
pub mod ending;
pub mod handlers;
mod opened;
pub mod origin;
pub mod origins;
pub mod upstream;
