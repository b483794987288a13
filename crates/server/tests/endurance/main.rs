//! The server under load and under attack: power cuts, stores that go away, hostile, slow and many clients, first starts
//! at the same moment.

#![allow(clippy::unwrap_used, reason = "a panic is a failing test")]

#[path = "../it/app.rs"]
#[allow(dead_code, reason = "this suite does not need every part of an app")]
mod app;
mod chance;
mod crash;
#[path = "../it/database.rs"]
mod database;
mod device_code;
mod disk_full;
mod first_start;
mod flood;
mod hostile;
#[path = "../it/house.rs"]
#[allow(dead_code, reason = "this suite does not need every part of the house")]
mod house;
mod load;
mod network_cut;
mod nodes;
mod outage;
mod own_postgres;
#[path = "../it/person.rs"]
#[allow(dead_code, reason = "this suite does not need everything a person can do")]
mod person;
mod plan;
mod power_cut;
mod process;
mod slow;
mod token;
mod told;
