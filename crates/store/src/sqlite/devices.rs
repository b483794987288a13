//! Devices in SQLite. Each transition reads and writes one row in one turn of the writer.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Params, Row, params};
use valetkey_oauth::model::{
    Approval, ClientId, Device, DeviceId, SecretDigest, SessionEnd, SessionOrigin, SessionState,
};
use valetkey_oauth::ports::{Asking, Deciding, Devices, Poll, PollRules, PollVerdict, StoreError};

use super::{Sqlite, answers, sessions, store_error};
use crate::moment::{from_column, to_column};
use crate::record;

const COLUMNS: &str = "id, user_code, client_id, scope, resource, address, agent, asked_at, expires_at, pause, \
                       polled_at, state, subject, authenticated_at, methods";

const WAITING: &str = "SELECT count(*) FROM (SELECT 1 FROM devices \
                       WHERE client_id = ?1 AND address = ?2 AND state = 'pending' AND expires_at > ?3 LIMIT ?4)";

#[async_trait]
impl Devices for Sqlite {
    async fn ask(&self, device: &Device, most: u32) -> Result<Asking, StoreError> {
        let device = device.clone();
        self.writer
            .run_beside_rows(move |connection| {
                if waiting(connection, &device, most)? >= most {
                    return Ok(Asking::TooMany);
                }
                Ok(if insert(connection, &device)? { Asking::Asked } else { Asking::CodeTaken })
            })
            .await
    }

    async fn find_waiting(&self, user_code: &SecretDigest, now: Timestamp) -> Result<Option<Device>, StoreError> {
        let condition = "user_code = ?1 AND state = 'pending' AND expires_at > ?2";
        self.readers.read(|connection| first(connection, condition, params![user_code.as_bytes(), to_column(now)]))
    }

    async fn find_device(&self, id: DeviceId) -> Result<Option<Device>, StoreError> {
        self.readers.read(|connection| first(connection, "id = ?1", [id.0]))
    }

    async fn approve(&self, id: DeviceId, approval: &Approval, now: Timestamp) -> Result<Deciding, StoreError> {
        let approval = approval.clone();
        self.writer
            .run_beside_rows(move |connection| {
                let sql = "UPDATE devices SET state = 'approved', subject = ?3, authenticated_at = ?4, methods = ?5, \
                           scope = ?6 WHERE id = ?1 AND state = 'pending' AND expires_at > ?2";
                let (since, methods) = (to_column(approval.authenticated_at), approval.methods.join(" "));
                decide(
                    connection,
                    sql,
                    params![id.0, to_column(now), approval.subject, since, methods, approval.scope.as_str()],
                )
            })
            .await
    }

    async fn deny(&self, id: DeviceId, now: Timestamp) -> Result<Deciding, StoreError> {
        self.writer
            .run_beside_rows(move |connection| {
                let sql = "UPDATE devices SET state = 'denied' WHERE id = ?1 AND state = 'pending' AND expires_at > ?2";
                decide(connection, sql, params![id.0, to_column(now)])
            })
            .await
    }

    async fn poll(&self, id: DeviceId, rules: &PollRules) -> Result<Poll, StoreError> {
        let rules = rules.clone();
        self.writer
            .run_beside_rows(move |connection| {
                let Some(device) = first(connection, "id = ?1", [id.0])? else { return Ok(Poll::Unknown) };
                match rules.judge(&device) {
                    PollVerdict::Expire => Ok(Poll::Expired),
                    PollVerdict::Wait => noted(connection, &device, device.interval, &rules, Poll::Pending),
                    PollVerdict::Refuse => noted(connection, &device, device.interval, &rules, Poll::Denied),
                    PollVerdict::SlowDown(interval) => {
                        noted(connection, &device, interval, &rules, Poll::TooSoon(interval))
                    }
                    PollVerdict::Redeem(session) => {
                        execute(connection, "UPDATE devices SET state = 'redeemed' WHERE id = ?1", [id.0])?;
                        if !sessions::insert(connection, &session)? {
                            return Err(StoreError::Failed("a device has a session already".to_owned()));
                        }
                        answers::keep(connection, rules.answer.as_ref())?;
                        Ok(Poll::Redeemed(session))
                    }
                    PollVerdict::Replay => {
                        if let Some(sealed) = answers::find_for(connection, rules.answer.as_ref(), rules.now)? {
                            return Ok(Poll::Answered(sealed));
                        }
                        if let Some(mut session) = sessions::find(connection, id.session())?
                            && session.state == SessionState::Active
                        {
                            sessions::finish(connection, &mut session, SessionEnd::CodeReplayed, rules.tokens_until)?;
                        }
                        Ok(Poll::Replayed(id.session()))
                    }
                }
            })
            .await
    }
}

/// How many of its client wait from its address; counted no further than to `most`.
fn waiting(connection: &Connection, device: &Device, most: u32) -> Result<u32, StoreError> {
    let key = params![device.client.as_str(), device.origin.address, to_column(device.asked_at), most];
    connection.prepare_cached(WAITING).and_then(|mut s| s.query_row(key, |row| row.get(0))).map_err(store_error)
}

fn insert(connection: &Connection, device: &Device) -> Result<bool, StoreError> {
    let sql = format!(
        "INSERT INTO devices ({COLUMNS}) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, NULL, 'pending', NULL, NULL, NULL) \
         ON CONFLICT (user_code) DO NOTHING"
    );
    let row = params![
        device.id.0,
        device.user_code.as_bytes(),
        device.client.as_str(),
        device.scope.as_str(),
        device.resource,
        device.origin.address,
        device.origin.agent,
        to_column(device.asked_at),
        to_column(device.expires_at),
        device.interval,
    ];
    Ok(execute(connection, &sql, row)? == 1)
}

fn decide(connection: &Connection, sql: &str, values: impl Params) -> Result<Deciding, StoreError> {
    Ok(if execute(connection, sql, values)? == 1 { Deciding::Decided } else { Deciding::Gone })
}

/// Notes when it polled, and what it has to leave between polls from now on.
fn noted(
    connection: &Connection,
    device: &Device,
    interval: u32,
    rules: &PollRules,
    outcome: Poll,
) -> Result<Poll, StoreError> {
    let sql = "UPDATE devices SET polled_at = ?2, pause = ?3 WHERE id = ?1";
    execute(connection, sql, params![device.id.0, to_column(rules.now), interval])?;
    Ok(outcome)
}

/// Forgets what this person let in and was not redeemed yet: the consent it stood on is gone.
pub(super) fn forget(connection: &Connection, subject: &str, client: &ClientId) -> Result<(), StoreError> {
    let sql = "DELETE FROM devices WHERE subject = ?1 AND client_id = ?2 AND state = 'approved'";
    execute(connection, sql, params![subject, client.as_str()]).map(drop)
}

fn execute(connection: &Connection, sql: &str, values: impl Params) -> Result<usize, StoreError> {
    connection.prepare_cached(sql).and_then(|mut statement| statement.execute(values)).map_err(store_error)
}

fn first(connection: &Connection, condition: &str, key: impl Params) -> Result<Option<Device>, StoreError> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM devices WHERE {condition}"))
        .and_then(|mut statement| statement.query_row(key, |row| Ok(device(row))).optional())
        .map_err(store_error)?
        .transpose()
}

fn device(row: &Row<'_>) -> Result<Device, StoreError> {
    let moment = |at: usize| from_column(row.get(at).map_err(store_error)?);
    let text = |at: usize| row.get::<_, String>(at).map_err(store_error);
    let optional = |at: usize| row.get::<_, Option<String>>(at).map_err(store_error);
    let since: Option<i64> = row.get(13).map_err(store_error)?;
    let scope = record::scope(&text(3)?)?;
    Ok(Device {
        id: DeviceId(row.get(0).map_err(store_error)?),
        user_code: record::digest(&row.get::<_, Vec<u8>>(1).map_err(store_error)?)?,
        client: ClientId::new(text(2)?),
        resource: optional(4)?,
        origin: SessionOrigin { sign_in: None, address: optional(5)?, agent: optional(6)? },
        asked_at: moment(7)?,
        expires_at: moment(8)?,
        interval: row.get(9).map_err(store_error)?,
        polled_at: row.get::<_, Option<i64>>(10).map_err(store_error)?.map(from_column).transpose()?,
        state: record::device_state(&text(11)?, optional(12)?, since, optional(14)?.as_deref(), &scope)?,
        scope,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::plan_of;

    #[test]
    fn those_who_wait_are_counted_in_an_index_of_their_own() {
        let plan = plan_of(WAITING, params!["app", "192.0.2.7", 0, 9]);

        let index = "USING COVERING INDEX devices_waiting (client_id=? AND address=? AND expires_at>?)";
        assert!(plan.contains(index), "{plan}");
    }

    #[test]
    fn the_devices_of_a_client_that_goes_are_found_in_an_index() {
        let plan = plan_of("DELETE FROM devices WHERE client_id = ?1", ["app"]);

        assert!(plan.contains("INDEX devices_by_client (client_id=?)"), "{plan}");
    }
}
