//! Sign-ins in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, params};
use valetkey_oauth::model::{SecretDigest, SessionEnd, SignIn, SignInId, UserId};
use valetkey_oauth::ports::{Leaving, SignInRenewal, SignInStart, SignIns, StoreError};

use super::{Sqlite, deliveries, sessions, store_error, users};
use crate::moment::{from_column, to_column};
use crate::record;

const COLUMNS: &str = "id, user_id, cookie, authenticated_at, methods, created_at, expires_at, address, agent, seen_at";

#[async_trait]
impl SignIns for Sqlite {
    async fn begin(&self, sign_in: &SignIn, proof: &str) -> Result<SignInStart, StoreError> {
        let (new, proof) = (sign_in.clone(), proof.to_owned());
        self.writer
            .run_beside_rows(move |connection| {
                if !users::has_password(connection, new.user, &proof)? {
                    return Ok(SignInStart::PasswordChanged);
                }
                let sql = format!("INSERT INTO sign_ins ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
                let row = params![
                    new.id.0,
                    new.user.0,
                    new.cookie.as_bytes(),
                    to_column(new.authenticated_at),
                    new.methods.join(" "),
                    to_column(new.created_at),
                    to_column(new.expires_at),
                    new.address,
                    new.agent,
                    to_column(new.seen_at)
                ];
                connection.prepare_cached(&sql).and_then(|mut s| s.execute(row)).map_err(store_error)?;
                Ok(SignInStart::Begun)
            })
            .await
    }

    async fn find_sign_in(&self, cookie: &SecretDigest, now: Timestamp) -> Result<Option<SignIn>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM sign_ins WHERE cookie = ?1 AND expires_at > ?2");
        self.readers.read(|connection| {
            connection
                .prepare_cached(&sql)
                .and_then(|mut statement| {
                    let key = params![cookie.as_bytes(), to_column(now)];
                    statement.query_row(key, |row| Ok(sign_in(row))).optional()
                })
                .map_err(store_error)?
                .transpose()
        })
    }

    async fn note_seen(&self, id: SignInId, at: Timestamp) -> Result<(), StoreError> {
        self.writer
            .run_beside_rows(move |connection| {
                connection
                    .prepare_cached("UPDATE sign_ins SET seen_at = max(seen_at, ?2) WHERE id = ?1")
                    .and_then(|mut statement| statement.execute(params![id.0, to_column(at)]))
                    .map_err(store_error)?;
                Ok(())
            })
            .await
    }

    async fn renew(&self, renewed: &SignIn, proof: &str) -> Result<SignInRenewal, StoreError> {
        let (new, proof) = (renewed.clone(), proof.to_owned());
        let sql = "UPDATE sign_ins SET cookie = ?2, authenticated_at = ?3, methods = ?4, expires_at = ?5, \
                   seen_at = ?6, address = ?7, agent = ?8 WHERE id = ?1 AND user_id = ?9";
        self.writer
            .run_beside_rows(move |connection| {
                if !users::has_password(connection, new.user, &proof)? {
                    return Ok(SignInRenewal::PasswordChanged);
                }
                let row = params![
                    new.id.0,
                    new.cookie.as_bytes(),
                    to_column(new.authenticated_at),
                    new.methods.join(" "),
                    to_column(new.expires_at),
                    to_column(new.seen_at),
                    new.address,
                    new.agent,
                    new.user.0
                ];
                let changed = connection.prepare_cached(sql).and_then(|mut s| s.execute(row)).map_err(store_error)?;
                Ok(if changed == 1 { SignInRenewal::Renewed } else { SignInRenewal::Gone })
            })
            .await
    }

    async fn leave(&self, leaving: &Leaving) -> Result<bool, StoreError> {
        let leaving = leaving.clone();
        self.writer
            .run_beside_rows(move |connection| {
                let gone = connection
                    .prepare_cached("DELETE FROM sign_ins WHERE id = ?1")
                    .and_then(|mut statement| statement.execute([leaving.sign_in.0]))
                    .map_err(store_error)?;
                if gone == 0 {
                    return Ok(false);
                }
                let (ids, until) = (&leaving.sessions, leaving.tokens_until);
                sessions::finish_all(connection, ids, SessionEnd::SignedOut, until)?;
                deliveries::put(connection, &leaving.messages)?;
                Ok(true)
            })
            .await
    }

    async fn sign_in_of(&self, user: UserId, id: SignInId, now: Timestamp) -> Result<Option<SignIn>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM sign_ins WHERE id = ?1 AND user_id = ?2 AND expires_at > ?3");
        let key = params![id.0, user.0, to_column(now)];
        self.readers.read(|connection| {
            let mut statement = connection.prepare_cached(&sql).map_err(store_error)?;
            statement.query_row(key, |row| Ok(sign_in(row))).optional().map_err(store_error)?.transpose()
        })
    }

    async fn sign_ins_of(&self, user: UserId, now: Timestamp, most: u32) -> Result<Vec<SignIn>, StoreError> {
        let sql =
            format!("SELECT {COLUMNS} FROM sign_ins WHERE user_id = ?1 AND expires_at > ?2 ORDER BY id DESC LIMIT ?3");
        self.readers.read(|connection| {
            let mut statement = connection.prepare_cached(&sql).map_err(store_error)?;
            let key = params![user.0, to_column(now), most];
            let rows = statement.query_map(key, |row| Ok(sign_in(row))).map_err(store_error)?;
            rows.map(|row| row.map_err(store_error)?).collect()
        })
    }
}

fn sign_in(row: &Row<'_>) -> Result<SignIn, StoreError> {
    let moment = |at: usize| from_column(row.get(at).map_err(store_error)?);
    Ok(SignIn {
        id: SignInId(row.get(0).map_err(store_error)?),
        user: UserId(row.get(1).map_err(store_error)?),
        cookie: record::digest(&row.get::<_, Vec<u8>>(2).map_err(store_error)?)?,
        authenticated_at: moment(3)?,
        methods: record::words(&row.get::<_, String>(4).map_err(store_error)?),
        created_at: moment(5)?,
        expires_at: moment(6)?,
        address: row.get(7).map_err(store_error)?,
        agent: row.get(8).map_err(store_error)?,
        seen_at: moment(9)?,
    })
}
