//! What each request asks for, from memory: the same few clients and keys, which change rarely.
//!
//! An entry lives half a second, so that a command beside a running server takes effect within one.

mod api_keys;
mod brief;
mod clients;

pub use api_keys::CachedApiKeys;
pub use clients::CachedClients;
