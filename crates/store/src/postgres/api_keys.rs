//! API keys in PostgreSQL. A key comes with its secrets in one question.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use tokio_postgres::Row;
use uuid::Uuid;
use valetkey_oauth::model::{ApiKey, ApiKeyId, ApiKeySecret, SecretDigest};
use valetkey_oauth::ports::{ApiKeyChange, ApiKeys, StoreError};

use super::Postgres;
use super::connection::Fault;
use crate::moment::to_column;
use crate::record::api_key;

const SELECT: &str = "SELECT k.id, k.document, k.created_at, k.expires_at, k.revoked_at, k.last_used_at, \
                      s.digest, s.created_at, s.expires_at \
                      FROM api_keys k LEFT JOIN api_key_secrets s ON s.key_id = k.id";

#[async_trait]
impl ApiKeys for Postgres {
    async fn add_api_key(&self, key: &ApiKey) -> Result<(), StoreError> {
        let document = api_key::document(key)?;
        let digests: Vec<&[u8]> = key.secrets.iter().map(|secret| &secret.digest.as_bytes()[..]).collect();
        let dates: Vec<i64> = key.secrets.iter().map(|secret| to_column(secret.created_at)).collect();
        let ends: Vec<Option<i64>> = key.secrets.iter().map(|secret| secret.expires_at.map(to_column)).collect();
        let insert = "WITH added AS (\
                          INSERT INTO api_keys (id, document, created_at, expires_at) VALUES ($1, $2, $3, $4) \
                          RETURNING id) \
                      INSERT INTO api_key_secrets (key_id, digest, created_at, expires_at) \
                      SELECT added.id, given.* FROM added, unnest($5::bytea[], $6::bigint[], $7::bigint[]) AS given \
                      RETURNING 1";
        let (created_at, expires_at) = (to_column(key.created_at), key.expires_at.map(to_column));
        let row: [&(dyn tokio_postgres::types::ToSql + Sync); 7] =
            [&key.id.0, &document, &created_at, &expires_at, &digests, &dates, &ends];
        self.connections.write(insert, &row).await.map(|_| ())
    }

    async fn find_api_key(&self, secret: &SecretDigest) -> Result<Option<Arc<ApiKey>>, StoreError> {
        let select = format!(
            "{SELECT} WHERE k.id = (SELECT key_id FROM api_key_secrets WHERE digest = $1) ORDER BY s.created_at"
        );
        let rows = self.connections.read(&select, &[&&secret.as_bytes()[..]]).await?;
        Ok(keys(&rows)?.pop().map(Arc::new))
    }

    async fn list_api_keys(&self) -> Result<Vec<ApiKey>, StoreError> {
        let select = format!("{SELECT} ORDER BY k.created_at, k.id, s.created_at");
        keys(&self.connections.read(&select, &[]).await?)
    }

    async fn rotate_api_key(
        &self,
        id: ApiKeyId,
        secret: &ApiKeySecret,
        others_until: Timestamp,
    ) -> Result<ApiKeyChange, StoreError> {
        self.connections.attempt(|fault| fault.undone, || self.rotate_once(id, secret, others_until)).await
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Result<ApiKeyChange, StoreError> {
        // The row as it was before, locked, so that of two who revoke at once one does.
        let update = "WITH known AS (SELECT id, revoked_at FROM api_keys WHERE id = $1 FOR UPDATE), \
                      changed AS (UPDATE api_keys SET revoked_at = $2 \
                          WHERE id IN (SELECT id FROM known WHERE revoked_at IS NULL)) \
                      SELECT revoked_at FROM known";
        Ok(standing(&self.connections.write(update, &[&id.0, &to_column(at)]).await?))
    }

    async fn note_api_key_uses(&self, mut uses: Vec<(ApiKeyId, Timestamp)>) -> Result<(), StoreError> {
        // In one order on every node, so that two of them never wait for each other.
        uses.sort();
        let ids: Vec<Uuid> = uses.iter().map(|(id, _)| id.0).collect();
        let times: Vec<i64> = uses.iter().map(|(_, at)| to_column(*at)).collect();
        let update = "WITH known AS (SELECT k.id, u.at FROM api_keys k \
                          JOIN unnest($1::uuid[], $2::bigint[]) AS u (id, at) ON u.id = k.id \
                          WHERE coalesce(k.last_used_at, 0) < u.at ORDER BY k.id FOR UPDATE OF k) \
                      UPDATE api_keys SET last_used_at = known.at FROM known WHERE api_keys.id = known.id RETURNING 1";
        self.connections.write(update, &[&ids, &times]).await.map(|_| ())
    }
}

impl Postgres {
    async fn rotate_once(
        &self,
        id: ApiKeyId,
        secret: &ApiKeySecret,
        others_until: Timestamp,
    ) -> Result<ApiKeyChange, Fault> {
        let mut lease = self.connections.lease().await?;
        // Two rotations at once must see each other's secret: the second one's statements begin after the first is done.
        let known = lease.begin("SELECT revoked_at FROM api_keys WHERE id = $1 FOR UPDATE", &[&id.0]).await?;
        let outcome = standing(&known);
        if outcome != ApiKeyChange::Changed {
            lease.commit().await?;
            return Ok(outcome);
        }
        let change = "WITH forgotten AS (\
                          DELETE FROM api_key_secrets WHERE key_id = $1 AND expires_at <= $4), \
                      shortened AS (\
                          UPDATE api_key_secrets SET expires_at = least(expires_at, $2) \
                          WHERE key_id = $1 AND coalesce(expires_at > $4, true)) \
                      INSERT INTO api_key_secrets (key_id, digest, created_at, expires_at) VALUES ($1, $3, $4, $5)";
        let (created_at, expires_at) = (to_column(secret.created_at), secret.expires_at.map(to_column));
        let digest = &secret.digest.as_bytes()[..];
        lease.commit_with(change, &[&id.0, &to_column(others_until), &digest, &created_at, &expires_at]).await?;
        Ok(ApiKeyChange::Changed)
    }
}

/// What a change of the key in these rows comes to.
fn standing(rows: &[Row]) -> ApiKeyChange {
    match rows.first().map(|row| row.get::<_, Option<i64>>(0)) {
        None => ApiKeyChange::Unknown,
        Some(Some(_)) => ApiKeyChange::Revoked,
        Some(None) => ApiKeyChange::Changed,
    }
}

/// Rows of one key stand together, one for each secret.
fn keys(rows: &[Row]) -> Result<Vec<ApiKey>, StoreError> {
    rows.chunk_by(|one, next| one.get::<_, Uuid>(0) == next.get::<_, Uuid>(0))
        .map(|rows| {
            let secrets = rows.iter().filter_map(|row| {
                let digest = row.get::<_, Option<&[u8]>>(6)?;
                Some(api_key::secret(digest, row.get(7), row.get(8)))
            });
            let row = &rows[0];
            let times = (row.get(2), row.get(3), row.get(4), row.get(5));
            api_key::key(row.get(0), row.get(1), times, secrets.collect::<Result<_, _>>()?)
        })
        .collect()
}
