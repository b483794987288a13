//! The pages in a real browser: headless Chromium, a real server, and an app on another port. One file per page.

#![allow(clippy::unwrap_used, reason = "a panic is a failing test")]

#[path = "../it/database.rs"]
#[allow(dead_code, reason = "these tests run on the embedded store")]
mod database;
#[path = "../it/house.rs"]
#[allow(dead_code, unused_macros, reason = "shared with the tests over HTTP, which use the rest")]
mod house;
#[path = "../it/sign_on/provider.rs"]
#[allow(dead_code, reason = "shared with the tests over HTTP, where it lies")]
mod provider;

mod account;
mod api_docs;
mod app;
mod axe;
mod consent;
mod device;
mod driver;
mod errors;
mod framing;
mod landing;
mod language;
mod login;
mod logout;
mod playground;
mod sign_on;
mod tab;
mod world;
