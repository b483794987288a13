//! Actions that take time, in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::ports::{Claimed, KeptAnswer, Operations, Task, TaskId};

use super::{Sqlite, kept_answers, store_error};
use crate::moment::to_micros;
use crate::outage::told;
use crate::statement::{is_declarable, table};
use crate::task::{COLUMNS, Columns, FAILED, PENDING, SUCCEEDED};

type Outcome<T> = Result<T, valetkey_resources::ports::StoreError>;

#[async_trait]
impl Operations for Sqlite {
    async fn operation(&self, id: TaskId) -> Outcome<Option<Claimed>> {
        self.readers.read(|connection| find(connection, id)).map_err(told)
    }

    async fn claim(&self, now: Timestamp, lease_until: Timestamp, most: u32) -> Outcome<Vec<Claimed>> {
        let (now, lease_until) = (to_micros(now), to_micros(lease_until));
        // Mostly nothing is due: a look beside the writer keeps its queue free.
        if !self.readers.read(|connection| any_due(connection, now)).map_err(told)? {
            return Ok(Vec::new());
        }
        let update = format!(
            "UPDATE tasks SET due_at = ?2, attempts = attempts + 1 WHERE id IN \
             (SELECT id FROM tasks WHERE state = 'pending' AND due_at <= ?1 ORDER BY due_at LIMIT ?3) \
             RETURNING {COLUMNS}"
        );
        let claimed = self.writer.run_beside_rows(move |connection| {
            let mut statement = connection.prepare_cached(&update).map_err(store_error)?;
            let key = params![now, lease_until, most];
            let rows = statement.query_map(key, |row| Ok(claimed(row))).map_err(store_error)?;
            rows.map(|row| row.map_err(store_error)?).collect()
        });
        claimed.await.map_err(told)
    }

    async fn postpone(&self, id: TaskId, due_at: Timestamp) -> Outcome<()> {
        let postponed = self.writer.run_beside_rows(move |connection| {
            connection
                .prepare_cached("UPDATE tasks SET due_at = ?2 WHERE id = ?1 AND state = ?3")
                .and_then(|mut statement| statement.execute(params![id.0, to_micros(due_at), PENDING]))
                .map_err(store_error)?;
            Ok(())
        });
        postponed.await.map_err(told)
    }

    async fn put_back(&self, id: TaskId, due_at: Timestamp) -> Outcome<()> {
        let put_back = self.writer.run_beside_rows(move |connection| {
            let update = "UPDATE tasks SET due_at = ?2, attempts = max(attempts - 1, 0) WHERE id = ?1 AND state = ?3";
            connection
                .prepare_cached(update)
                .and_then(|mut statement| statement.execute(params![id.0, to_micros(due_at), PENDING]))
                .map_err(store_error)?;
            Ok(())
        });
        put_back.await.map_err(told)
    }

    async fn give_up(&self, id: TaskId, status: u16, detail: &str, now: Timestamp) -> Outcome<()> {
        let detail = detail.to_owned();
        let given_up = self.writer.run(move |connection| give_up(connection, id, status, &detail, now));
        given_up.await.map_err(told)
    }

    async fn sweep_operations(&self, now: Timestamp, most: u32) -> Outcome<u64> {
        let delete = "DELETE FROM tasks WHERE id IN \
                      (SELECT id FROM tasks WHERE state <> 'pending' AND until <= ?1 ORDER BY until LIMIT ?2)";
        let swept = self.writer.run_beside_rows(move |connection| {
            connection
                .prepare_cached(delete)
                .and_then(|mut statement| statement.execute(params![to_micros(now), most]))
                .map(|rows| rows as u64)
                .map_err(store_error)
        });
        swept.await.map_err(told)
    }
}

/// Puts a task into the queue, as a part of the change that begins it.
pub(super) fn begin(connection: &Connection, task: &Task) -> Result<(), StoreError> {
    let insert = format!(
        "INSERT INTO tasks ({COLUMNS}) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, NULL, NULL, ?16, ?12)"
    );
    let key = task.key.as_ref();
    let values = params![
        task.id.0,
        task.resource,
        task.row,
        task.action,
        task.input.to_string(),
        task.client,
        task.subject,
        task.version,
        key.map(|key| &key.client),
        key.and_then(|key| key.subject.as_ref()),
        key.map(|key| &key.word),
        to_micros(task.created_at),
        to_micros(task.due_at),
        to_micros(task.until),
        PENDING,
        task.tried()
    ];
    connection.prepare_cached(&insert).and_then(|mut statement| statement.execute(values)).map_err(store_error)?;
    Ok(())
}

/// Ends a task well, as a part of the change that it makes.
pub(super) fn finish(
    connection: &Connection,
    id: TaskId,
    answer: Option<&KeptAnswer>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let key = find(connection, id)?.and_then(|claimed| claimed.task.key);
    connection
        .prepare_cached("UPDATE tasks SET state = ?2, updated_at = ?3 WHERE id = ?1 AND state = ?4")
        .and_then(|mut statement| statement.execute(params![id.0, SUCCEEDED, to_micros(now), PENDING]))
        .map_err(store_error)?;
    key.map_or(Ok(()), |key| kept_answers::end(connection, &key, answer))
}

fn give_up(connection: &Connection, id: TaskId, status: u16, detail: &str, now: Timestamp) -> Result<(), StoreError> {
    let now = to_micros(now);
    let changed = connection
        .prepare_cached(
            "UPDATE tasks SET state = ?2, status = ?3, detail = ?4, updated_at = ?5 WHERE id = ?1 AND state = ?6",
        )
        .and_then(|mut statement| statement.execute(params![id.0, FAILED, status, detail, now, PENDING]))
        .map_err(store_error)?;
    let Some(Claimed { task, .. }) = find(connection, id)?.filter(|_| changed == 1) else { return Ok(()) };
    if has_table(connection, &task.resource)? {
        let update = format!(
            "UPDATE \"{}\" SET task = NULL, revision = revision + 1, updated_at = ?3 WHERE id = ?1 AND task = ?2",
            table(&task.resource)
        );
        connection
            .prepare_cached(&update)
            .and_then(|mut statement| statement.execute(params![task.row, id.0, now]))
            .map_err(store_error)?;
    }
    task.key.map_or(Ok(()), |key| kept_answers::end(connection, &key, None))
}

/// The resource of an old task may not be declared any more.
fn has_table(connection: &Connection, resource: &str) -> Result<bool, StoreError> {
    let select = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1";
    let found = connection.prepare_cached(select).and_then(|mut statement| statement.exists([table(resource)]));
    Ok(is_declarable(resource) && found.map_err(store_error)?)
}

fn find(connection: &Connection, id: TaskId) -> Result<Option<Claimed>, StoreError> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM tasks WHERE id = ?1"))
        .and_then(|mut statement| statement.query_row([id.0], |row| Ok(claimed(row))).optional())
        .map_err(store_error)?
        .transpose()
}

fn any_due(connection: &Connection, now: i64) -> Result<bool, StoreError> {
    connection
        .prepare_cached("SELECT 1 FROM tasks WHERE state = 'pending' AND due_at <= ?1 LIMIT 1")
        .and_then(|mut statement| statement.exists([now]))
        .map_err(store_error)
}

fn claimed(row: &Row<'_>) -> Result<Claimed, StoreError> {
    let columns = (|| {
        Ok(Columns {
            id: row.get(0)?,
            resource: row.get(1)?,
            row: row.get(2)?,
            action: row.get(3)?,
            input: row.get(4)?,
            client: row.get(5)?,
            subject: row.get(6)?,
            version: row.get(7)?,
            key_client: row.get(8)?,
            key_subject: row.get(9)?,
            key_word: row.get(10)?,
            created_at: row.get(11)?,
            due_at: row.get(12)?,
            until: row.get(13)?,
            state: row.get(14)?,
            status: row.get(15)?,
            detail: row.get(16)?,
            attempts: row.get(17)?,
            updated_at: row.get(18)?,
        })
    })();
    columns.map_err(store_error)?.claimed()
}
