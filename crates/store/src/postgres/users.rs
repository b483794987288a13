//! People in PostgreSQL.

use async_trait::async_trait;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use valetkey_oauth::model::{User, UserId};
use valetkey_oauth::ports::{PasswordChange, StoreError, UserAddition, Users};

use super::Postgres;
use super::connection::can_be_stored;
use crate::moment::{from_column, to_column};
use crate::record;

const COLUMNS: &str = "id, username, password_hash, email, name, admin, created_at, profile";

#[async_trait]
impl Users for Postgres {
    async fn add(&self, user: &User) -> Result<UserAddition, StoreError> {
        let insert = "INSERT INTO users \
                      (id, username, username_key, password_hash, email, name, admin, created_at, profile) \
                      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (username_key) DO NOTHING RETURNING id";
        let row: [&(dyn ToSql + Sync); 9] = [
            &user.id.0,
            &user.username,
            &user.username.to_ascii_lowercase(),
            &user.password_hash,
            &user.email,
            &user.name,
            &user.admin,
            &to_column(user.created_at),
            &record::profile_column(user),
        ];
        let added = self.connections.write(insert, &row).await?;
        Ok(if added.is_empty() { UserAddition::NameTaken } else { UserAddition::Added })
    }

    async fn find_by_username(&self, username: &str) -> Result<Option<User>, StoreError> {
        if !can_be_stored(username) {
            return Ok(None);
        }
        self.one_user("username_key = $1", &username.to_ascii_lowercase()).await
    }

    async fn change_password(&self, id: UserId, before: &str, after: &str) -> Result<PasswordChange, StoreError> {
        let update = "UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2 RETURNING id";
        let changed = self.connections.write(update, &[&id.0, &before, &after]).await?;
        Ok(if changed.is_empty() { PasswordChange::Overtaken } else { PasswordChange::Changed })
    }

    async fn find_user(&self, id: UserId) -> Result<Option<User>, StoreError> {
        self.one_user("id = $1", &id.0).await
    }
}

impl Postgres {
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
    })
}
