//! Actions that take time, in PostgreSQL. Nodes that look at once take different ones.

use async_trait::async_trait;
use jiff::Timestamp;
use tokio_postgres::Row;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::ports::{Claimed, KeptAnswer, Operations, Task, TaskId};

use super::connection::{Fault, Lease, can_be_stored};
use super::{Postgres, kept_answers};
use crate::moment::to_micros;
use crate::outage::told;
use crate::statement::{is_declarable, table};
use crate::task::{COLUMNS, Columns, FAILED, PENDING, SUCCEEDED};

type Outcome<T> = Result<T, valetkey_resources::ports::StoreError>;

#[async_trait]
impl Operations for Postgres {
    async fn operation(&self, id: TaskId) -> Outcome<Option<Claimed>> {
        let select = format!("SELECT {COLUMNS} FROM tasks WHERE id = $1");
        let rows = self.connections.read(&select, &[&id.0]).await.map_err(told)?;
        rows.first().map(claimed).transpose().map_err(told)
    }

    async fn claim(&self, now: Timestamp, lease_until: Timestamp, most: u32) -> Outcome<Vec<Claimed>> {
        let update = format!(
            "UPDATE tasks SET due_at = $2, attempts = attempts + 1 WHERE id = ANY (ARRAY(\
                 SELECT id FROM tasks WHERE state = 'pending' AND due_at <= $1 \
                 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)) \
             RETURNING {COLUMNS}"
        );
        let values = (to_micros(now), to_micros(lease_until), i64::from(most));
        let rows = self.connections.write(&update, &[&values.0, &values.1, &values.2]).await.map_err(told)?;
        rows.iter().map(claimed).collect::<Result<_, _>>().map_err(told)
    }

    async fn postpone(&self, id: TaskId, due_at: Timestamp) -> Outcome<()> {
        let update = "UPDATE tasks SET due_at = $2 WHERE id = $1 AND state = $3";
        self.connections.write(update, &[&id.0, &to_micros(due_at), &PENDING]).await.map_err(told)?;
        Ok(())
    }

    async fn put_back(&self, id: TaskId, due_at: Timestamp) -> Outcome<()> {
        let update = "UPDATE tasks SET due_at = $2, attempts = greatest(attempts - 1, 0) WHERE id = $1 AND state = $3";
        self.connections.write(update, &[&id.0, &to_micros(due_at), &PENDING]).await.map_err(told)?;
        Ok(())
    }

    async fn give_up(&self, id: TaskId, status: u16, detail: &str, now: Timestamp) -> Outcome<()> {
        // The words may come from another server.
        let detail = if can_be_stored(detail) { detail.to_owned() } else { detail.replace('\0', "") };
        let once = || self.give_up_once(id, status, &detail, now);
        self.connections.attempt(|fault| fault.undone, once).await.map_err(told)
    }

    async fn sweep_operations(&self, now: Timestamp, most: u32) -> Outcome<u64> {
        let delete = "DELETE FROM tasks WHERE ctid = ANY (ARRAY(\
                      SELECT ctid FROM tasks WHERE state <> 'pending' AND until <= $1 \
                      ORDER BY until LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING 1";
        let rows = self.connections.write(delete, &[&to_micros(now), &i64::from(most)]).await;
        rows.map(|rows| rows.len() as u64).map_err(told)
    }
}

impl Postgres {
    /// The row is locked first, then the task, as by a change that ends it: of the two, one comes first.
    async fn give_up_once(&self, id: TaskId, status: u16, detail: &str, now: Timestamp) -> Result<(), Fault> {
        let mut lease = self.connections.lease().await?;
        let now = to_micros(now);
        let select = format!("SELECT {COLUMNS} FROM tasks WHERE id = $1");
        let found = lease.begin(&select, &[&id.0]).await?;
        let Some(Claimed { task, .. }) = found.first().map(claimed).transpose()? else {
            return lease.rollback().await;
        };
        let known = lease.rows("SELECT to_regclass(quote_ident($1)) IS NOT NULL", &[&table(&task.resource)]).await?;
        let has_table = is_declarable(&task.resource) && known.first().is_some_and(|row| row.get(0));
        if has_table {
            let update = format!(
                "UPDATE \"{}\" SET task = NULL, revision = revision + 1, updated_at = $3 WHERE id = $1 AND task = $2",
                table(&task.resource)
            );
            lease.rows(&update, &[&task.row, &id.0, &now]).await?;
        }
        let fail = "UPDATE tasks SET state = $2, status = $3, detail = $4, updated_at = $5 \
                    WHERE id = $1 AND state = $6 RETURNING 1";
        let status = i64::from(status);
        let failed = lease.rows(fail, &[&id.0, &FAILED, &status, &detail, &now, &PENDING]).await?;
        if failed.is_empty() {
            // It ended in another way, and so the row was not touched either.
            return lease.rollback().await;
        }
        if let Some(key) = &task.key {
            kept_answers::end(&mut lease, key, None).await?;
        }
        lease.commit().await
    }
}

/// Puts a task into the queue, as a part of the change that begins it.
pub(super) async fn begin(lease: &mut Lease, task: &Task) -> Result<(), Fault> {
    let insert = format!(
        "INSERT INTO tasks ({COLUMNS}) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, NULL, NULL, $16, $12)"
    );
    let key = task.key.as_ref();
    let (key_client, key_word) = (key.map(|key| &key.client), key.map(|key| &key.word));
    let key_subject = key.and_then(|key| key.subject.as_ref());
    let (created_at, due_at, until) = (to_micros(task.created_at), to_micros(task.due_at), to_micros(task.until));
    let input = task.input.to_string();
    lease
        .rows(
            &insert,
            &[
                &task.id.0,
                &task.resource,
                &task.row,
                &task.action,
                &input,
                &task.client,
                &task.subject,
                &task.version,
                &key_client,
                &key_subject,
                &key_word,
                &created_at,
                &due_at,
                &until,
                &PENDING,
                &i64::from(task.tried()),
            ],
        )
        .await?;
    Ok(())
}

/// Ends a task well, as a part of the change that it makes.
pub(super) async fn finish(
    lease: &mut Lease,
    id: TaskId,
    answer: Option<&KeptAnswer>,
    now: Timestamp,
) -> Result<(), Fault> {
    let update =
        format!("UPDATE tasks SET state = $2, updated_at = $3 WHERE id = $1 AND state = $4 RETURNING {COLUMNS}");
    let rows = lease.rows(&update, &[&id.0, &SUCCEEDED, &to_micros(now), &PENDING]).await?;
    let key = rows.first().map(claimed).transpose()?.and_then(|claimed| claimed.task.key);
    match key {
        Some(key) => kept_answers::end(lease, &key, answer).await,
        None => Ok(()),
    }
}

fn claimed(row: &Row) -> Result<Claimed, StoreError> {
    let columns = Columns {
        id: row.get(0),
        resource: row.get(1),
        row: row.get(2),
        action: row.get(3),
        input: row.get(4),
        client: row.get(5),
        subject: row.get(6),
        version: row.get(7),
        key_client: row.get(8),
        key_subject: row.get(9),
        key_word: row.get(10),
        created_at: row.get(11),
        due_at: row.get(12),
        until: row.get(13),
        state: row.get(14),
        status: row.get(15),
        detail: row.get(16),
        attempts: row.get(17),
        updated_at: row.get(18),
    };
    columns.claimed()
}
