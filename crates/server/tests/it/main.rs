//! The whole server from outside: the real binary, real sockets, both engines. Modules mirror the URLs.

#![allow(clippy::unwrap_used, reason = "a panic is a failing test")]

mod account;
mod answer;
mod api;
mod api_diff;
mod api_docs;
mod api_keys;
mod api_lock;
mod app;
mod audit;
mod authorize;
mod authz;
mod backchannel;
mod brand;
#[allow(dead_code, reason = "shared with the tests of the edge, which need other parts")]
#[path = "../edge/certificates.rs"]
mod certificates;
mod cli;
mod clients;
mod code;
mod consent;
mod cookies;
mod cors;
mod credentials;
mod database;
mod declaration;
mod departure;
mod device;
mod device_code;
mod errors;
mod health;
mod house;
mod introspect;
mod jwks;
mod leaving;
mod limits;
mod login;
mod logout;
mod metadata;
mod mutual_tls;
mod nodes;
mod openid;
mod pages;
mod pairwise;
mod people;
mod person;
mod playground;
mod prompt;
mod receiver;
mod refresh;
mod relay;
mod request;
mod retry;
mod revoke;
mod secrets;
mod settings;
mod sign_on;
mod start;
mod step_up;
mod token;
mod unheard;
mod userinfo;
mod webhook;
