//! Engines behind the ports: SQLite for one machine, PostgreSQL for many. The rules live elsewhere; here is only SQL.

mod backlog;
pub mod cached;
mod cascade;
mod document;
mod edit;
mod lately;
mod migration;
mod moment;
mod outage;
mod page;
pub mod postgres;
mod record;
mod row;
mod shape;
pub mod sqlite;
mod statement;
mod task;
pub mod transfer;
mod turns;

pub use migration::{MigrationError, Pending, Step};
pub use shape::{Addition, Loss, ShapeError, ShapePlan, Share};
