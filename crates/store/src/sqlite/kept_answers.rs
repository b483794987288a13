//! Answers under an `Idempotency-Key`, in SQLite.

use std::sync::LazyLock;

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::ports::{Answers, Kept, KeptAnswer, Key, Keyed, PAGE_BYTES};

use super::bound::{Filled, written};
use super::{Sqlite, store_error};
use crate::moment::to_micros;
use crate::outage::told;
use crate::row::{DONE, RUNNING, kept, key_subject};
use crate::statement::Several;

const INSERT: &str = "INSERT INTO kept_answers \
                      (client, subject, word, fingerprint, state, location, etag, body, expires_at) \
                      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
static REPLACE: LazyLock<String> = LazyLock::new(|| INSERT.replacen("INSERT", "INSERT OR REPLACE", 1));
static CLAIM: LazyLock<String> = LazyLock::new(|| format!("{INSERT} ON CONFLICT DO NOTHING"));
static CLAIM_ALL: LazyLock<Several> = LazyLock::new(|| Several::of(INSERT));

#[async_trait]
impl Answers for Sqlite {
    async fn kept(&self, keyed: &Keyed) -> Result<Option<Kept>, valetkey_resources::ports::StoreError> {
        self.readers.read_before_write(|connection| find(connection, keyed)).map_err(told)
    }

    async fn sweep_answers(&self, now: Timestamp, most: u32) -> Result<u64, valetkey_resources::ports::StoreError> {
        let delete = format!(
            "DELETE FROM kept_answers WHERE rowid IN (SELECT number FROM (SELECT number, sum(bytes) OVER \
             (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM (SELECT rowid AS number, \
             octet_length(body) AS bytes FROM kept_answers WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)) \
             WHERE coalesce(before, 0) < {PAGE_BYTES})"
        );
        let swept = self.writer.run_beside_rows(move |connection| {
            connection
                .prepare_cached(&delete)
                .and_then(|mut statement| statement.execute(params![to_micros(now), most]))
                .map(|rows| rows as u64)
                .map_err(store_error)
        });
        swept.await.map_err(told)
    }
}

/// What is under a key. What is over its time is as if it were not.
pub(super) fn find(connection: &Connection, keyed: &Keyed) -> Result<Option<Kept>, StoreError> {
    let select = "SELECT fingerprint, state, location, etag, body FROM kept_answers \
                  WHERE client = ?1 AND subject = ?2 AND word = ?3 AND expires_at > ?4";
    let key = &keyed.key;
    let values = params![key.client, key_subject(key.subject.as_ref()), key.word, to_micros(keyed.now)];
    connection
        .prepare_cached(select)
        .and_then(|mut statement| {
            let found = statement.query_row(values, |row| {
                let body: Option<Vec<u8>> = row.get(4)?;
                let answer = KeptAnswer { location: row.get(2)?, etag: row.get(3)?, body: body.unwrap_or_default() };
                let (fingerprint, state): (Vec<u8>, String) = (row.get(0)?, row.get(1)?);
                Ok(kept(keyed, &fingerprint, &state, answer))
            });
            found.optional()
        })
        .map_err(store_error)
}

/// Keeps an answer under a key, or that its request is being done, in the place of one whose time is over.
pub(super) fn keep(connection: &Connection, keyed: &Keyed, answer: Option<&KeptAnswer>) -> Result<(), StoreError> {
    put(connection, &REPLACE, keyed, answer).map(drop)
}

/// Keeps an answer under a key that nothing stands under. False if something does.
pub(super) fn claim(connection: &Connection, keyed: &Keyed, answer: &KeptAnswer) -> Result<bool, StoreError> {
    Ok(put(connection, &CLAIM, keyed, Some(answer))? == 1)
}

/// The same for several keys, as many as a statement has room for: for so many of them, from the first on, as nothing stands under.
pub(super) fn claim_all(connection: &Connection, keys: &[&(Keyed, KeptAnswer)]) -> Result<usize, StoreError> {
    let Some((count, sql)) = CLAIM_ALL.up_to(keys.len()) else { return Ok(0) };
    let claim = || {
        let mut claim = Filled::new(connection, sql)?;
        keys[..count].iter().try_for_each(|(keyed, answer)| bind(&mut claim, keyed, Some(answer)))?;
        written(connection, claim.execute())
    };
    claim().map_err(store_error)
}

/// Leaves a key free again.
pub(super) fn release(connection: &Connection, key: &Key) -> Result<(), StoreError> {
    connection
        .prepare_cached("DELETE FROM kept_answers WHERE client = ?1 AND subject = ?2 AND word = ?3")
        .and_then(|mut delete| delete.execute(params![key.client, key_subject(key.subject.as_ref()), key.word]))
        .map_err(store_error)?;
    Ok(())
}

fn put(connection: &Connection, sql: &str, keyed: &Keyed, answer: Option<&KeptAnswer>) -> Result<usize, StoreError> {
    let put = || {
        let mut put = Filled::new(connection, sql)?;
        bind(&mut put, keyed, answer)?;
        put.execute()
    };
    put().map_err(store_error)
}

/// The values of one row, in the order of [`INSERT`].
fn bind(row: &mut Filled<'_>, keyed: &Keyed, answer: Option<&KeptAnswer>) -> rusqlite::Result<()> {
    let key = &keyed.key;
    row.bind(&key.client)?;
    row.bind(key_subject(key.subject.as_ref()))?;
    row.bind(&key.word)?;
    row.bind(keyed.fingerprint)?;
    row.bind(if answer.is_some() { DONE } else { RUNNING })?;
    row.bind(answer.and_then(|answer| answer.location.as_ref()))?;
    row.bind(answer.and_then(|answer| answer.etag.as_ref()))?;
    row.bind(answer.map(|answer| &answer.body))?;
    row.bind(to_micros(keyed.until))
}

/// Ends what is being done under a key: with its answer, or without one, and then the key is free.
pub(super) fn end(connection: &Connection, key: &Key, answer: Option<&KeptAnswer>) -> Result<(), StoreError> {
    let subject = key_subject(key.subject.as_ref());
    let done = match answer {
        Some(answer) => connection
            .prepare_cached(
                "UPDATE kept_answers SET state = ?4, location = ?5, etag = ?6, body = ?7 \
                 WHERE client = ?1 AND subject = ?2 AND word = ?3 AND state = ?8",
            )
            .and_then(|mut statement| {
                let (location, etag, body) = (&answer.location, &answer.etag, &answer.body);
                statement.execute(params![key.client, subject, key.word, DONE, location, etag, body, RUNNING])
            }),
        None => connection
            .prepare_cached("DELETE FROM kept_answers WHERE client = ?1 AND subject = ?2 AND word = ?3 AND state = ?4")
            .and_then(|mut statement| statement.execute(params![key.client, subject, key.word, RUNNING])),
    };
    done.map(|_| ()).map_err(store_error)
}
