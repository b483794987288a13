//! A connection on loan. Whatever leaves it in doubt (an error, no answer, a caller that went away in the middle of a
//! transaction) takes it out of the pool; closing it is the rollback.

use std::time::Duration;

use deadpool_postgres::{ClientWrapper, Object};
use tokio::time::timeout;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, Row};

use super::Fault;
use super::ending::{Ending, Unanswered};
use super::room::Seat;
use super::settings::STATEMENT;

/// Values for the placeholders of a statement.
pub(in crate::postgres) type Values<'a> = &'a [&'a (dyn ToSql + Sync)];
/// The same, and of which kind they are.
pub(in crate::postgres) type Typed<'a> = &'a [(&'a (dyn ToSql + Sync), Type)];

/// No limit at all is what PostgreSQL would make of less.
const LEAST: Duration = Duration::from_millis(1);
/// The server has this much more time to say itself that a statement took too long.
const GRACE: Duration = Duration::from_secs(1);

/// A connection from the pool.
pub(in crate::postgres) struct Lease {
    connection: Option<Object>,
    /// Given back after the connection, which whoever comes next finds.
    _seat: Seat,
    /// In doubt: not to be lent again.
    doubtful: bool,
    statement: Duration,
}

impl Lease {
    pub(super) fn new(connection: Object, seat: Seat) -> Self {
        Self { connection: Some(connection), _seat: seat, doubtful: false, statement: STATEMENT }
    }

    /// Lets each statement of the next transaction take so long.
    pub(in crate::postgres) fn with_patience(mut self, statement: Duration) -> Self {
        self.statement = statement;
        self
    }

    /// One statement, in one round trip once it is prepared.
    pub(in crate::postgres) async fn rows(&mut self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, Fault> {
        let connection = self.connection()?;
        let outcome = self.in_time(async { connection.query(&connection.prepare_cached(sql).await?, values).await });
        let outcome = outcome.await;
        // A value that is taken is an answer like another: the connection is as good as before.
        self.doubtful |= outcome.as_ref().is_err_and(|fault| fault.violated.is_none());
        outcome
    }

    /// Begins a transaction with its first statement, in one round trip.
    pub(in crate::postgres) async fn begin(&mut self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, Fault> {
        self.doubtful = true;
        let connection = self.connection()?;
        let begin = format!("BEGIN; SET LOCAL statement_timeout = {}", self.statement.as_millis());
        self.in_time(async {
            let statement = connection.prepare_cached(sql).await?;
            let begun = connection.batch_execute(&begin);
            let ((), rows) = tokio::try_join!(biased; begun, connection.query(&statement, values))?;
            Ok(rows)
        })
        .await
    }

    /// Commits.
    pub(in crate::postgres) async fn commit(&mut self) -> Result<(), Fault> {
        self.in_time(self.connection()?.batch_execute("COMMIT")).await?;
        self.doubtful = false;
        Ok(())
    }

    /// One statement that may take so long and no longer, by the clock over there; in one round trip.
    pub(super) async fn glance(
        &mut self,
        sql: &str,
        values: Typed<'_>,
        patience: Duration,
        settings: &str,
    ) -> Result<Vec<Row>, Fault> {
        self.doubtful = true;
        let connection = self.connection()?;
        let patience = patience.clamp(LEAST, self.statement).as_millis();
        let begin = format!("BEGIN READ ONLY; SET LOCAL statement_timeout = {patience}{settings}");
        let asked = async {
            let rows = connection.query_typed(sql, values);
            Ok(tokio::join!(biased; connection.batch_execute(&begin), rows, connection.batch_execute("COMMIT")))
        };
        let (begun, rows, end) = self.in_time(asked).await?;
        begun?;
        // After a refusal, a commit answers well and undoes.
        end?;
        self.doubtful = false;
        Ok(rows?)
    }

    /// One statement that is kept, and may take so long and no longer, by the clock on this side. It is not in a transaction of
    /// several messages, each of which PostgreSQL would answer and send by itself.
    pub(super) async fn kept(
        &mut self,
        sql: &str,
        values: Typed<'_>,
        patience: Duration,
        ending: &Ending,
    ) -> Result<Vec<Row>, Fault> {
        self.doubtful = true;
        let connection = self.connection()?;
        let (values, kinds): (Vec<_>, Vec<_>) = values.iter().cloned().unzip();
        let asked = Unanswered::new(connection, ending);
        let answer = async { connection.query(&connection.prepare_typed_cached(sql, &kinds).await?, &values).await };
        let rows = timeout(patience.min(self.statement), answer).await;
        let rows = rows.map_err(|_| Fault::expired())?.map_err(Fault::from);
        asked.answered();
        // A statement that is out of date is not to be met again.
        self.doubtful = rows.as_ref().is_err_and(|fault| !fault.is_for_each());
        rows
    }

    /// Undoes the transaction, for an outcome that is not to leave anything.
    pub(in crate::postgres) async fn rollback(&mut self) -> Result<(), Fault> {
        self.in_time(self.connection()?.batch_execute("ROLLBACK")).await?;
        self.doubtful = false;
        Ok(())
    }

    /// Commits with a last statement and answers its rows, in one round trip. If the statement is refused, the
    /// transaction is undone, and the connection stays good.
    pub(in crate::postgres) async fn finish(&mut self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, Fault> {
        let connection = self.connection()?;
        let (rows, commit) = self
            .in_time(async {
                let statement = connection.prepare_cached(sql).await?;
                Ok(tokio::join!(biased; connection.query(&statement, values), connection.batch_execute("COMMIT")))
            })
            .await?;
        // After a refusal, a commit answers well and undoes.
        commit?;
        self.doubtful = false;
        Ok(rows?)
    }

    /// Commits with a last statement, in one round trip. If the statement fails, so does the transaction.
    pub(in crate::postgres) async fn commit_with(&mut self, sql: &str, values: Values<'_>) -> Result<(), Fault> {
        let connection = self.connection()?;
        self.in_time(async {
            let statement = connection.prepare_cached(sql).await?;
            let last = connection.execute(&statement, values);
            tokio::try_join!(biased; last, connection.batch_execute("COMMIT"))
        })
        .await?;
        self.doubtful = false;
        Ok(())
    }

    fn connection(&self) -> Result<&ClientWrapper, Fault> {
        self.connection.as_deref().ok_or_else(Fault::timed_out)
    }

    /// A server that hangs does not say so: the clock on this side does.
    async fn in_time<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, Fault> {
        timeout(self.statement + GRACE, work).await.map_err(|_| Fault::timed_out())?.map_err(Fault::from)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if self.doubtful
            && let Some(connection) = self.connection.take()
        {
            drop(Object::take(connection));
        }
    }
}
