//! Filling the file of SQLite, beside the server that has it open.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, params};
use uuid::Uuid;

use super::Footprint;
use super::row::{Order, STATUS, Session, WORDS, person, session};

/// A commit of this many rows keeps the server waiting for a moment only.
const BATCH: u64 = 10_000;

/// The file, open for writing.
pub struct File {
    connection: Connection,
    sessions: u64,
    orders: u64,
}

impl File {
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(30))?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "normal")?;
        connection.pragma_update(None, "cache_size", -262_144)?;
        connection.pragma_update(None, "wal_autocheckpoint", 65_536)?;
        Ok(Self { connection, sessions: 0, orders: 0 })
    }

    pub fn sessions(&mut self, count: u64) -> anyhow::Result<()> {
        self.add_sessions(count, None)
    }

    pub fn ending(&mut self, count: u64, at: i64) -> anyhow::Result<()> {
        self.add_sessions(count, Some(at))
    }

    pub fn people(&mut self, like: &str, count: u64) -> anyhow::Result<()> {
        let work = self.connection.transaction()?;
        for number in 0..count {
            work.prepare_cached(
                "INSERT INTO users (id, username, username_key, password_hash, admin, created_at) \
                 SELECT ?1, ?2, ?2, password_hash, 0, created_at FROM users WHERE username_key = ?3",
            )?
            .execute(params![person(number), format!("{like}-{number}"), like])?;
        }
        work.commit()?;
        Ok(())
    }

    fn add_sessions(&mut self, count: u64, end: Option<i64>) -> anyhow::Result<()> {
        let until = self.sessions + count;
        while self.sessions < until {
            let next = until.min(self.sessions + BATCH);
            let work = self.connection.transaction()?;
            {
                let mut insert = work.prepare_cached(
                    "INSERT INTO sessions (id, client_id, subject, scope, authenticated_at, methods, generation, \
                     created_at, used_at, expires_at, address, agent) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?5, ?5, ?7, ?8, ?9)",
                )?;
                for number in self.sessions..next {
                    let row = Session::number(number);
                    insert.execute(params![
                        row.id,
                        session::CLIENT,
                        row.subject,
                        session::SCOPE,
                        row.at,
                        session::METHODS,
                        end.unwrap_or(row.until),
                        session::ADDRESS,
                        session::AGENT,
                    ])?;
                }
            }
            work.commit()?;
            self.sessions = next;
        }
        Ok(())
    }

    pub fn orders(&mut self, count: u64) -> anyhow::Result<Vec<Uuid>> {
        let mut ids = Vec::new();
        let until = self.orders + count;
        while self.orders < until {
            let next = until.min(self.orders + BATCH);
            let work = self.connection.transaction()?;
            {
                let mut insert = work.prepare_cached(
                    "INSERT INTO r_orders (id, revision, created_at, updated_at, document, f_amount, f_currency, f_status, \
                     f_created_at) VALUES (?1, 1, ?2, ?2, ?3, ?4, ?5, ?6, ?2)",
                )?;
                let mut words = work.prepare_cached("INSERT INTO s_orders (rowid, words) VALUES (?1, ?2)")?;
                for number in self.orders..next {
                    let row = Order::number(number);
                    insert.execute(params![row.id, row.at, row.document, row.amount, row.currency, STATUS])?;
                    words.execute(params![work.last_insert_rowid(), WORDS])?;
                    ids.push(row.id);
                }
            }
            work.commit()?;
            self.orders = next;
        }
        Ok(ids)
    }

    pub fn settle(&mut self) -> anyhow::Result<()> {
        self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(())
    }

    pub fn footprints(&mut self) -> anyhow::Result<(Footprint, Footprint)> {
        let count = |table: &str| {
            self.connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0))
        };
        let pages = |condition: &str| {
            let sum = format!("SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE {condition}");
            self.connection.query_row(&sum, [], |row| row.get::<_, i64>(0))
        };
        let footprint = |rows: i64, bytes: i64| Footprint { rows: rows.cast_unsigned(), bytes: bytes.cast_unsigned() };
        Ok((
            footprint(count("sessions")?, pages("name LIKE 'sessions%' OR name LIKE 'sqlite_autoindex_sessions%'")?),
            footprint(
                count("r_orders")?,
                pages(
                    "name IN ('r_orders', 's_orders') OR name LIKE '%i_orders%' OR name LIKE 's_orders%' OR name LIKE '%index_r_orders%'",
                )?,
            ),
        ))
    }
}
