//! The demonstration API: a small shop with users, orders and payments.

use crate::DeclaredScope;

/// What a client of the shop can be allowed to do.
pub static SCOPES: [DeclaredScope; 6] = [
    DeclaredScope { name: "read:users", description: "See the people of the shop" },
    DeclaredScope { name: "write:users", description: "Add, change and remove people" },
    DeclaredScope { name: "read:orders", description: "See orders" },
    DeclaredScope { name: "write:orders", description: "Place, change, pay and cancel orders" },
    DeclaredScope { name: "read:payments", description: "See payments" },
    DeclaredScope { name: "write:payments", description: "Make and refund payments" },
];
