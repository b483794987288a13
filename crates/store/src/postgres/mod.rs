//! PostgreSQL: one database for many nodes.
