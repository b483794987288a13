//! Clients in SQLite.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use valetkey_oauth::model::{Client, ClientId, ClientSecret, Revocation, SecretDigest};
use valetkey_oauth::ports::{ClientRegistration, ClientRemoval, Clients, SecretChange, StoreError};

use super::{Sqlite, revocations, store_error};
use crate::moment::{from_column, to_column};
use crate::record;

#[async_trait]
impl Clients for Sqlite {
    async fn register(&self, client: &Client) -> Result<ClientRegistration, StoreError> {
        let client = client.clone();
        let document = record::client_document(&client)?;
        let insert = "INSERT INTO clients (id, document, created_at) VALUES (?1, ?2, ?3) ON CONFLICT (id) DO NOTHING";
        self.writer
            .run(move |connection| {
                let row = params![client.id.as_str(), document, to_column(client.created_at)];
                if connection.prepare_cached(insert).and_then(|mut s| s.execute(row)).map_err(store_error)? == 0 {
                    return Ok(ClientRegistration::IdTaken);
                }
                client.secrets.iter().try_for_each(|secret| insert_secret(connection, &client.id, secret))?;
                insert_origins(connection, &client.id, &client.origins)?;
                Ok(ClientRegistration::Registered)
            })
            .await
    }

    async fn update(&self, client: &Client) -> Result<bool, StoreError> {
        let (id, document, origins) = (client.id.clone(), record::client_document(client)?, client.origins.clone());
        self.writer
            .run(move |connection| {
                let is_known = connection
                    .prepare_cached("UPDATE clients SET document = ?2 WHERE id = ?1")
                    .and_then(|mut statement| statement.execute(params![id.as_str(), document]))
                    .map(|rows| rows == 1)
                    .map_err(store_error)?;
                connection
                    .prepare_cached("DELETE FROM client_origins WHERE client_id = ?1")
                    .and_then(|mut statement| statement.execute([id.as_str()]))
                    .map_err(store_error)?;
                if is_known {
                    insert_origins(connection, &id, &origins)?;
                }
                Ok(is_known)
            })
            .await
    }

    async fn of_origin(&self, origin: &str) -> Result<Vec<ClientId>, StoreError> {
        self.readers.read(|connection| {
            let mut statement = connection
                .prepare_cached("SELECT client_id FROM client_origins WHERE origin = ?1 ORDER BY client_id")
                .map_err(store_error)?;
            let rows = statement.query_map([origin], |row| row.get::<_, String>(0)).map_err(store_error)?;
            rows.map(|id| id.map(ClientId::new).map_err(store_error)).collect()
        })
    }

    async fn find(&self, id: &ClientId) -> Result<Option<Arc<Client>>, StoreError> {
        self.readers.read(|connection| {
            let row = connection
                .prepare_cached("SELECT document, created_at FROM clients WHERE id = ?1")
                .and_then(|mut statement| {
                    statement
                        .query_row([id.as_str()], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)))
                        .optional()
                })
                .map_err(store_error)?;
            let Some((document, created_at)) = row else { return Ok(None) };
            let secrets = secrets(connection, id.as_str())?;
            record::client(id.to_string(), &document, created_at, secrets).map(|client| Some(Arc::new(client)))
        })
    }

    async fn list(&self) -> Result<Vec<Client>, StoreError> {
        self.readers.read(|connection| {
            let mut statement = connection
                .prepare_cached("SELECT id, document, created_at FROM clients ORDER BY id")
                .map_err(store_error)?;
            let rows = statement
                .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?)))
                .map_err(store_error)?;
            rows.map(|row| {
                let (id, document, created_at) = row.map_err(store_error)?;
                let secrets = secrets(connection, &id)?;
                record::client(id, &document, created_at, secrets)
            })
            .collect()
        })
    }

    async fn add_secret(
        &self,
        id: &ClientId,
        secret: &ClientSecret,
        others_until: Timestamp,
    ) -> Result<SecretChange, StoreError> {
        let (id, secret) = (id.clone(), secret.clone());
        let shorten = "UPDATE client_secrets SET expires_at = min(coalesce(expires_at, ?2), ?2) WHERE client_id = ?1";
        self.writer
            .run(move |connection| {
                let known = connection
                    .prepare_cached("SELECT 1 FROM clients WHERE id = ?1")
                    .and_then(|mut statement| statement.exists([id.as_str()]))
                    .map_err(store_error)?;
                if !known {
                    return Ok(SecretChange::UnknownClient);
                }
                connection
                    .prepare_cached(shorten)
                    .and_then(|mut statement| statement.execute(params![id.as_str(), to_column(others_until)]))
                    .map_err(store_error)?;
                insert_secret(connection, &id, &secret)?;
                Ok(SecretChange::Changed)
            })
            .await
    }

    async fn remove(&self, id: &ClientId, tokens: &Revocation) -> Result<ClientRemoval, StoreError> {
        let (id, tokens) = (id.clone(), tokens.clone());
        self.writer
            .run(move |connection| {
                let delete = |sql: &str| {
                    connection
                        .prepare_cached(sql)
                        .and_then(|mut statement| statement.execute([id.as_str()]))
                        .map_err(store_error)
                };
                if delete("DELETE FROM clients WHERE id = ?1")? == 0 {
                    return Ok(ClientRemoval::UnknownClient);
                }
                delete("DELETE FROM sessions WHERE client_id = ?1")?;
                revocations::insert(connection, &tokens)?;
                Ok(ClientRemoval::Removed)
            })
            .await
    }
}

fn insert_origins(connection: &Connection, id: &ClientId, origins: &[String]) -> Result<(), StoreError> {
    let insert = "INSERT INTO client_origins (origin, client_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    let mut statement = connection.prepare_cached(insert).map_err(store_error)?;
    for origin in origins {
        statement.execute([origin.as_str(), id.as_str()]).map_err(store_error)?;
    }
    Ok(())
}

fn insert_secret(connection: &Connection, id: &ClientId, secret: &ClientSecret) -> Result<(), StoreError> {
    let insert = "INSERT INTO client_secrets (client_id, digest, created_at, expires_at) VALUES (?1, ?2, ?3, ?4)";
    let row =
        params![id.as_str(), secret.digest.as_bytes(), to_column(secret.created_at), secret.expires_at.map(to_column)];
    connection.prepare_cached(insert).and_then(|mut statement| statement.execute(row)).map_err(store_error)?;
    Ok(())
}

fn secrets(connection: &Connection, id: &str) -> Result<Vec<ClientSecret>, StoreError> {
    let select = "SELECT digest, created_at, expires_at FROM client_secrets WHERE client_id = ?1 ORDER BY created_at";
    let mut statement = connection.prepare_cached(select).map_err(store_error)?;
    let rows = statement
        .query_map([id], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, i64>(1)?, row.get::<_, Option<i64>>(2)?)))
        .map_err(store_error)?;
    rows.map(|row| {
        let (digest, created_at, expires_at) = row.map_err(store_error)?;
        Ok(ClientSecret {
            digest: SecretDigest::from_bytes(&digest)
                .ok_or_else(|| StoreError::Failed(format!("a digest of client {id} has a wrong length")))?,
            created_at: from_column(created_at)?,
            expires_at: expires_at.map(from_column).transpose()?,
        })
    })
    .collect()
}
