//! Bringing the tables of a PostgreSQL database up to date. Of many nodes that start at once, one does the work.

use std::time::Duration;

use tokio_postgres::Client;
use valetkey_oauth::ports::StoreError;

use super::Settings;
use super::connection::{Fault, direct};
use crate::migration::{self, MigrationError, Pending, Step};
use crate::transfer::TABLES;

mod embedded {
    refinery::embed_migrations!("migrations/postgres");
}

/// The advisory lock of migrations: the letters of `Valetkey`.
pub(super) const LOCK: i64 = i64::from_be_bytes(*b"Valetkey");

/// The lock of whoever fills new columns of the declared API.
pub(super) const FILLING: i64 = LOCK + 1;

/// How long a node waits before it asks for the lock again.
const AGAIN: Duration = Duration::from_millis(50);

/// Which migrations would run? Changes nothing.
pub async fn pending(settings: &Settings) -> Result<Vec<Pending>, MigrationError> {
    waiting(&mut connect(settings).await?).await
}

/// Runs what is pending, each migration in its own transaction, and tells before each one.
pub async fn migrate(settings: &Settings, progress: impl FnMut(Step<'_>) + Send) -> Result<usize, MigrationError> {
    Beside::connect(settings).await?.migrate(progress).await
}

/// A connection beside the pool, for a server that starts: over one and the same, its tables are brought up to date and those
/// of the declared API are made. To open one takes longer than all that is asked when nothing is to be done.
pub struct Beside(pub(super) Client);

impl Beside {
    /// Connects.
    pub async fn connect(settings: &Settings) -> Result<Self, MigrationError> {
        Ok(Self(connect(settings).await?))
    }

    /// Runs what is pending, each migration in its own transaction, and tells before each one.
    ///
    /// Nodes that start at once wait for each other here; the later ones find nothing to do. Whoever has nothing to do
    /// waits for nobody but those who move all rows: what is written beside them would be lost.
    pub async fn migrate(&mut self, mut progress: impl FnMut(Step<'_>) + Send) -> Result<usize, MigrationError> {
        let client = &mut self.0;
        if !try_lock(client, LOCK).await.map_err(told)? {
            // In this order: a transfer that begins later sees this connection, and refuses.
            if !is_moving(client).await? && waiting(client).await?.is_empty() {
                return Ok(0);
            }
            lock(client, || progress(Step::Waiting)).await?;
        }
        let waiting = waiting(client).await?;
        let total = waiting.len();
        for (done, next) in waiting.iter().enumerate() {
            progress(Step::Next { done, total, migration: next });
            let target = next.version.try_into().map_err(|_| MigrationError::Failed("version number".to_owned()))?;
            embedded::migrations::runner()
                .set_target(refinery::Target::Version(target))
                .run_async(client)
                .await
                .map_err(failed)?;
        }
        unlock(client, LOCK).await.map_err(told)?;
        Ok(total)
    }
}

/// Looks for what would keep this database from working well, in plain words. Empty if all is well.
pub async fn check(settings: &Settings) -> Result<Vec<String>, MigrationError> {
    let client = connect(settings).await?;
    let mut findings = Vec::new();
    let sound = "SELECT current_setting('server_version_num')::int, current_setting('server_encoding'), \
                 current_setting('synchronous_commit'), current_setting('fsync'), \
                 current_setting('max_connections')::int, current_setting('server_version')";
    let row = client.query_one(sound, &[]).await.map_err(unavailable)?;
    if row.get::<_, i32>(0) < 130_000 {
        let version: &str = row.get(5);
        findings.push(format!("The server is PostgreSQL {version}. Version 13 or newer is needed."));
    }
    if row.get::<_, &str>(1) != "UTF8" {
        let encoding: &str = row.get(1);
        findings.push(format!("The database is encoded in {encoding}. Names need one in UTF8."));
    }
    if row.get::<_, &str>(2) == "off" || row.get::<_, &str>(3) == "off" {
        findings.push(
            "synchronous_commit or fsync is off: a crash of the server can undo what was answered, \
             such as the revocation of a token."
                .to_owned(),
        );
    }
    if i32::try_from(settings.pool_size).is_ok_and(|size| size > row.get::<_, i32>(4)) {
        let most: i32 = row.get(4);
        findings.push(format!("The pool may hold {} connections, the server accepts {most}.", settings.pool_size));
    }
    let missing = "SELECT DISTINCT name FROM unnest($1::text[]) AS name, \
                   unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS privilege \
                   WHERE to_regclass(name) IS NOT NULL AND NOT has_table_privilege(name, privilege) ORDER BY name";
    let tables: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
    for row in client.query(missing, &[&tables]).await.map_err(unavailable)? {
        let table: &str = row.get(0);
        findings
            .push(format!("This user may not read and write the table {table}. Grant SELECT, INSERT, UPDATE, DELETE."));
    }
    let may_create = "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)";
    if !client.query_one(may_create, &[]).await.map_err(unavailable)?.get::<_, bool>(0) {
        findings.push("This user may not make tables, so `valetkey migrate` needs another one.".to_owned());
    }
    Ok(findings)
}

/// Waits until no other node is bringing tables up to date.
///
/// It asks again and again: one statement that waits would keep an index from being made by the node that it waits for,
/// because such a node waits for every statement that is older than the index.
pub(super) async fn lock(client: &Client, on_wait: impl FnOnce()) -> Result<(), MigrationError> {
    if try_lock(client, LOCK).await.map_err(told)? {
        return Ok(());
    }
    on_wait();
    while !try_lock(client, LOCK).await.map_err(told)? {
        tokio::time::sleep(AGAIN).await;
    }
    Ok(())
}

/// What connections call themselves that move all rows, and keep everyone else away.
pub(super) const MOVER: &str = "valetkey transfer";

/// Does one of those have the turn?
async fn is_moving(client: &Client) -> Result<bool, MigrationError> {
    let mover = format!(
        "SELECT EXISTS (SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) \
         WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND datname = current_database() \
         AND (classid::bigint << 32 | objid::bigint) = ({OURS}) AND application_name = $2)"
    );
    Ok(client.query_one(&mover, &[&LOCK, &MOVER]).await.map_err(unavailable)?.get(0))
}

/// A lock of one schema.
const OURS: &str = "$1::bigint # hashtext(coalesce(current_schema(), ''))::bigint";

/// Takes a lock, unless another node has it. Nodes with another schema of the same database are none of ours.
pub(super) async fn try_lock(client: &Client, lock: i64) -> Result<bool, StoreError> {
    let free =
        client.query_one(&format!("SELECT pg_try_advisory_lock({OURS})"), &[&lock]).await.map_err(Fault::from)?;
    Ok(free.get(0))
}

/// Closing the connection would free the lock as well, but only when the server notices.
pub(super) async fn unlock(client: &Client, lock: i64) -> Result<(), StoreError> {
    client.execute(&format!("SELECT pg_advisory_unlock({OURS})"), &[&lock]).await.map_err(Fault::from)?;
    Ok(())
}

/// Where a copy writes down how far it is.
pub(super) const NOTES: &str = "valetkey_copy";

/// Where an unfinished copy comes from.
pub(super) async fn half_copied(client: &Client) -> Result<Option<String>, MigrationError> {
    let there = format!("SELECT to_regclass('{NOTES}') IS NOT NULL");
    if !client.query_one(&there, &[]).await.map_err(unavailable)?.get::<_, bool>(0) {
        return Ok(None);
    }
    let from = format!("SELECT convert_from(last, 'UTF8') FROM {NOTES} WHERE item = 'from'");
    let from = client.query_opt(&from, &[]).await.map_err(unavailable)?;
    Ok(Some(from.map(|row| row.get(0)).unwrap_or_default()))
}

/// What a history says of who made the tables; nothing where there is none, or where it was not begun.
pub(super) async fn is_ours(client: &Client) -> Result<Option<bool>, MigrationError> {
    if !has_history(client).await? {
        return Ok(None);
    }
    let named = "SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass('refinery_schema_history') \
                 AND attname IN ('version', 'name') AND attnum > 0 AND NOT attisdropped";
    if client.query_one(named, &[]).await.map_err(unavailable)?.get::<_, i64>(0) < 2 {
        return Ok(Some(false));
    }
    let select = "SELECT coalesce(version::text, ''), coalesce(name::text, '') FROM refinery_schema_history";
    let rows = client.query(select, &[]).await.map_err(unavailable)?;
    let applied: Vec<(String, String)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    let known = embedded::migrations::runner();
    Ok(Some(applied).filter(|rows| !rows.is_empty()).map(|rows| migration::is_ours(known.get_migrations(), &rows)))
}

/// Was it ever brought to a version, be it one that this binary does not know?
async fn has_history(client: &Client) -> Result<bool, MigrationError> {
    let history = "SELECT to_regclass('refinery_schema_history') IS NOT NULL";
    Ok(client.query_one(history, &[]).await.map_err(unavailable)?.get(0))
}

/// The last migration that ran; none in a database without any. Refuses a history that is not ours.
pub(super) async fn version(client: &Client) -> Result<Option<i64>, MigrationError> {
    if !has_history(client).await? {
        return Ok(None);
    }
    let select = "SELECT version::bigint, name::text FROM refinery_schema_history ORDER BY version";
    let rows = client.query(select, &[]).await.map_err(unavailable)?;
    let applied: Vec<(i64, String)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    migration::version(embedded::migrations::runner().get_migrations(), &applied)
}

/// What brings an empty schema to a version, as an older binary would have: one script, for a transaction of the caller.
pub(super) fn script(version: i64) -> Result<String, MigrationError> {
    let runner = embedded::migrations::runner();
    let last: i64 = migration::target(runner.get_migrations(), version)?;
    let mut known: Vec<_> = runner.get_migrations().iter().filter(|one| i64::from(one.version()) <= last).collect();
    known.sort_by_key(|migration| migration.version());
    // The table as refinery makes it.
    let mut script = "CREATE TABLE refinery_schema_history (version INT4 PRIMARY KEY, name VARCHAR(255), \
                      applied_on VARCHAR(255), checksum VARCHAR(255));\n"
        .to_owned();
    for migration in known {
        script += &format!(
            "{}\n;INSERT INTO refinery_schema_history (version, name, applied_on, checksum) VALUES ({}, '{}', \
             to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), '{}');\n",
            migration.sql().unwrap_or_default(),
            migration.version(),
            migration.name(),
            migration.checksum()
        );
    }
    Ok(script)
}

async fn waiting(client: &mut Client) -> Result<Vec<Pending>, MigrationError> {
    if let Some(from) = half_copied(client).await? {
        return Err(MigrationError::HalfCopied(from));
    }
    let runner = embedded::migrations::runner();
    let history = "SELECT to_regclass('refinery_schema_history') IS NOT NULL";
    let applied = if client.query_one(history, &[]).await.map_err(unavailable)?.get(0) {
        runner.get_applied_migrations_async(client).await.map_err(failed)?
    } else {
        Vec::new()
    };
    migration::pending(runner.get_migrations(), &applied)
}

async fn connect(settings: &Settings) -> Result<Client, MigrationError> {
    direct(settings).await.map_err(|error| match error {
        StoreError::Unavailable(why) | StoreError::Failed(why) => MigrationError::Unavailable(why),
    })
}

fn unavailable(error: tokio_postgres::Error) -> MigrationError {
    told(StoreError::from(Fault::from(error)))
}

fn told(error: StoreError) -> MigrationError {
    match error {
        StoreError::Unavailable(why) => MigrationError::Unavailable(why),
        StoreError::Failed(why) => MigrationError::Failed(why),
    }
}

/// The library wraps the server's words twice; an operator needs the innermost.
fn failed(error: refinery::Error) -> MigrationError {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(deeper) = cause {
        text = format!("{text}: {deeper}");
        cause = deeper.source();
    }
    MigrationError::Failed(text)
}
