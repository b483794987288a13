//! People in SQLite.

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, Params, Row, params};
use uuid::Uuid;
use valetkey_oauth::model::{SecretDigest, SignInId, User, UserId};
use valetkey_oauth::ports::{PasswordChange, StoreError, UserAddition, Users};
use valetkey_oauth::protocol::Scope;

use super::{Sqlite, store_error};
use crate::moment::{from_column, to_column};
use crate::record;

const COLUMNS: &str = "id, username, password_hash, email, name, admin, created_at, profile, scope";

#[async_trait]
impl Users for Sqlite {
    async fn add(&self, user: &User) -> Result<UserAddition, StoreError> {
        let user = user.clone();
        self.writer.run(move |connection| put(connection, &user)).await
    }

    async fn find_by_username(&self, username: &str) -> Result<Option<User>, StoreError> {
        self.one_user("username_key = ?1", [username.to_ascii_lowercase()])
    }

    async fn find_by_email(&self, email: &str) -> Result<Vec<User>, StoreError> {
        self.readers.read(|connection| {
            let select = format!(
                "SELECT {COLUMNS} FROM users WHERE lower(email) = ?1 \
                 ORDER BY json_type(profile, '$.email_verified') IS 'true' DESC, id LIMIT 2"
            );
            let mut statement = connection.prepare_cached(&select).map_err(store_error)?;
            let rows = statement.query_map([email.to_ascii_lowercase()], |row| Ok(user(row))).map_err(store_error)?;
            rows.map(|row| row.map_err(store_error)?).collect()
        })
    }

    async fn change_password(
        &self,
        id: UserId,
        before: &str,
        after: &str,
        keep: SignInId,
        cookie: SecretDigest,
    ) -> Result<PasswordChange, StoreError> {
        let (before, after) = (before.to_owned(), after.to_owned());
        let change = "UPDATE users SET password_hash = ?3 WHERE id = ?1 AND password_hash = ?2 \
                      AND EXISTS (SELECT 1 FROM sign_ins WHERE id = ?4 AND user_id = ?1)";
        self.writer
            .run(move |connection| {
                let changed = execute(connection, change, params![id.0, before, after, keep.0])?;
                if changed == 0 {
                    return Ok(PasswordChange::Overtaken);
                }
                let others = "DELETE FROM sign_ins WHERE user_id = ?1 AND id <> ?2";
                execute(connection, others, params![id.0, keep.0])?;
                let renewal = "UPDATE sign_ins SET cookie = ?2 WHERE id = ?1";
                execute(connection, renewal, params![keep.0, cookie.as_bytes()])?;
                Ok(PasswordChange::Changed)
            })
            .await
    }

    async fn reset_password(&self, id: UserId, after: &str) -> Result<bool, StoreError> {
        let after = after.to_owned();
        self.writer
            .run(move |connection| {
                let change = "UPDATE users SET password_hash = ?2 WHERE id = ?1";
                let is_changed = execute(connection, change, params![id.0, after])? > 0;
                execute(connection, "DELETE FROM sign_ins WHERE user_id = ?1", params![id.0])?;
                Ok(is_changed)
            })
            .await
    }

    async fn find_user(&self, id: UserId) -> Result<Option<User>, StoreError> {
        self.one_user("id = ?1", [id.0])
    }

    async fn list_users(&self, after: Option<&str>, limit: u32) -> Result<Vec<User>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM users WHERE username_key > ?1 ORDER BY username_key LIMIT ?2");
        let after = after.unwrap_or_default().to_ascii_lowercase();
        self.readers.read(|connection| {
            let mut statement = connection.prepare_cached(&sql).map_err(store_error)?;
            let rows = statement.query_map(params![after, limit], |row| Ok(user(row))).map_err(store_error)?;
            rows.map(|row| row.map_err(store_error)?).collect()
        })
    }

    async fn update_user(&self, user: &User) -> Result<bool, StoreError> {
        let user = user.clone();
        let update = "UPDATE users SET email = ?2, name = ?3, admin = ?4, profile = ?5, scope = ?6 WHERE id = ?1";
        self.writer
            .run(move |connection| {
                let (profile, scope) = (record::profile_column(&user), user.scope.as_ref().map(Scope::as_str));
                let row = params![user.id.0, user.email, user.name, user.admin, profile, scope];
                Ok(execute(connection, update, row)? == 1)
            })
            .await
    }

    async fn remove_user(&self, id: UserId) -> Result<bool, StoreError> {
        let removal =
            move |connection: &Connection| Ok(execute(connection, "DELETE FROM users WHERE id = ?1", [id.0])? == 1);
        self.writer.run(removal).await
    }
}

impl Sqlite {
    fn one_user(&self, condition: &'static str, key: impl Params) -> Result<Option<User>, StoreError> {
        self.readers.read(|connection| {
            connection
                .prepare_cached(&format!("SELECT {COLUMNS} FROM users WHERE {condition}"))
                .and_then(|mut statement| statement.query_row(key, |row| Ok(user(row))).optional())
                .map_err(store_error)?
                .transpose()
        })
    }
}

/// Adds an account unless its name is taken.
pub(super) fn put(connection: &Connection, user: &User) -> Result<UserAddition, StoreError> {
    let insert = "INSERT INTO users \
                  (id, username, username_key, password_hash, email, name, admin, created_at, profile, scope) \
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (username_key) DO NOTHING";
    let row = params![
        user.id.0,
        user.username,
        user.username.to_ascii_lowercase(),
        user.password_hash,
        user.email,
        user.name,
        user.admin,
        to_column(user.created_at),
        record::profile_column(user),
        user.scope.as_ref().map(Scope::as_str),
    ];
    let added = execute(connection, insert, row)?;
    Ok(if added == 1 { UserAddition::Added } else { UserAddition::NameTaken })
}

/// Is this still the user's password hash?
pub(super) fn has_password(connection: &Connection, id: UserId, hash: &str) -> Result<bool, StoreError> {
    connection
        .prepare_cached("SELECT 1 FROM users WHERE id = ?1 AND password_hash = ?2")
        .and_then(|mut statement| statement.exists(params![id.0, hash]))
        .map_err(store_error)
}

pub(super) fn execute(connection: &Connection, sql: &str, values: impl Params) -> Result<usize, StoreError> {
    connection.prepare_cached(sql).and_then(|mut statement| statement.execute(values)).map_err(store_error)
}

fn user(row: &Row<'_>) -> Result<User, StoreError> {
    Ok(User {
        id: UserId(row.get::<_, Uuid>(0).map_err(store_error)?),
        username: row.get(1).map_err(store_error)?,
        password_hash: row.get(2).map_err(store_error)?,
        email: row.get(3).map_err(store_error)?,
        name: row.get(4).map_err(store_error)?,
        admin: row.get(5).map_err(store_error)?,
        created_at: from_column(row.get(6).map_err(store_error)?)?,
        profile: record::profile(&row.get::<_, String>(7).map_err(store_error)?)?,
        scope: row.get::<_, Option<String>>(8).map_err(store_error)?.as_deref().map(record::scope).transpose()?,
    })
}
