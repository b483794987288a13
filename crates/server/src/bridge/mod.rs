//! Where crates that must not know each other meet: cookies and sign-ins, pages and the ends of authorization requests.

pub mod browser;
pub mod ending;
