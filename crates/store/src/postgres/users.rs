//! People in PostgreSQL.

use async_trait::async_trait;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use valetkey_oauth::model::{SecretDigest, SignInId, User, UserId};
use valetkey_oauth::ports::{PasswordChange, StoreError, UserAddition, Users};
use valetkey_oauth::protocol::Scope;

use super::Postgres;
use super::connection::{Fault, can_be_stored};
use crate::moment::{from_column, to_column};
use crate::record;

const COLUMNS: &str = "id, username, password_hash, email, name, admin, created_at, profile, scope";

/// Adds an account unless its name is taken. See [`Columns`].
pub(super) const INSERT: &str = "INSERT INTO users \
    (id, username, username_key, password_hash, email, name, admin, created_at, profile, scope) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (username_key) DO NOTHING RETURNING id";

/// An account as [`INSERT`] takes it.
pub(super) struct Columns<'a> {
    user: &'a User,
    key: String,
    created_at: i64,
    profile: String,
    scope: Option<&'a str>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(user: &'a User) -> Self {
        Self {
            user,
            key: user.username.to_ascii_lowercase(),
            created_at: to_column(user.created_at),
            profile: record::profile_column(user),
            scope: user.scope.as_ref().map(Scope::as_str),
        }
    }

    pub(super) fn values(&self) -> [&(dyn ToSql + Sync); 10] {
        let user = self.user;
        [
            &user.id.0,
            &user.username,
            &self.key,
            &user.password_hash,
            &user.email,
            &user.name,
            &user.admin,
            &self.created_at,
            &self.profile,
            &self.scope,
        ]
    }
}

/// Has it a verified address? PostgreSQL reads no JSON that has a zero byte in it.
const IS_VERIFIED: &str = "CASE WHEN position('\\u0000' IN profile) > 0 THEN false \
                           ELSE coalesce((profile::json -> 'email_verified')::text = 'true', false) END";

#[async_trait]
impl Users for Postgres {
    async fn add(&self, user: &User) -> Result<UserAddition, StoreError> {
        let added = self.connections.write(INSERT, &Columns::of(user).values()).await?;
        Ok(if added.is_empty() { UserAddition::NameTaken } else { UserAddition::Added })
    }

    async fn find_by_username(&self, username: &str) -> Result<Option<User>, StoreError> {
        if !can_be_stored(username) {
            return Ok(None);
        }
        self.one_user("username_key = $1", &username.to_ascii_lowercase()).await
    }

    async fn find_by_email(&self, email: &str) -> Result<Vec<User>, StoreError> {
        if !can_be_stored(email) {
            return Ok(Vec::new());
        }
        let select = format!(
            "SELECT {COLUMNS} FROM users WHERE lower(email COLLATE \"C\") = $1 \
             ORDER BY {IS_VERIFIED} DESC, id LIMIT 2"
        );
        self.connections.read(&select, &[&email.to_ascii_lowercase()]).await?.iter().map(user).collect()
    }

    async fn change_password(
        &self,
        id: UserId,
        before: &str,
        after: &str,
        keep: SignInId,
        cookie: SecretDigest,
    ) -> Result<PasswordChange, StoreError> {
        let once = || self.change_password_once(id, before, after, keep, cookie);
        self.connections.attempt(|fault| fault.undone, once).await
    }

    async fn reset_password(&self, id: UserId, after: &str) -> Result<bool, StoreError> {
        self.connections.attempt(|fault| fault.undone, || self.reset_password_once(id, after)).await
    }

    async fn find_user(&self, id: UserId) -> Result<Option<User>, StoreError> {
        self.one_user("id = $1", &id.0).await
    }

    async fn list_users(&self, after: Option<&str>, limit: u32) -> Result<Vec<User>, StoreError> {
        let select = format!("SELECT {COLUMNS} FROM users WHERE username_key > $1 ORDER BY username_key LIMIT $2");
        let after = after.unwrap_or_default().to_ascii_lowercase();
        self.connections.read(&select, &[&after, &i64::from(limit)]).await?.iter().map(user).collect()
    }

    async fn update_user(&self, user: &User) -> Result<bool, StoreError> {
        let update = "UPDATE users SET email = $2, name = $3, admin = $4, profile = $5, scope = $6 WHERE id = $1 \
                      RETURNING id";
        let (profile, scope) = (record::profile_column(user), user.scope.as_ref().map(Scope::as_str));
        let row: [&(dyn ToSql + Sync); 6] = [&user.id.0, &user.email, &user.name, &user.admin, &profile, &scope];
        Ok(!self.connections.write(update, &row).await?.is_empty())
    }

    async fn remove_user(&self, id: UserId) -> Result<bool, StoreError> {
        let removed = self.connections.write("DELETE FROM users WHERE id = $1 RETURNING id", &[&id.0]).await?;
        Ok(!removed.is_empty())
    }
}

impl Postgres {
    async fn change_password_once(
        &self,
        id: UserId,
        before: &str,
        after: &str,
        keep: SignInId,
        cookie: SecretDigest,
    ) -> Result<PasswordChange, Fault> {
        let lock = "SELECT u.id FROM users u JOIN sign_ins s ON s.user_id = u.id \
                    WHERE u.id = $1 AND u.password_hash = $2 AND s.id = $3 FOR UPDATE";
        let mut lease = self.connections.lease().await?;
        let known = lease.begin(lock, &[&id.0, &before, &keep.0]).await?;
        if known.is_empty() {
            lease.commit().await?;
            return Ok(PasswordChange::Overtaken);
        }
        // A statement of its own: it sees the sign-ins that the lock above has waited for.
        let change = "WITH changed AS (UPDATE users SET password_hash = $2 WHERE id = $1), \
                      ended AS (DELETE FROM sign_ins WHERE user_id = $1 AND id <> $3) \
                      UPDATE sign_ins SET cookie = $4 WHERE id = $3";
        lease.commit_with(change, &[&id.0, &after, &keep.0, &&cookie.as_bytes()[..]]).await?;
        Ok(PasswordChange::Changed)
    }

    async fn reset_password_once(&self, id: UserId, after: &str) -> Result<bool, Fault> {
        let mut lease = self.connections.lease().await?;
        let known = lease.begin("SELECT id FROM users WHERE id = $1 FOR UPDATE", &[&id.0]).await?;
        if known.is_empty() {
            lease.commit().await?;
            return Ok(false);
        }
        // A statement of its own: it sees the sign-ins that the lock above has waited for.
        let change = "WITH ended AS (DELETE FROM sign_ins WHERE user_id = $1) \
                      UPDATE users SET password_hash = $2 WHERE id = $1";
        lease.commit_with(change, &[&id.0, &after]).await?;
        Ok(true)
    }

    async fn one_user(&self, condition: &str, key: &(dyn ToSql + Sync)) -> Result<Option<User>, StoreError> {
        let select = format!("SELECT {COLUMNS} FROM users WHERE {condition}");
        self.connections.read(&select, &[key]).await?.first().map(user).transpose()
    }
}

fn user(row: &Row) -> Result<User, StoreError> {
    Ok(User {
        id: UserId(row.get(0)),
        username: row.get(1),
        password_hash: row.get(2),
        email: row.get(3),
        name: row.get(4),
        admin: row.get(5),
        created_at: from_column(row.get(6))?,
        profile: record::profile(row.get(7))?,
        scope: row.get::<_, Option<&str>>(8).map(record::scope).transpose()?,
    })
}
