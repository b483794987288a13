//! Filling the tables of PostgreSQL, beside the server that uses them.

use anyhow::Context as _;
use tokio_postgres::{Client, NoTls};
use uuid::Uuid;

use super::Footprint;
use super::row::{Order, STATUS, Session, person, session};

const BATCH: u64 = 10_000;

/// As the server writes the words of `row::WORDS`.
const VECTOR: &str = "'at':2 'door':4 'left':1 'the':3";

/// One connection.
pub struct Server {
    client: Client,
    sessions: u64,
    orders: u64,
    /// Indexes that are made anew when all rows are there.
    later: Vec<String>,
}

impl Server {
    pub async fn open(url: &str) -> anyhow::Result<Self> {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await.context("PostgreSQL")?;
        tokio::spawn(connection);
        Ok(Self { client, sessions: 0, orders: 0, later: Vec::new() })
    }

    /// Takes the indexes away that no row needs to be made: to sort them once is quicker than to find a place for each entry.
    pub async fn hurry(&mut self) -> anyhow::Result<()> {
        let ask = "SELECT quote_ident(indexname), indexdef FROM pg_indexes WHERE schemaname = current_schema() \
                   AND tablename IN ('sessions', 'r_orders') AND indexdef NOT LIKE 'CREATE UNIQUE%'";
        for row in self.client.query(ask, &[]).await? {
            self.client.batch_execute(&format!("DROP INDEX {}", row.get::<_, &str>(0))).await?;
            self.later.push(row.get(1));
        }
        self.client.batch_execute("SET synchronous_commit = off; SET maintenance_work_mem = '512MB'").await?;
        Ok(())
    }

    pub async fn sessions(&mut self, count: u64) -> anyhow::Result<()> {
        self.add_sessions(count, None).await
    }

    pub async fn ending(&mut self, count: u64, at: i64) -> anyhow::Result<()> {
        self.add_sessions(count, Some(at)).await
    }

    pub async fn people(&mut self, like: &str, count: u64) -> anyhow::Result<()> {
        let ids: Vec<Uuid> = (0..count).map(person).collect();
        let names: Vec<String> = (0..count).map(|number| format!("{like}-{number}")).collect();
        let insert = "INSERT INTO users (id, username, username_key, password_hash, admin, created_at) \
                      SELECT r.id, r.name, r.name, password_hash, false, created_at \
                      FROM users, unnest($1::uuid[], $2::text[]) AS r (id, name) WHERE username_key = $3";
        self.client.execute(insert, &[&ids, &names, &like]).await?;
        Ok(())
    }

    async fn add_sessions(&mut self, count: u64, end: Option<i64>) -> anyhow::Result<()> {
        let until = self.sessions + count;
        while self.sessions < until {
            let next = until.min(self.sessions + BATCH);
            let rows: Vec<Session> = (self.sessions..next).map(Session::number).collect();
            let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
            let subjects: Vec<&str> = rows.iter().map(|row| row.subject.as_str()).collect();
            let begun: Vec<i64> = rows.iter().map(|row| row.at).collect();
            let ends: Vec<i64> = rows.iter().map(|row| end.unwrap_or(row.until)).collect();
            let insert = "INSERT INTO sessions (id, client_id, subject, scope, authenticated_at, methods, generation, \
                          created_at, used_at, expires_at, address, agent) \
                          SELECT id, $5, subject, $6, at, $7, 1, at, at, until, $8, $9 \
                          FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[]) AS r (id, subject, at, until)";
            self.client
                .execute(
                    insert,
                    &[
                        &ids,
                        &subjects,
                        &begun,
                        &ends,
                        &session::CLIENT,
                        &session::SCOPE,
                        &session::METHODS,
                        &session::ADDRESS,
                        &session::AGENT,
                    ],
                )
                .await?;
            self.sessions = next;
        }
        Ok(())
    }

    pub async fn orders(&mut self, count: u64) -> anyhow::Result<Vec<Uuid>> {
        let mut made = Vec::new();
        let until = self.orders + count;
        while self.orders < until {
            let next = until.min(self.orders + BATCH);
            let rows: Vec<Order> = (self.orders..next).map(Order::number).collect();
            let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
            let moments: Vec<i64> = rows.iter().map(|row| row.at).collect();
            let documents: Vec<&str> = rows.iter().map(|row| row.document.as_str()).collect();
            let amounts: Vec<i64> = rows.iter().map(|row| row.amount).collect();
            let currencies: Vec<&str> = rows.iter().map(|row| row.currency).collect();
            let insert = "INSERT INTO r_orders (id, revision, created_at, updated_at, document, f_amount, f_currency, \
                          f_status, f_created_at, search) \
                          SELECT id, 1, at, at, document, amount, currency, $6, at, $7::text::tsvector \
                          FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::bigint[], $5::text[]) \
                          AS r (id, at, document, amount, currency)";
            self.client.execute(insert, &[&ids, &moments, &documents, &amounts, &currencies, &STATUS, &VECTOR]).await?;
            self.orders = next;
            made.extend(ids);
        }
        Ok(made)
    }

    pub async fn settle(&mut self) -> anyhow::Result<()> {
        for index in self.later.drain(..) {
            self.client.batch_execute(&index).await?;
        }
        for statement in ["VACUUM ANALYZE sessions", "VACUUM ANALYZE r_orders", "CHECKPOINT"] {
            self.client.batch_execute(statement).await?;
        }
        Ok(())
    }

    pub async fn footprints(&mut self) -> anyhow::Result<(Footprint, Footprint)> {
        Ok((self.footprint("sessions").await?, self.footprint("r_orders").await?))
    }

    async fn footprint(&self, table: &str) -> anyhow::Result<Footprint> {
        let ask = format!("SELECT count(*), pg_total_relation_size('{table}') FROM {table}");
        let row = self.client.query_one(&ask, &[]).await?;
        let number = |at: usize| row.get::<_, i64>(at).cast_unsigned();
        Ok(Footprint { rows: number(0), bytes: number(1) })
    }
}
