//! The demonstration API: a small shop with users, orders and payments. Its declaration is a file that people read first.

use std::sync::LazyLock;

use crate::declaration;
use crate::model::Api;

/// The declaration as text: `examples/shop/api.yaml`.
pub const DECLARATION: &str = include_str!("../../../examples/shop/api.yaml");

/// The shop as it is declared.
pub fn api() -> Api {
    static API: LazyLock<Api> = LazyLock::new(|| match declaration::read(DECLARATION) {
        Ok(declared) => Api { is_demonstration: true, ..declared.api },
        // A test reads it, so a shop that cannot be read never ships.
        Err(faults) => panic!("the shop cannot be read: {faults:?}"),
    });
    API.clone()
}

#[cfg(test)]
mod tests;
