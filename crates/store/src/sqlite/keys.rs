//! Wrapped keys in SQLite.

use async_trait::async_trait;
use rusqlite::{Row, params};
use valetkey_oauth::model::{KeyPurpose, StoredKey};
use valetkey_oauth::ports::{KeyAddition, Keys, StoreError};

use super::{Sqlite, store_error};
use crate::moment::{from_column, to_column};

#[async_trait]
impl Keys for Sqlite {
    async fn add_key(&self, key: &StoredKey) -> Result<KeyAddition, StoreError> {
        let key = key.clone();
        let insert = "INSERT INTO keys (purpose, generation, id, created_at, active_from, wrapped) \
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (purpose, generation) DO NOTHING";
        self.writer
            .run(move |connection| {
                let row = params![
                    key.purpose.as_str(),
                    key.generation,
                    key.id,
                    to_column(key.created_at),
                    to_column(key.active_from),
                    key.wrapped
                ];
                let added = connection.prepare_cached(insert).and_then(|mut s| s.execute(row)).map_err(store_error)?;
                Ok(if added == 1 { KeyAddition::Added } else { KeyAddition::GenerationTaken })
            })
            .await
    }

    async fn all_keys(&self) -> Result<Vec<StoredKey>, StoreError> {
        let select = "SELECT purpose, generation, id, created_at, active_from, wrapped FROM keys \
                      ORDER BY purpose, generation";
        self.readers.read(|connection| {
            let mut statement = connection.prepare_cached(select).map_err(store_error)?;
            let rows = statement.query_map([], |row| Ok(key(row))).map_err(store_error)?;
            rows.map(|row| row.map_err(store_error)?).collect()
        })
    }

    async fn remove_key(&self, purpose: KeyPurpose, generation: u32) -> Result<(), StoreError> {
        self.writer
            .run(move |connection| {
                connection
                    .prepare_cached("DELETE FROM keys WHERE purpose = ?1 AND generation = ?2")
                    .and_then(|mut statement| statement.execute(params![purpose.as_str(), generation]))
                    .map_err(store_error)?;
                Ok(())
            })
            .await
    }
}

fn key(row: &Row<'_>) -> Result<StoredKey, StoreError> {
    let word: String = row.get(0).map_err(store_error)?;
    Ok(StoredKey {
        purpose: KeyPurpose::parse(&word).ok_or_else(|| StoreError::Failed(format!("a key for {word:?}")))?,
        generation: row.get(1).map_err(store_error)?,
        id: row.get(2).map_err(store_error)?,
        created_at: from_column(row.get(3).map_err(store_error)?)?,
        active_from: from_column(row.get(4).map_err(store_error)?)?,
        wrapped: row.get(5).map_err(store_error)?,
    })
}
