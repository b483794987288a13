//! API keys in SQLite.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use uuid::Uuid;
use valetkey_oauth::model::{ApiKey, ApiKeyId, ApiKeySecret, SecretDigest};
use valetkey_oauth::ports::{ApiKeyChange, ApiKeys, StoreError};

use super::{Sqlite, store_error};
use crate::moment::to_column;
use crate::record::api_key::{self, Times};

const COLUMNS: &str = "id, document, created_at, expires_at, revoked_at, last_used_at";

#[async_trait]
impl ApiKeys for Sqlite {
    async fn add_api_key(&self, key: &ApiKey) -> Result<(), StoreError> {
        let (key, document) = (key.clone(), api_key::document(key)?);
        let insert = "INSERT INTO api_keys (id, document, created_at, expires_at) VALUES (?1, ?2, ?3, ?4)";
        let added = self.writer.run(move |connection| {
            let row = params![key.id.0, document, to_column(key.created_at), key.expires_at.map(to_column)];
            connection.prepare_cached(insert).and_then(|mut statement| statement.execute(row)).map_err(store_error)?;
            key.secrets.iter().try_for_each(|secret| insert_secret(connection, key.id, secret))
        });
        added.await
    }

    async fn find_api_key(&self, secret: &SecretDigest) -> Result<Option<Arc<ApiKey>>, StoreError> {
        let select =
            format!("SELECT {COLUMNS} FROM api_keys WHERE id = (SELECT key_id FROM api_key_secrets WHERE digest = ?1)");
        self.readers.read(|connection| {
            let found = connection
                .prepare_cached(&select)
                .and_then(|mut statement| statement.query_row([&secret.as_bytes()[..]], columns).optional())
                .map_err(store_error)?;
            found.map(|columns| key(connection, columns).map(Arc::new)).transpose()
        })
    }

    async fn list_api_keys(&self) -> Result<Vec<ApiKey>, StoreError> {
        let select = format!("SELECT {COLUMNS} FROM api_keys ORDER BY created_at, id");
        self.readers.read(|connection| {
            let mut statement = connection.prepare_cached(&select).map_err(store_error)?;
            let rows = statement.query_map([], columns).map_err(store_error)?;
            rows.map(|row| key(connection, row.map_err(store_error)?)).collect()
        })
    }

    async fn rotate_api_key(
        &self,
        id: ApiKeyId,
        secret: &ApiKeySecret,
        others_until: Timestamp,
    ) -> Result<ApiKeyChange, StoreError> {
        let secret = secret.clone();
        let forget = "DELETE FROM api_key_secrets WHERE key_id = ?1 AND expires_at <= ?2";
        let shorten = "UPDATE api_key_secrets SET expires_at = min(coalesce(expires_at, ?2), ?2) WHERE key_id = ?1";
        let rotated = self.writer.run(move |connection| {
            match standing(connection, id)? {
                ApiKeyChange::Changed => {}
                other => return Ok(other),
            }
            for (sql, moment) in [(forget, secret.created_at), (shorten, others_until)] {
                let mut statement = connection.prepare_cached(sql).map_err(store_error)?;
                statement.execute(params![id.0, to_column(moment)]).map_err(store_error)?;
            }
            insert_secret(connection, id, &secret)?;
            Ok(ApiKeyChange::Changed)
        });
        rotated.await
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Result<ApiKeyChange, StoreError> {
        let update = "UPDATE api_keys SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL";
        let revoked = self.writer.run(move |connection| {
            let before = standing(connection, id)?;
            let mut statement = connection.prepare_cached(update).map_err(store_error)?;
            statement.execute(params![id.0, to_column(at)]).map_err(store_error)?;
            Ok(before)
        });
        revoked.await
    }

    async fn note_api_key_uses(&self, uses: Vec<(ApiKeyId, Timestamp)>) -> Result<(), StoreError> {
        let update = "UPDATE api_keys SET last_used_at = ?2 WHERE id = ?1 AND coalesce(last_used_at, 0) < ?2";
        let noted = self.writer.run_beside_rows(move |connection| {
            let mut statement = connection.prepare_cached(update).map_err(store_error)?;
            uses.iter().try_for_each(|(id, at)| {
                statement.execute(params![id.0, to_column(*at)]).map(|_| ()).map_err(store_error)
            })
        });
        noted.await
    }
}

/// What a change of this key would come to.
fn standing(connection: &Connection, id: ApiKeyId) -> Result<ApiKeyChange, StoreError> {
    let found: Option<Option<i64>> = connection
        .prepare_cached("SELECT revoked_at FROM api_keys WHERE id = ?1")
        .and_then(|mut statement| statement.query_row([id.0], |row| row.get(0)).optional())
        .map_err(store_error)?;
    Ok(match found {
        None => ApiKeyChange::Unknown,
        Some(Some(_)) => ApiKeyChange::Revoked,
        Some(None) => ApiKeyChange::Changed,
    })
}

fn insert_secret(connection: &Connection, id: ApiKeyId, secret: &ApiKeySecret) -> Result<(), StoreError> {
    let insert = "INSERT INTO api_key_secrets (digest, key_id, created_at, expires_at) VALUES (?1, ?2, ?3, ?4)";
    let row = params![secret.digest.as_bytes(), id.0, to_column(secret.created_at), secret.expires_at.map(to_column)];
    connection.prepare_cached(insert).and_then(|mut statement| statement.execute(row)).map_err(store_error)?;
    Ok(())
}

fn columns(row: &Row<'_>) -> rusqlite::Result<(Uuid, String, Times)> {
    Ok((row.get(0)?, row.get(1)?, (row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?)))
}

fn key(connection: &Connection, (id, document, times): (Uuid, String, Times)) -> Result<ApiKey, StoreError> {
    let select = "SELECT digest, created_at, expires_at FROM api_key_secrets WHERE key_id = ?1 ORDER BY created_at";
    let mut statement = connection.prepare_cached(select).map_err(store_error)?;
    let rows = statement
        .query_map([id], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get(1)?, row.get(2)?)))
        .map_err(store_error)?;
    let secrets = rows.map(|row| {
        let (digest, created_at, expires_at) = row.map_err(store_error)?;
        api_key::secret(&digest, created_at, expires_at)
    });
    api_key::key(id, &document, times, secrets.collect::<Result<_, _>>()?)
}
