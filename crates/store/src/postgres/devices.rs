//! Devices in PostgreSQL. A decision is one statement; a poll holds its row while it is judged.

use async_trait::async_trait;
use jiff::Timestamp;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use valetkey_oauth::model::{Approval, ClientId, Device, DeviceId, SecretDigest, SessionEnd, SessionOrigin};
use valetkey_oauth::ports::{Asking, Deciding, Devices, KeptAnswer, Poll, PollRules, PollVerdict, StoreError};

use super::Postgres;
use super::answers::{FIND, KEEP};
use super::connection::{ATTEMPTS, Doubt, Fault, Lease, Values};
use super::sessions::{self, FINISH, INSERT, NewSession, session};
use super::together::Caller;
use crate::moment::{from_column, to_column};
use crate::record;

/// What [`device`] reads, in its order.
pub(super) const COLUMNS: &str = "id, user_code, client_id, scope, resource, address, agent, asked_at, expires_at, pause, \
                       polled_at, state, subject, authenticated_at, methods";

#[async_trait]
impl Devices for Postgres {
    async fn ask(&self, device: &Device, most: u32) -> Result<Asking, StoreError> {
        // Those who ask in this very moment do not see each other: the bound is one against floods, and not exact.
        let insert = format!(
            "WITH waiting AS (SELECT count(*) AS devices FROM (SELECT 1 FROM devices \
                 WHERE client_id = $3 AND address = $6 AND state = 'pending' AND expires_at > $8 LIMIT $11) AS few), \
             asked AS (\
                 INSERT INTO devices ({COLUMNS}) \
                 SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, NULL, 'pending', NULL, NULL, NULL \
                 FROM waiting WHERE devices < $11 \
                 ON CONFLICT (user_code) DO NOTHING RETURNING id) \
             SELECT (SELECT count(*) FROM asked), devices < $11 FROM waiting"
        );
        let row: [&(dyn ToSql + Sync); 11] = [
            &device.id.0,
            &&device.user_code.as_bytes()[..],
            &device.client.as_str(),
            &device.scope.as_str(),
            &device.resource,
            &device.origin.address,
            &device.origin.agent,
            &to_column(device.asked_at),
            &to_column(device.expires_at),
            &i64::from(device.interval),
            &i64::from(most),
        ];
        let rows = self.connections.write(&insert, &row).await?;
        let row = rows.first().ok_or_else(|| StoreError::Failed("a question vanished".to_owned()))?;
        Ok(match (row.get::<_, i64>(0), row.get(1)) {
            (1, _) => Asking::Asked,
            (_, true) => Asking::CodeTaken,
            (_, false) => Asking::TooMany,
        })
    }

    async fn find_waiting(&self, user_code: &SecretDigest, now: Timestamp) -> Result<Option<Device>, StoreError> {
        let select =
            format!("SELECT {COLUMNS} FROM devices WHERE user_code = $1 AND state = 'pending' AND expires_at > $2");
        let rows = self.connections.read(&select, &[&&user_code.as_bytes()[..], &to_column(now)]).await?;
        rows.first().map(device).transpose()
    }

    async fn find_device(&self, id: DeviceId) -> Result<Option<Device>, StoreError> {
        let select = format!("SELECT {COLUMNS} FROM devices WHERE id = $1");
        self.connections.read(&select, &[&id.0]).await?.first().map(device).transpose()
    }

    async fn approve(&self, id: DeviceId, approval: &Approval, now: Timestamp) -> Result<Deciding, StoreError> {
        let update = "UPDATE devices SET state = 'approved', subject = $3, authenticated_at = $4, methods = $5, \
                      scope = $6 WHERE id = $1 AND state = 'pending' AND expires_at > $2 RETURNING id";
        let (since, methods) = (to_column(approval.authenticated_at), approval.methods.join(" "));
        self.decide(update, &[&id.0, &to_column(now), &approval.subject, &since, &methods, &approval.scope.as_str()])
            .await
    }

    async fn deny(&self, id: DeviceId, now: Timestamp) -> Result<Deciding, StoreError> {
        let update = "UPDATE devices SET state = 'denied' \
                      WHERE id = $1 AND state = 'pending' AND expires_at > $2 RETURNING id";
        self.decide(update, &[&id.0, &to_column(now)]).await
    }

    async fn poll(&self, id: DeviceId, rules: &PollRules) -> Result<Poll, StoreError> {
        let mut doubt = Doubt::new();
        if rules.answer.is_none() {
            let told = self.polls.ask(Caller { id, rules: rules.clone() }).await;
            if let Some(Some(answered)) = doubt.over(told.and_then(|told| told))? {
                return Ok(answered);
            }
        }
        for _ in 0..ATTEMPTS {
            let is_again = doubt.is_there();
            let once = || self.poll_once(id, rules, is_again);
            if let Some(polled) = doubt.over(self.connections.attempt(|fault| fault.undone, once).await)? {
                return polled;
            }
        }
        Err(doubt.or("the device changed at each look"))
    }
}

impl Postgres {
    async fn decide(&self, update: &str, values: Values<'_>) -> Result<Deciding, StoreError> {
        let changed = self.connections.write(update, values).await?;
        Ok(if changed.is_empty() { Deciding::Gone } else { Deciding::Decided })
    }

    /// A row that cannot be read is a matter of the store and not of the connection, hence the two kinds of error. If this poll
    /// may have been answered already, and nobody heard it, the answer is the same.
    async fn poll_once(
        &self,
        id: DeviceId,
        rules: &PollRules,
        is_again: bool,
    ) -> Result<Result<Poll, StoreError>, Fault> {
        let mut lease = self.connections.lease().await?;
        let select = format!("SELECT {COLUMNS} FROM devices WHERE id = $1 FOR UPDATE");
        let rows = lease.begin(&select, &[&id.0]).await?;
        let now = to_column(rules.now);
        let mut device = match rows.first().map(device).transpose() {
            Ok(Some(device)) => device,
            other => {
                lease.commit().await?;
                return Ok(other.map(|_| Poll::Unknown));
            }
        };
        device.polled_at = device.polled_at.filter(|polled_at| !is_again || to_column(*polled_at) != now);
        let outcome = match rules.judge(&device) {
            PollVerdict::Expire => {
                lease.commit().await?;
                Poll::Expired
            }
            PollVerdict::Wait => noted(&mut lease, &device, device.interval, rules, Poll::Pending).await?,
            PollVerdict::Refuse => noted(&mut lease, &device, device.interval, rules, Poll::Denied).await?,
            PollVerdict::SlowDown(interval) => {
                noted(&mut lease, &device, interval, rules, Poll::TooSoon(interval)).await?
            }
            PollVerdict::Redeem(session) => {
                lease.rows("UPDATE devices SET state = 'redeemed' WHERE id = $1", &[&id.0]).await?;
                if let Some(KeptAnswer { id, sealed, expires_at }) = &rules.answer {
                    lease.rows(KEEP, &[&&id[..], sealed, &to_column(*expires_at)]).await?;
                }
                lease.commit_with(INSERT, &NewSession::from(&*session).values()).await?;
                Poll::Redeemed(session)
            }
            PollVerdict::Replay => {
                if let Some(KeptAnswer { id, .. }) = &rules.answer
                    && let Some(kept) = lease.rows(FIND, &[&&id[..], &now]).await?.first()
                {
                    let sealed = kept.get(0);
                    lease.commit().await?;
                    return Ok(Ok(Poll::Answered(sealed)));
                }
                if is_again && let Some(own) = lease.rows(&begun_at(), &[&id.session().0, &now]).await?.first() {
                    let session = session(own);
                    lease.commit().await?;
                    return Ok(session.map(|session| Poll::Redeemed(Box::new(session))));
                }
                let (why, until) = (SessionEnd::CodeReplayed.as_str(), to_column(rules.tokens_until));
                lease.commit_with(FINISH, &[&id.session().0, &why, &0_i64, &until]).await?;
                Poll::Replayed(id.session())
            }
        };
        Ok(Ok(outcome))
    }
}

/// The session `$1`, if it began at the moment `$2` and has gone no further.
fn begun_at() -> String {
    format!(
        "SELECT {} FROM sessions WHERE id = $1 AND created_at = $2 AND generation = 1 AND ended IS NULL",
        sessions::COLUMNS
    )
}

/// Notes when it polled, and what it has to leave between polls from now on.
async fn noted(
    lease: &mut Lease,
    device: &Device,
    interval: u32,
    rules: &PollRules,
    outcome: Poll,
) -> Result<Poll, Fault> {
    let update = "UPDATE devices SET polled_at = $2, pause = $3 WHERE id = $1";
    lease.commit_with(update, &[&device.id.0, &to_column(rules.now), &i64::from(interval)]).await?;
    Ok(outcome)
}

pub(super) fn device(row: &Row) -> Result<Device, StoreError> {
    let interval: i64 = row.get(9);
    let scope = record::scope(row.get(3))?;
    Ok(Device {
        id: DeviceId(row.get(0)),
        user_code: record::digest(row.get(1))?,
        client: ClientId::new(row.get::<_, &str>(2)),
        resource: row.get(4),
        origin: SessionOrigin { sign_in: None, address: row.get(5), agent: row.get(6) },
        asked_at: from_column(row.get(7))?,
        expires_at: from_column(row.get(8))?,
        interval: interval.try_into().map_err(|_| StoreError::Failed(format!("{interval} is no interval")))?,
        polled_at: row.get::<_, Option<i64>>(10).map(from_column).transpose()?,
        state: record::device_state(row.get(11), row.get(12), row.get(13), row.get(14), &scope)?,
        scope,
    })
}
