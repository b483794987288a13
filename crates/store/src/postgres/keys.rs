//! Wrapped keys in PostgreSQL.

use async_trait::async_trait;
use tokio_postgres::Row;
use valetkey_oauth::model::{KeyPurpose, StoredKey};
use valetkey_oauth::ports::{KeyAddition, Keys, StoreError};

use super::Postgres;
use crate::moment::{from_column, to_column};

#[async_trait]
impl Keys for Postgres {
    async fn add_key(&self, key: &StoredKey) -> Result<KeyAddition, StoreError> {
        let insert = "INSERT INTO keys (purpose, generation, id, created_at, active_from, wrapped) \
                      VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (purpose, generation) DO NOTHING RETURNING id";
        let (purpose, generation) = (key.purpose.as_str(), i64::from(key.generation));
        let (created_at, active_from) = (to_column(key.created_at), to_column(key.active_from));
        let added = self
            .connections
            .write(insert, &[&purpose, &generation, &key.id, &created_at, &active_from, &key.wrapped])
            .await?;
        Ok(if added.is_empty() { KeyAddition::GenerationTaken } else { KeyAddition::Added })
    }

    async fn all_keys(&self) -> Result<Vec<StoredKey>, StoreError> {
        let select = "SELECT purpose, generation, id, created_at, active_from, wrapped FROM keys \
                      ORDER BY purpose, generation";
        self.connections.read(select, &[]).await?.iter().map(key).collect()
    }

    async fn remove_key(&self, purpose: KeyPurpose, generation: u32) -> Result<(), StoreError> {
        let delete = "DELETE FROM keys WHERE purpose = $1 AND generation = $2";
        self.connections.write(delete, &[&purpose.as_str(), &i64::from(generation)]).await?;
        Ok(())
    }
}

fn key(row: &Row) -> Result<StoredKey, StoreError> {
    let (word, generation): (&str, i64) = (row.get(0), row.get(1));
    Ok(StoredKey {
        purpose: KeyPurpose::parse(word).ok_or_else(|| StoreError::Failed(format!("a key for {word:?}")))?,
        generation: generation
            .try_into()
            .map_err(|_| StoreError::Failed(format!("{generation} is no generation of a key")))?,
        id: row.get(2),
        created_at: from_column(row.get(3))?,
        active_from: from_column(row.get(4))?,
        wrapped: row.get(5),
    })
}
