//! The whole server from outside: the real binary, real sockets, both engines. Modules mirror the URLs.

#![allow(clippy::unwrap_used, reason = "a panic is a failing test")]

mod answer;
mod app;
mod authorize;
mod brand;
mod cli;
mod clients;
mod code;
mod consent;
mod cookies;
mod cors;
mod credentials;
mod database;
mod errors;
mod health;
mod house;
mod introspect;
mod jwks;
mod login;
mod logout;
mod metadata;
mod nodes;
mod openid;
mod pages;
mod person;
mod playground;
mod prompt;
mod refresh;
mod relay;
mod request;
mod retry;
mod revoke;
mod secrets;
mod settings;
mod start;
mod token;
mod userinfo;
