//! Joins the crates into one service: engine choice, routes, layers, and the edge that faces the network.

pub mod edge;
