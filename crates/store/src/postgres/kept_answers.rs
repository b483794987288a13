//! Answers under an `Idempotency-Key`, in PostgreSQL. A twin of a request that is being done waits for its commit.

use async_trait::async_trait;
use jiff::Timestamp;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::ports::{Answers, Kept, KeptAnswer, Key, Keyed, PAGE_BYTES};

use super::Postgres;
use super::connection::{Fault, Lease};
use crate::moment::to_micros;
use crate::outage::told;
use crate::row::{DONE, RUNNING, kept, key_subject};

/// Takes a key, unless it is taken.
const TAKE: &str = "INSERT INTO kept_answers AS k \
    (client, subject, word, fingerprint, state, location, etag, body, expires_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
    ON CONFLICT (client, subject, word) DO UPDATE SET fingerprint = excluded.fingerprint, state = excluded.state, \
        location = excluded.location, etag = excluded.etag, body = excluded.body, expires_at = excluded.expires_at \
    WHERE k.expires_at <= $10 RETURNING 1";

#[async_trait]
impl Answers for Postgres {
    async fn kept(&self, keyed: &Keyed) -> Result<Option<Kept>, valetkey_resources::ports::StoreError> {
        self.find_kept(keyed).await.map_err(told)
    }

    async fn sweep_answers(&self, now: Timestamp, most: u32) -> Result<u64, valetkey_resources::ports::StoreError> {
        let delete = format!(
            "WITH old AS (SELECT ctid AS place, octet_length(body) AS bytes FROM kept_answers WHERE expires_at <= $1 \
             ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED), counted AS (SELECT place, sum(bytes) OVER \
             (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM old) DELETE FROM kept_answers \
             WHERE ctid = ANY (ARRAY(SELECT place FROM counted WHERE coalesce(before, 0) < {PAGE_BYTES})) RETURNING 1"
        );
        let rows = self.connections.write(&delete, &[&to_micros(now), &i64::from(most)]).await;
        rows.map(|rows| rows.len() as u64).map_err(told)
    }
}

impl Postgres {
    /// What is under a key. What is over its time is as if it were not.
    pub(super) async fn find_kept(&self, keyed: &Keyed) -> Result<Option<Kept>, StoreError> {
        let select = "SELECT fingerprint, state, location, etag, body FROM kept_answers \
                      WHERE client = $1 AND subject = $2 AND word = $3 AND expires_at > $4";
        let Key { client, subject, word } = &keyed.key;
        let subject = key_subject(subject.as_ref());
        let rows = self.connections.read(select, &[client, &subject, word, &to_micros(keyed.now)]).await?;
        Ok(rows.first().map(|row| {
            let body: Option<Vec<u8>> = row.get(4);
            let answer = KeptAnswer { location: row.get(2), etag: row.get(3), body: body.unwrap_or_default() };
            kept(keyed, row.get(0), row.get(1), answer)
        }))
    }
}

/// Begins a transaction by taking its key: with the answer if it is known already. False: another request has it.
pub(super) async fn begin(lease: &mut Lease, keyed: &Keyed, answer: Option<&KeptAnswer>) -> Result<bool, Fault> {
    let state = if answer.is_some() { DONE } else { RUNNING };
    let Key { client, subject, word } = &keyed.key;
    let subject = key_subject(subject.as_ref());
    let location = answer.and_then(|answer| answer.location.as_deref());
    let etag = answer.and_then(|answer| answer.etag.as_deref());
    let body = answer.map(|answer| &answer.body[..]);
    let (now, until) = (to_micros(keyed.now), to_micros(keyed.until));
    let fingerprint = &keyed.fingerprint[..];
    let taken = lease
        .begin(TAKE, &[client, &subject, word, &fingerprint, &state, &location, &etag, &body, &until, &now])
        .await?;
    Ok(!taken.is_empty())
}

/// Ends what is being done under a key: with its answer, or without one, and then the key is free.
pub(super) async fn end(lease: &mut Lease, key: &Key, answer: Option<&KeptAnswer>) -> Result<(), Fault> {
    let Key { client, subject, word } = key;
    let subject = key_subject(subject.as_ref());
    let Some(answer) = answer else {
        let delete = "DELETE FROM kept_answers WHERE client = $1 AND subject = $2 AND word = $3 AND state = $4";
        lease.rows(delete, &[client, &subject, word, &RUNNING]).await?;
        return Ok(());
    };
    let update = "UPDATE kept_answers SET state = $4, location = $5, etag = $6, body = $7 \
                  WHERE client = $1 AND subject = $2 AND word = $3 AND state = $8";
    let (location, etag, body) = (&answer.location, &answer.etag, &answer.body);
    lease.rows(update, &[client, &subject, word, &DONE, location, etag, body, &RUNNING]).await?;
    Ok(())
}
