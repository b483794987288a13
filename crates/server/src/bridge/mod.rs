//! Where crates that must not know each other meet: cookies and sign-ins, devices and addresses, pages and the ends of authorization requests.

pub mod browser;
pub mod ending;
pub mod origin;
