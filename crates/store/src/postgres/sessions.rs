//! Sessions in PostgreSQL. Each step is one statement, atomic by itself.
//!
//! A generation only grows and an end is final. What a plain look shows after a statement that changed nothing is
//! therefore still true when it is answered, and nobody holds a lock between two statements.

use async_trait::async_trait;
use jiff::Timestamp;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;
use valetkey_oauth::model::{ClientId, Session, SessionEnd, SessionId, SessionOrigin, SessionState};
use valetkey_oauth::ports::{
    Ending, KeptAnswer, Opening, OpeningRules, Rotation, RotationRules, RotationVerdict, SessionQuery, Sessions,
    StoreError,
};
use valetkey_oauth::protocol::Scope;

use super::Postgres;
use super::connection::{ATTEMPTS, Doubt, can_be_stored};
use super::together::{Start, Step};
use crate::moment::{from_column, to_column};
use crate::record;

macro_rules! columns {
    () => {
        "id, client_id, subject, scope, resource, authenticated_at, methods, generation, key_binding, \
         created_at, used_at, expires_at, ended, claims, sign_in, address, agent"
    };
}
/// What [`session`] reads, in its order.
pub(super) const COLUMNS: &str = columns!();

/// A new session, unless its id is taken. See [`NewSession`].
pub(super) const INSERT: &str = concat!(
    "INSERT INTO sessions (",
    columns!(),
    ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, NULL, $13, $14, $15, $16) \
     ON CONFLICT (id) DO NOTHING RETURNING id"
);

/// The same on grounds: the consent to all of it, if `$17`, and the sign-in, if `$18`; and what else is done if it begins. Whoever
/// takes the grounds away at this moment is waited for, or waits.
macro_rules! found {
    ($also:literal) => {
        concat!(
            "WITH consent AS (SELECT 1 FROM consents WHERE $17 AND subject = $3 AND client_id = $2 \
                 AND string_to_array($4, ' ') <@ string_to_array(scope, ' ') FOR SHARE), \
             seat AS (SELECT 1 FROM sign_ins WHERE $18 AND id = $14 FOR SHARE), \
             founded AS (SELECT (NOT $17 OR EXISTS (SELECT FROM consent)) AND (NOT $18 OR EXISTS (SELECT FROM seat)) AS yes), \
             added AS (INSERT INTO sessions (",
            columns!(),
            ") SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, NULL, $13, $14, $15, $16 FROM founded WHERE yes \
             ON CONFLICT (id) DO NOTHING RETURNING id)",
            $also,
            " SELECT (SELECT yes FROM founded), EXISTS (SELECT FROM added)"
        )
    };
}

/// Ends session `$1` by `$2`, if it is past generation `$3` and not ended, and files that its tokens are void until `$4`.
pub(super) const FINISH: &str = concat!(
    "WITH finished AS (UPDATE sessions SET ended = $2 WHERE id = $1 AND generation > $3 AND ended IS NULL RETURNING ",
    columns!(),
    "), filed AS (INSERT INTO revocations (kind, target, expires_at) SELECT 'session', id::text, $4 FROM finished) \
     SELECT ",
    columns!(),
    " FROM finished"
);

/// Ends those of the sessions `$1` that live by `$2`, and files that their tokens are void until `$3`.
const FINISH_ALL: &str = "WITH finished AS (\
                              UPDATE sessions SET ended = $2 WHERE id = ANY($1::uuid[]) AND ended IS NULL RETURNING id) \
                          INSERT INTO revocations (kind, target, expires_at) SELECT 'session', id::text, $3 FROM finished";

const RESTLESS: &str = "the session changed at each look";

#[async_trait]
impl Sessions for Postgres {
    async fn open(&self, session: &Session, rules: &OpeningRules) -> Result<Opening, StoreError> {
        let (answer, grounds) = (rules.answer.as_ref(), rules.grounds);
        let mut doubt = Doubt::new();
        if answer.is_none() {
            let begun = self.openings.ask(Start { session: session.clone(), grounds }).await;
            if doubt.over(begun.and_then(|begun| begun))?.unwrap_or(false) {
                return Ok(Opening::Opened);
            }
        }
        for _ in 0..ATTEMPTS {
            // Waits for another one that is opening this id, until that one's commit.
            let Some((is_founded, is_added)) = doubt.over(self.insert(session, rules).await)? else { continue };
            if is_added {
                return Ok(Opening::Opened);
            }
            if let Some(sealed) = self.find_answer(answer, session.created_at).await? {
                return Ok(Opening::Answered(sealed));
            }
            if doubt.is_there() && self.has_begun(session).await? {
                return Ok(Opening::Opened);
            }
            if let Some(ended) = self.finish(session.id, SessionEnd::CodeReplayed, 0, rules.tokens_until).await? {
                return Ok(Opening::Replayed(Box::new(ended)));
            }
            match self.find_session(session.id).await? {
                Some(found) if found.state != SessionState::Active => return Ok(Opening::Replayed(Box::new(found))),
                None if !is_founded => return Ok(Opening::Unfounded),
                Some(_) | None => {}
            }
        }
        Err(doubt.or(RESTLESS))
    }

    async fn rotate(&self, id: SessionId, generation: u32, rules: &RotationRules) -> Result<Rotation, StoreError> {
        let mut doubt = Doubt::new();
        if rules.answer.is_none() {
            let taken = self.rotations.ask(Step::new(id, generation, rules)).await;
            if let Some(Some(rotated)) = doubt.over(taken.and_then(|taken| taken))? {
                return Ok(Rotation::Rotated(Box::new(rotated)));
            }
        }
        let answer = rules.answer.as_ref();
        for _ in 0..ATTEMPTS {
            if let Some(sealed) = self.find_answer(answer, rules.now).await? {
                return Ok(Rotation::Answered(sealed));
            }
            let Some(advanced) = doubt.over(self.advance(id, generation, rules).await)? else { continue };
            if let Some(rotated) = advanced {
                return Ok(Rotation::Rotated(Box::new(rotated)));
            }
            let Some(found) = self.find_session(id).await? else { return Ok(Rotation::Unknown) };
            if doubt.is_there() && is_own_step(&found, generation, rules) {
                return Ok(Rotation::Rotated(Box::new(found)));
            }
            match rules.judge(&found, generation) {
                RotationVerdict::Unknown => return Ok(Rotation::Unknown),
                RotationVerdict::Ended => return Ok(Rotation::Ended(Box::new(found))),
                verdict @ (RotationVerdict::Repeat | RotationVerdict::Reuse) => {
                    // A twin of this request may have rotated in between; its answer came with its rotation.
                    if let Some(sealed) = self.find_answer(answer, rules.now).await? {
                        return Ok(Rotation::Answered(sealed));
                    }
                    if verdict == RotationVerdict::Repeat {
                        return Ok(Rotation::Repeated(Box::new(found)));
                    }
                    // At least as far as it was seen: a token that comes too late is still the last one.
                    let before = found.generation - 1;
                    let ended = self.finish(id, SessionEnd::RefreshReused, before, rules.tokens_until).await?;
                    if let Some(ended) = ended {
                        return Ok(Rotation::Reused(Box::new(ended)));
                    }
                    if found.state != SessionState::Active {
                        return Ok(Rotation::Reused(Box::new(found)));
                    }
                }
                // It moved on between the statements: now one of them applies.
                RotationVerdict::Advance => {}
            }
        }
        Err(doubt.or(RESTLESS))
    }

    async fn end(
        &self,
        id: SessionId,
        why: SessionEnd,
        _now: Timestamp,
        tokens_until: Timestamp,
    ) -> Result<Ending, StoreError> {
        for _ in 0..ATTEMPTS {
            if let Some(ended) = self.finish(id, why, 0, tokens_until).await? {
                return Ok(Ending::Ended(Box::new(ended)));
            }
            match self.find_session(id).await? {
                None => return Ok(Ending::Unknown),
                Some(found) if found.state != SessionState::Active => return Ok(Ending::EndedBefore),
                Some(_) => {}
            }
        }
        Err(restless())
    }

    async fn end_together(&self, ids: &[SessionId], why: SessionEnd, until: Timestamp) -> Result<(), StoreError> {
        let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
        self.connections.write(FINISH_ALL, &[&ids, &why.as_str(), &to_column(until)]).await.map(drop)
    }

    async fn kept_answer(&self, id: &[u8; 32], now: Timestamp) -> Result<Option<Vec<u8>>, StoreError> {
        self.answer(id, now).await
    }

    async fn find_session(&self, id: SessionId) -> Result<Option<Session>, StoreError> {
        let select = format!("SELECT {COLUMNS} FROM sessions WHERE id = $1");
        first(self.connections.read(&select, &[&id.0]).await?)
    }

    async fn list_sessions(&self, query: &SessionQuery) -> Result<Vec<Session>, StoreError> {
        let before = query.before.map_or(Uuid::max(), |session| session.0);
        let client = query.client.as_ref().map(ClientId::as_str);
        if ![query.subject.as_deref(), client].into_iter().flatten().all(can_be_stored) {
            return Ok(Vec::new());
        }
        let limit = i64::from(query.limit);
        let mut condition = "id < $1".to_owned();
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&before, &limit];
        if let Some(subject) = &query.subject {
            values.push(subject);
            condition += &format!(" AND subject = ${}", values.len());
        }
        if let Some(client) = &client {
            values.push(client);
            condition += &format!(" AND client_id = ${}", values.len());
        }
        let sql = format!("SELECT {COLUMNS} FROM sessions WHERE {condition} ORDER BY id DESC LIMIT $2");
        self.connections.read(&sql, &values).await?.iter().map(session).collect()
    }
}

impl Postgres {
    /// Are the grounds there, and is the session? If so, the answer stands beside it.
    async fn insert(&self, session: &Session, rules: &OpeningRules) -> Result<(bool, bool), StoreError> {
        let (new, grounds) = (NewSession::from(session), rules.grounds);
        let mut values = new.values().to_vec();
        values.extend([&grounds.consent as &(dyn ToSql + Sync), &grounds.sign_in]);
        let Some(KeptAnswer { id, sealed, expires_at }) = &rules.answer else {
            return Ok(told(&self.connections.write(found!(""), &values).await?));
        };
        let (name, until) = (&id[..], to_column(*expires_at));
        values.extend([&name as &(dyn ToSql + Sync), sealed, &until]);
        let keep = found!(
            ", kept AS (INSERT INTO answers (id, sealed, expires_at) SELECT $19, $20, $21 FROM added \
             ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed, expires_at = excluded.expires_at)"
        );
        Ok(told(&self.connections.write(keep, &values).await?))
    }

    /// Does this very session stand there, as it was to begin?
    async fn has_begun(&self, session: &Session) -> Result<bool, StoreError> {
        let found = self.find_session(session.id).await?;
        Ok(found.is_some_and(|found| {
            (found.generation, found.state) == (session.generation, SessionState::Active)
                && to_column(found.created_at) == to_column(session.created_at)
        }))
    }

    /// The next generation, if this one is good, and the answer beside it. A caller who waited for another one's
    /// rotation is judged by the row as that one left it, so of N callers one finds its generation.
    async fn advance(
        &self,
        id: SessionId,
        generation: u32,
        rules: &RotationRules,
    ) -> Result<Option<Session>, StoreError> {
        let update = format!(
            "UPDATE sessions SET generation = generation + $5, used_at = $3 \
             WHERE id = $1 AND generation = $2 AND ended IS NULL AND expires_at > $3 AND used_at >= $4 \
             RETURNING {COLUMNS}"
        );
        let (generation, step) = (i64::from(generation), i64::from(rules.voids));
        let (now, idle_since) = (to_column(rules.now), to_column(rules.idle_since));
        let values: [&(dyn ToSql + Sync); 5] = [&id.0, &generation, &now, &idle_since, &step];
        let Some(answer) = &rules.answer else { return first(self.connections.write(&update, &values).await?) };
        let both = format!(
            "WITH advanced AS ({update}), \
             kept AS (\
                 INSERT INTO answers (id, sealed, expires_at) SELECT $6, $7, $8 FROM advanced \
                 ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed, expires_at = excluded.expires_at) \
             SELECT {COLUMNS} FROM advanced"
        );
        let (name, until) = (&answer.id[..], to_column(answer.expires_at));
        let mut values = values.to_vec();
        values.extend([&name as &(dyn ToSql + Sync), &answer.sealed, &until]);
        first(self.connections.write(&both, &values).await?)
    }

    /// Ends a session that is past `generation` and not ended, and files the revocation of its tokens.
    async fn finish(
        &self,
        id: SessionId,
        why: SessionEnd,
        generation: u32,
        tokens_until: Timestamp,
    ) -> Result<Option<Session>, StoreError> {
        let (generation, until) = (i64::from(generation), to_column(tokens_until));
        first(self.connections.write(FINISH, &[&id.0, &why.as_str(), &generation, &until]).await?)
    }
}

/// The values of a new row, as the columns want them.
pub(super) struct NewSession<'a> {
    session: &'a Session,
    client: &'a str,
    scope: &'a str,
    methods: String,
    generation: i64,
    authenticated_at: i64,
    created_at: i64,
    used_at: i64,
    expires_at: i64,
}

impl<'a> From<&'a Session> for NewSession<'a> {
    fn from(session: &'a Session) -> Self {
        Self {
            session,
            client: session.client.as_str(),
            scope: session.scope.as_str(),
            methods: session.methods.join(" "),
            generation: i64::from(session.generation),
            authenticated_at: to_column(session.authenticated_at),
            created_at: to_column(session.created_at),
            used_at: to_column(session.used_at),
            expires_at: to_column(session.expires_at),
        }
    }
}

impl NewSession<'_> {
    /// The types of its values.
    pub(super) const KINDS: [&'static str; 16] = [
        "uuid", "text", "text", "text", "text", "bigint", "text", "bigint", "text", "bigint", "bigint", "bigint",
        "text", "uuid", "text", "text",
    ];

    /// For [`INSERT`].
    pub(super) fn values(&self) -> [&(dyn ToSql + Sync); 16] {
        let session = self.session;
        [
            &session.id.0,
            &self.client,
            &session.subject,
            &self.scope,
            &session.resource,
            &self.authenticated_at,
            &self.methods,
            &self.generation,
            &session.key_binding,
            &self.created_at,
            &self.used_at,
            &self.expires_at,
            &session.claims,
            &session.origin.sign_in,
            &session.origin.address,
            &session.origin.agent,
        ]
    }
}

/// Is a session where this step has taken it, at this very moment? One that took the same step in the same millisecond is told
/// the same; the next step shows that they are two.
fn is_own_step(found: &Session, generation: u32, rules: &RotationRules) -> bool {
    found.generation == generation + u32::from(rules.voids)
        && found.state == SessionState::Active
        && to_column(found.used_at) == to_column(rules.now)
}

/// Whether the grounds were there, and whether the session is.
fn told(rows: &[Row]) -> (bool, bool) {
    rows.first().map_or((false, false), |row| (row.get(0), row.get(1)))
}

fn restless() -> StoreError {
    StoreError::Unavailable(RESTLESS.to_owned())
}

fn first(rows: Vec<Row>) -> Result<Option<Session>, StoreError> {
    rows.first().map(session).transpose()
}

pub(super) fn session(row: &Row) -> Result<Session, StoreError> {
    let generation: i64 = row.get(7);
    Ok(Session {
        id: SessionId(row.get(0)),
        client: ClientId::new(row.get::<_, &str>(1)),
        subject: row.get(2),
        scope: Scope::parse(row.get(3)).map_err(|error| StoreError::Failed(error.to_string()))?,
        resource: row.get(4),
        authenticated_at: from_column(row.get(5))?,
        methods: row.get::<_, &str>(6).split_whitespace().map(str::to_owned).collect(),
        generation: generation
            .try_into()
            .map_err(|_| StoreError::Failed(format!("{generation} is no generation of a session")))?,
        key_binding: row.get(8),
        created_at: from_column(row.get(9))?,
        used_at: from_column(row.get(10))?,
        expires_at: from_column(row.get(11))?,
        claims: row.get(13),
        origin: SessionOrigin { sign_in: row.get(14), address: row.get(15), agent: row.get(16) },
        state: record::session_state(row.get(12))?,
    })
}
