//! Joins the crates into one service: engine choice, routes, layers, and the edge that faces the network.

pub mod api;
pub mod authority;
pub mod authz;
pub mod brand;
pub mod cors;
pub mod declared;
pub mod demo;
pub mod docs;
pub mod edge;
pub mod engine;
pub mod guard;
pub mod health;
pub mod home;
pub mod limits;
pub mod people;
pub mod playground;
pub mod root_key;
pub mod router;
mod straight;
pub mod system;
pub mod transfer;
