//! Engines behind the ports: SQLite for one machine, PostgreSQL for many. The rules live elsewhere; here is only SQL.

pub mod cached;
mod migration;
mod moment;
pub mod postgres;
mod record;
pub mod sqlite;

pub use migration::{MigrationError, Pending};
