//! Sessions in SQLite. Each transition reads and writes one row inside the writer's savepoint.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};
use uuid::Uuid;
use valetkey_oauth::model::{ClientId, Revocation, RevocationTarget, Session, SessionEnd, SessionId, SessionState};
use valetkey_oauth::ports::{Ending, Opening, Rotation, SessionQuery, Sessions, StoreError};
use valetkey_oauth::protocol::Scope;

use super::{Sqlite, revocations, store_error};
use crate::moment::{from_column, to_column};
use crate::record;

const COLUMNS: &str = "id, client_id, subject, scope, resource, authenticated_at, methods, generation, key_binding, \
                       created_at, used_at, expires_at, ended";

#[async_trait]
impl Sessions for Sqlite {
    async fn open(&self, session: &Session, tokens_until: Timestamp) -> Result<Opening, StoreError> {
        let session = session.clone();
        self.writer
            .run(move |connection| {
                if insert(connection, &session)? {
                    return Ok(Opening::Opened);
                }
                let mut before =
                    find(connection, session.id)?.ok_or_else(|| StoreError::Failed("a session vanished".to_owned()))?;
                if before.state == SessionState::Active {
                    finish(connection, &mut before, SessionEnd::CodeReplayed, tokens_until)?;
                }
                Ok(Opening::Replayed(Box::new(before)))
            })
            .await
    }

    async fn rotate(
        &self,
        id: SessionId,
        generation: u32,
        now: Timestamp,
        tokens_until: Timestamp,
    ) -> Result<Rotation, StoreError> {
        self.writer
            .run(move |connection| {
                let Some(mut session) = find(connection, id)? else { return Ok(Rotation::Unknown) };
                if generation == 0 || generation > session.generation {
                    return Ok(Rotation::Unknown);
                }
                if generation < session.generation {
                    if session.state == SessionState::Active {
                        finish(connection, &mut session, SessionEnd::RefreshReused, tokens_until)?;
                    }
                    return Ok(Rotation::Reused(Box::new(session)));
                }
                if !session.is_alive(now) {
                    return Ok(Rotation::Ended(Box::new(session)));
                }
                session.generation += 1;
                session.used_at = now;
                connection
                    .prepare_cached("UPDATE sessions SET generation = ?2, used_at = ?3 WHERE id = ?1")
                    .and_then(|mut s| s.execute(params![id.0, session.generation, to_column(now)]))
                    .map_err(store_error)?;
                Ok(Rotation::Rotated(Box::new(session)))
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
            .run(move |connection| {
                let Some(mut session) = find(connection, id)? else { return Ok(Ending::Unknown) };
                if session.state != SessionState::Active {
                    return Ok(Ending::EndedBefore);
                }
                finish(connection, &mut session, why, tokens_until)?;
                Ok(Ending::Ended(Box::new(session)))
            })
            .await
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

fn find(connection: &Connection, id: SessionId) -> Result<Option<Session>, StoreError> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM sessions WHERE id = ?1"))
        .and_then(|mut statement| statement.query_row([id.0], |row| Ok(session(row))).optional())
        .map_err(store_error)?
        .transpose()
}

fn insert(connection: &Connection, session: &Session) -> Result<bool, StoreError> {
    let sql = format!(
        "INSERT INTO sessions ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, NULL) \
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
    ];
    Ok(connection.prepare_cached(&sql).and_then(|mut statement| statement.execute(row)).map_err(store_error)? == 1)
}

/// Ends a living session and files the revocation of its tokens, in the caller's savepoint.
fn finish(
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

fn session(row: &Row<'_>) -> Result<Session, StoreError> {
    let moment = |at: usize| from_column(row.get(at).map_err(store_error)?);
    let text = |at: usize| row.get::<_, String>(at).map_err(store_error);
    Ok(Session {
        id: SessionId(row.get(0).map_err(store_error)?),
        client: ClientId::new(text(1)?),
        subject: text(2)?,
        scope: Scope::parse(&text(3)?).map_err(|error| StoreError::Failed(error.to_string()))?,
        resource: row.get(4).map_err(store_error)?,
        authenticated_at: moment(5)?,
        methods: text(6)?.split_whitespace().map(str::to_owned).collect(),
        generation: row.get(7).map_err(store_error)?,
        key_binding: row.get(8).map_err(store_error)?,
        created_at: moment(9)?,
        used_at: moment(10)?,
        expires_at: moment(11)?,
        state: record::session_state(row.get_ref(12).and_then(|v| Ok(v.as_str_or_null()?)).map_err(store_error)?)?,
    })
}
