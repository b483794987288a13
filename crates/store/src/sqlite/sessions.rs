//! Sessions in SQLite. Each transition reads and writes one row in one turn of the writer.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use uuid::Uuid;
use valetkey_oauth::model::{
    ClientId, Revocation, RevocationTarget, Session, SessionEnd, SessionId, SessionOrigin, SessionState,
};
use valetkey_oauth::ports::{
    Ending, Grounds, Opening, OpeningRules, Rotation, RotationRules, RotationVerdict, SessionQuery, Sessions,
    StoreError,
};

use super::{Sqlite, answers, consents, revocations, store_error};
use crate::moment::{from_column, to_column};
use crate::record;

const COLUMNS: &str = "id, client_id, subject, scope, resource, authenticated_at, methods, generation, key_binding, \
                       created_at, used_at, expires_at, ended, claims, sign_in, address, agent";

#[async_trait]
impl Sessions for Sqlite {
    async fn open(&self, session: &Session, rules: &OpeningRules) -> Result<Opening, StoreError> {
        let (session, rules) = (session.clone(), rules.clone());
        self.writer
            .run_beside_rows(move |connection| {
                if let Some(mut before) = find(connection, session.id)? {
                    if let Some(sealed) = answers::find_for(connection, rules.answer.as_ref(), session.created_at)? {
                        return Ok(Opening::Answered(sealed));
                    }
                    if before.state == SessionState::Active {
                        finish(connection, &mut before, SessionEnd::CodeReplayed, rules.tokens_until)?;
                    }
                    return Ok(Opening::Replayed(Box::new(before)));
                }
                if !is_founded(connection, &session, rules.grounds)? {
                    return Ok(Opening::Unfounded);
                }
                insert(connection, &session)?;
                answers::keep(connection, rules.answer.as_ref())?;
                Ok(Opening::Opened)
            })
            .await
    }

    async fn rotate(&self, id: SessionId, generation: u32, rules: &RotationRules) -> Result<Rotation, StoreError> {
        let rules = rules.clone();
        self.writer
            .run_beside_rows(move |connection| {
                if let Some(sealed) = answers::find_for(connection, rules.answer.as_ref(), rules.now)? {
                    return Ok(Rotation::Answered(sealed));
                }
                let Some(mut session) = find(connection, id)? else { return Ok(Rotation::Unknown) };
                match rules.judge(&session, generation) {
                    RotationVerdict::Unknown => Ok(Rotation::Unknown),
                    RotationVerdict::Ended => Ok(Rotation::Ended(Box::new(session))),
                    RotationVerdict::Repeat => Ok(Rotation::Repeated(Box::new(session))),
                    RotationVerdict::Reuse => {
                        if session.state == SessionState::Active {
                            finish(connection, &mut session, SessionEnd::RefreshReused, rules.tokens_until)?;
                        }
                        Ok(Rotation::Reused(Box::new(session)))
                    }
                    RotationVerdict::Advance => {
                        advance(connection, &mut session, &rules)?;
                        Ok(Rotation::Rotated(Box::new(session)))
                    }
                }
            })
            .await
    }

    async fn end(
        &self,
        id: SessionId,
        why: SessionEnd,
        _now: Timestamp,
        tokens_until: Timestamp,
    ) -> Result<Ending, StoreError> {
        self.writer
            .run_beside_rows(move |connection| {
                let Some(mut session) = find(connection, id)? else { return Ok(Ending::Unknown) };
                if session.state != SessionState::Active {
                    return Ok(Ending::EndedBefore);
                }
                finish(connection, &mut session, why, tokens_until)?;
                Ok(Ending::Ended(Box::new(session)))
            })
            .await
    }

    async fn end_together(
        &self,
        ids: &[SessionId],
        why: SessionEnd,
        tokens_until: Timestamp,
    ) -> Result<(), StoreError> {
        let ids = ids.to_vec();
        self.writer.run_beside_rows(move |connection| finish_all(connection, &ids, why, tokens_until)).await
    }

    async fn kept_answer(&self, id: &[u8; 32], now: Timestamp) -> Result<Option<Vec<u8>>, StoreError> {
        self.readers.read(|connection| answers::find(connection, id, now))
    }

    async fn find_session(&self, id: SessionId) -> Result<Option<Session>, StoreError> {
        self.readers.read(|connection| find(connection, id))
    }

    async fn list_sessions(&self, query: &SessionQuery) -> Result<Vec<Session>, StoreError> {
        let before = query.before.map_or(Uuid::max(), |session| session.0);
        let client = query.client.as_ref().map(ClientId::as_str);
        let mut condition = "id < ?1".to_owned();
        let mut values: Vec<&dyn ToSql> = vec![&before, &query.limit];
        if let Some(subject) = &query.subject {
            values.push(subject);
            condition += &format!(" AND subject = ?{}", values.len());
        }
        if let Some(client) = &client {
            values.push(client);
            condition += &format!(" AND client_id = ?{}", values.len());
        }
        let sql = format!("SELECT {COLUMNS} FROM sessions WHERE {condition} ORDER BY id DESC LIMIT ?2");
        self.readers.read(|connection| {
            let mut statement = connection.prepare_cached(&sql).map_err(store_error)?;
            let rows = statement.query_map(&values[..], |row| Ok(session(row))).map_err(store_error)?;
            rows.map(|row| row.map_err(store_error)?).collect()
        })
    }
}

/// Is there still what the session would stand on?
fn is_founded(connection: &Connection, session: &Session, grounds: Grounds) -> Result<bool, StoreError> {
    if grounds.consent {
        let consent = consents::find(connection, &session.subject, &session.client)?;
        if consent.is_none_or(|consent| !session.scope.is_within(&consent.scope)) {
            return Ok(false);
        }
    }
    let seat = "SELECT 1 FROM sign_ins WHERE id = ?1";
    let is_seated = || connection.prepare_cached(seat).and_then(|mut found| found.exists([session.origin.sign_in]));
    Ok(!grounds.sign_in || is_seated().map_err(store_error)?)
}

/// The next generation in place, and the answer beside it.
fn advance(connection: &Connection, session: &mut Session, rules: &RotationRules) -> Result<(), StoreError> {
    session.generation += u32::from(rules.voids);
    session.used_at = rules.now;
    connection
        .prepare_cached("UPDATE sessions SET generation = ?2, used_at = ?3 WHERE id = ?1")
        .and_then(|mut s| s.execute(params![session.id.0, session.generation, to_column(rules.now)]))
        .map_err(store_error)?;
    answers::keep(connection, rules.answer.as_ref())
}

/// One session, in the caller's transaction.
pub(super) fn find(connection: &Connection, id: SessionId) -> Result<Option<Session>, StoreError> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM sessions WHERE id = ?1"))
        .and_then(|mut statement| statement.query_row([id.0], |row| Ok(session(row))).optional())
        .map_err(store_error)?
        .transpose()
}

/// A new session, unless its id is taken; in the caller's transaction.
pub(super) fn insert(connection: &Connection, session: &Session) -> Result<bool, StoreError> {
    let sql = format!(
        "INSERT INTO sessions ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, NULL, ?13, ?14, ?15, ?16) \
         ON CONFLICT (id) DO NOTHING"
    );
    let row = params![
        session.id.0,
        session.client.as_str(),
        session.subject,
        session.scope.as_str(),
        session.resource,
        to_column(session.authenticated_at),
        session.methods.join(" "),
        session.generation,
        session.key_binding,
        to_column(session.created_at),
        to_column(session.used_at),
        to_column(session.expires_at),
        session.claims,
        session.origin.sign_in,
        session.origin.address,
        session.origin.agent,
    ];
    Ok(connection.prepare_cached(&sql).and_then(|mut statement| statement.execute(row)).map_err(store_error)? == 1)
}

/// Ends a living session and files the revocation of its tokens, as a part of the caller's transition.
pub(super) fn finish(
    connection: &Connection,
    session: &mut Session,
    why: SessionEnd,
    tokens_until: Timestamp,
) -> Result<(), StoreError> {
    connection
        .prepare_cached("UPDATE sessions SET ended = ?2 WHERE id = ?1")
        .and_then(|mut statement| statement.execute(params![session.id.0, why.as_str()]))
        .map_err(store_error)?;
    let target = RevocationTarget::Session(session.id);
    revocations::insert(connection, &Revocation { target, expires_at: tokens_until })?;
    session.state = SessionState::Ended(why);
    Ok(())
}

/// Ends those that live, in the caller's transaction.
pub(super) fn finish_all(
    connection: &Connection,
    ids: &[SessionId],
    why: SessionEnd,
    tokens_until: Timestamp,
) -> Result<(), StoreError> {
    for &id in ids {
        if let Some(mut session) = find(connection, id)?
            && session.state == SessionState::Active
        {
            finish(connection, &mut session, why, tokens_until)?;
        }
    }
    Ok(())
}

fn session(row: &Row<'_>) -> Result<Session, StoreError> {
    let moment = |at: usize| from_column(row.get(at).map_err(store_error)?);
    let text = |at: usize| row.get::<_, String>(at).map_err(store_error);
    Ok(Session {
        id: SessionId(row.get(0).map_err(store_error)?),
        client: ClientId::new(text(1)?),
        subject: text(2)?,
        scope: record::scope(&text(3)?)?,
        resource: row.get(4).map_err(store_error)?,
        authenticated_at: moment(5)?,
        methods: record::words(&text(6)?),
        generation: row.get(7).map_err(store_error)?,
        key_binding: row.get(8).map_err(store_error)?,
        created_at: moment(9)?,
        used_at: moment(10)?,
        expires_at: moment(11)?,
        claims: row.get(13).map_err(store_error)?,
        origin: SessionOrigin {
            sign_in: row.get(14).map_err(store_error)?,
            address: row.get(15).map_err(store_error)?,
            agent: row.get(16).map_err(store_error)?,
        },
        state: record::session_state(row.get_ref(12).and_then(|v| Ok(v.as_str_or_null()?)).map_err(store_error)?)?,
    })
}
