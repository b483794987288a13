//! Polls of devices that come at the same moment share a transaction. What is not as usual is left for
//! [`devices`](crate::postgres::devices) to look at, one at a time.

use std::collections::{HashMap, HashSet};

use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;
use valetkey_oauth::model::{Device, DeviceId, Session};
use valetkey_oauth::ports::{Poll, PollRules, PollVerdict, StoreError};

use super::{arrays, in_doubt};
use crate::moment::to_column;
use crate::postgres::connection::{Bounds, Connections, Fault, Gathering, Lease};
use crate::postgres::devices::{COLUMNS, device};
use crate::postgres::sessions::{self, NewSession};

/// How many polls at once.
const BOUNDS: Bounds = Bounds { ways: 2, most: 128, commits: true };

/// A device that polls.
pub(in crate::postgres) struct Caller {
    pub(in crate::postgres) id: DeviceId,
    pub(in crate::postgres) rules: PollRules,
}

/// What a device is told. None: it was not answered in this way, and nothing happened.
type Told = Result<Option<Poll>, StoreError>;

/// Polls under way.
pub(in crate::postgres) type Polls = Gathering<Caller, Told>;

/// Where they are answered.
pub(in crate::postgres) fn polls(connections: &Connections) -> Polls {
    let connections = connections.clone();
    Gathering::new(BOUNDS, move |callers: Vec<Caller>| {
        let connections = connections.clone();
        async move {
            match connections.attempt(|fault| fault.undone, || answer(&connections, &callers)).await {
                Ok(answers) => Ok(answers.into_iter().map(Ok).collect()),
                Err(error) => {
                    let mut seen = HashSet::with_capacity(callers.len());
                    let is_first: Vec<bool> = callers.iter().map(|caller| seen.insert(caller.id.0)).collect();
                    Ok(in_doubt(&is_first, &error, &None))
                }
            }
        }
    })
}

/// Locks the devices, judges each poll by its row as it is, and writes what they come to. A device that another transaction
/// holds is passed over.
async fn answer(connections: &Connections, callers: &[Caller]) -> Result<Vec<Option<Poll>>, Fault> {
    let lock = format!(
        "SELECT {COLUMNS} FROM devices WHERE id = ANY ((SELECT $1::uuid[])::uuid[]) FOR NO KEY UPDATE SKIP LOCKED"
    );
    let ids: Vec<Uuid> = callers.iter().map(|caller| caller.id.0).collect();
    let for_each = || callers.iter().map(|_| None).collect();
    let mut lease = connections.lease().await?;
    let rows = match lease.begin(&lock, &[&ids]).await {
        Ok(rows) => rows,
        Err(fault) if fault.is_for_each() => return Ok(for_each()),
        Err(fault) => return Err(fault),
    };
    // Each device is answered once; a second poll of it needs what the first one leaves.
    let mut rows: HashMap<Uuid, &Row> = rows.iter().filter_map(|row| Some((row.try_get(0).ok()?, row))).collect();
    let mut notes = Notes::default();
    let judge = |caller: &Caller| rows.remove(&caller.id.0).and_then(|row| notes.judge(&caller.rules, row));
    let outcomes = callers.iter().map(judge).collect();
    if notes.ids.is_empty() {
        lease.rollback().await?;
        return Ok(outcomes);
    }
    match notes.write(&mut lease).await {
        Ok(()) => Ok(outcomes),
        Err(fault) if fault.is_for_each() => Ok(for_each()),
        Err(fault) => Err(fault),
    }
}

/// What is to be written, of each device in its place, and the sessions that begin.
#[derive(Default)]
struct Notes {
    ids: Vec<Uuid>,
    polled_at: Vec<Option<i64>>,
    pauses: Vec<i64>,
    redeemed: Vec<bool>,
    sessions: Vec<Session>,
}

impl Notes {
    /// What a device is told. None for what takes more than a note: also for what cannot be read, which cannot where it
    /// harms nobody else, either.
    fn judge(&mut self, rules: &PollRules, row: &Row) -> Option<Poll> {
        let device = device(row).ok()?;
        match rules.judge(&device) {
            PollVerdict::Expire => Some(Poll::Expired),
            PollVerdict::Wait => Some(self.note(&device, device.interval, rules, Poll::Pending)),
            PollVerdict::Refuse => Some(self.note(&device, device.interval, rules, Poll::Denied)),
            PollVerdict::SlowDown(interval) => Some(self.note(&device, interval, rules, Poll::TooSoon(interval))),
            PollVerdict::Redeem(session) => {
                self.push(&device, device.polled_at.map(to_column), device.interval, true);
                self.sessions.push((*session).clone());
                Some(Poll::Redeemed(session))
            }
            PollVerdict::Replay => None,
        }
    }

    /// Notes when it polled, and what it has to leave between polls from now on.
    fn note(&mut self, device: &Device, interval: u32, rules: &PollRules, outcome: Poll) -> Poll {
        self.push(device, Some(to_column(rules.now)), interval, false);
        outcome
    }

    fn push(&mut self, device: &Device, polled_at: Option<i64>, interval: u32, redeemed: bool) {
        self.ids.push(device.id.0);
        self.polled_at.push(polled_at);
        self.pauses.push(i64::from(interval));
        self.redeemed.push(redeemed);
    }

    async fn write(&self, lease: &mut Lease) -> Result<(), Fault> {
        let write = format!(
            "WITH opened AS (INSERT INTO sessions ({}) \
                 SELECT v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, NULL, v13, v14, v15, v16 FROM {} \
                 ORDER BY v1 ON CONFLICT (id) DO NOTHING) \
             UPDATE devices SET polled_at = n_at, pause = n_pause, \
                 state = CASE WHEN n_redeemed THEN 'redeemed' ELSE state END \
             FROM unnest((SELECT $17::uuid[]), $18::bigint[], $19::bigint[], $20::boolean[]) \
                 AS noted (n_id, n_at, n_pause, n_redeemed) \
             WHERE id = n_id",
            sessions::COLUMNS,
            arrays::asked(&NewSession::KINDS)
        );
        let opened: Vec<_> = self.sessions.iter().map(NewSession::from).collect();
        let mut columns = arrays::turned(opened.iter().map(NewSession::values));
        columns.resize_with(NewSession::KINDS.len(), Vec::new);
        let mut values: Vec<_> = columns.iter().map(|column| column as &(dyn ToSql + Sync)).collect();
        values.extend([&self.ids as &(dyn ToSql + Sync), &self.polled_at, &self.pauses, &self.redeemed]);
        lease.finish(&write, &values).await.map(drop)
    }
}
