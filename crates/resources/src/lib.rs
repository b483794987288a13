//! Declared resources become routes. Knows neither tokens nor tables: who calls comes in from outside, and rows are kept
//! behind ports.
//!
//! | module | what it owns |
//! |---|---|
//! | [`declaration`] | the YAML file that declares an API, with all that can be wrong in it |
//! | [`model`] | an API as it was declared: resources, fields, scopes, actions, and the columns that follow from them |
//! | [`lens`] | versions: one stored model, seen as each of them has it |
//! | [`validate`] | may this body become a row? |
//! | [`plan`] | from a query string to a list that a store can make |
//! | [`service`] | what happens to rows, and who may ask for it |
//! | [`view`] | how rows, lists and tasks look from outside |
//! | [`routes`] | the HTTP of it |
//! | [`openapi`] | the description of it, for machines |
//! | [`diff`] | what clients notice between two states of an API, and what was promised to them |
//! | [`ports`] | what is asked of a store, as transitions with outcomes |
//! | [`suggest`] | the word that a person probably meant |
//! | [`shop`] | the demonstration API |

pub mod declaration;
pub mod diff;
pub mod lens;
pub mod model;
pub mod openapi;
pub mod plan;
pub mod ports;
pub mod routes;
pub mod service;
pub mod shop;
pub mod suggest;
pub mod validate;
pub mod view;
