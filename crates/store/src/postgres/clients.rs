//! Clients in PostgreSQL. A client comes with its secrets in one question: it is asked for on each request.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use tokio_postgres::Row;
use valetkey_oauth::model::{Client, ClientId, ClientSecret, Revocation, SecretDigest};
use valetkey_oauth::ports::{ClientRegistration, ClientRemoval, Clients, SecretChange, StoreError};

use super::Postgres;
use super::connection::{Bounds, Connections, Fault, Gathering, can_be_stored};
use crate::moment::{from_column, to_column};
use crate::record;

/// A client with very many sessions goes in one transaction; an operator can wait for it.
const REMOVAL: Duration = Duration::from_secs(60);

const SELECT: &str = "SELECT c.id, c.document, c.created_at, s.digest, s.created_at, s.expires_at \
                      FROM clients c LEFT JOIN client_secrets s ON s.client_id = c.id";

type Found = Result<Option<Arc<Client>>, StoreError>;

/// Looks for clients by their ids. Most of those who ask at the same moment ask for the same few, and those who come to a
/// server that has just started all do.
pub(super) type Finder = Gathering<ClientId, Found>;

/// How many questions at once.
const BOUNDS: Bounds = Bounds { ways: 2, most: 128, commits: false };

/// Where they are asked.
pub(super) fn finder(connections: &Connections) -> Finder {
    let connections = connections.clone();
    Gathering::new(BOUNDS, move |ids: Vec<ClientId>| {
        let connections = connections.clone();
        async move { find_each(&connections, &ids).await }
    })
}

async fn find_each(connections: &Connections, ids: &[ClientId]) -> Result<Vec<Found>, StoreError> {
    // The array hides in a subquery: PostgreSQL would plan anew for each length that it sees.
    let select = format!("{SELECT} WHERE c.id = ANY ((SELECT $1::text[])::text[]) ORDER BY c.id, s.created_at");
    let mut wanted: Vec<&str> = ids.iter().map(ClientId::as_str).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let rows = connections.read(&select, &[&wanted]).await?;
    let found: HashMap<&str, Found> = clients(&rows).map(|(id, client)| (id, client.map(Arc::new).map(Some))).collect();
    Ok(ids.iter().map(|id| found.get(id.as_str()).cloned().unwrap_or(Ok(None))).collect())
}

#[async_trait]
impl Clients for Postgres {
    async fn register(&self, client: &Client) -> Result<ClientRegistration, StoreError> {
        let document = record::client_document(client)?;
        let digests: Vec<&[u8]> = client.secrets.iter().map(|secret| &secret.digest.as_bytes()[..]).collect();
        let dates: Vec<i64> = client.secrets.iter().map(|secret| to_column(secret.created_at)).collect();
        let ends: Vec<Option<i64>> = client.secrets.iter().map(|secret| secret.expires_at.map(to_column)).collect();
        let insert = "WITH added AS (\
                          INSERT INTO clients (id, document, created_at) VALUES ($1, $2, $3) \
                          ON CONFLICT (id) DO NOTHING RETURNING id), \
                      secrets AS (\
                          INSERT INTO client_secrets (client_id, digest, created_at, expires_at) \
                          SELECT added.id, given.* \
                          FROM added, unnest($4::bytea[], $5::bigint[], $6::bigint[]) AS given), \
                      origins AS (\
                          INSERT INTO client_origins (origin, client_id) \
                          SELECT DISTINCT origin, added.id FROM added, unnest($7::text[]) AS origin) \
                      SELECT id FROM added";
        let created_at = to_column(client.created_at);
        let added = self
            .connections
            .write(insert, &[&client.id.as_str(), &document, &created_at, &digests, &dates, &ends, &client.origins])
            .await?;
        Ok(if added.is_empty() { ClientRegistration::IdTaken } else { ClientRegistration::Registered })
    }

    async fn update(&self, client: &Client) -> Result<bool, StoreError> {
        let document = record::client_document(client)?;
        // The rows of origins that stay are left alone: one statement cannot remove and add the same row.
        let update = "WITH known AS (UPDATE clients SET document = $2 WHERE id = $1 RETURNING id), \
                      dropped AS (\
                          DELETE FROM client_origins WHERE client_id IN (SELECT id FROM known) AND origin <> ALL ($3)), \
                      added AS (\
                          INSERT INTO client_origins (origin, client_id) \
                          SELECT DISTINCT origin, known.id FROM known, unnest($3::text[]) AS origin \
                          ON CONFLICT DO NOTHING) \
                      SELECT id FROM known";
        Ok(!self.connections.write(update, &[&client.id.as_str(), &document, &client.origins]).await?.is_empty())
    }

    async fn of_origin(&self, origin: &str) -> Result<Vec<ClientId>, StoreError> {
        if !can_be_stored(origin) {
            return Ok(Vec::new());
        }
        let select = "SELECT client_id FROM client_origins WHERE origin = $1 ORDER BY client_id";
        let rows = self.connections.read(select, &[&origin]).await?;
        Ok(rows.iter().map(|row| ClientId::new(row.get::<_, String>(0))).collect())
    }

    async fn find(&self, id: &ClientId) -> Result<Option<Arc<Client>>, StoreError> {
        if !can_be_stored(id.as_str()) {
            return Ok(None);
        }
        self.clients.ask(id.clone()).await.flatten()
    }

    async fn list(&self) -> Result<Vec<Client>, StoreError> {
        let rows = self.connections.read(&format!("{SELECT} ORDER BY c.id, s.created_at"), &[]).await?;
        clients(&rows).map(|(_, client)| client).collect()
    }

    async fn add_secret(
        &self,
        id: &ClientId,
        secret: &ClientSecret,
        others_until: Timestamp,
    ) -> Result<SecretChange, StoreError> {
        self.connections.attempt(|fault| fault.undone, || self.add_secret_once(id, secret, others_until)).await
    }

    async fn remove(&self, id: &ClientId, tokens: &Revocation) -> Result<ClientRemoval, StoreError> {
        self.connections.attempt(|fault| fault.undone, || self.remove_once(id, tokens)).await
    }
}

impl Postgres {
    async fn add_secret_once(
        &self,
        id: &ClientId,
        secret: &ClientSecret,
        others_until: Timestamp,
    ) -> Result<SecretChange, Fault> {
        let mut lease = self.connections.lease().await?;
        // Two rotations at once must see each other's secret: the second one's statements begin after the first is done.
        let known = lease.begin("SELECT id FROM clients WHERE id = $1 FOR UPDATE", &[&id.as_str()]).await?;
        if known.is_empty() {
            lease.commit().await?;
            return Ok(SecretChange::UnknownClient);
        }
        let change = "WITH shortened AS (\
                          UPDATE client_secrets SET expires_at = least(expires_at, $2) WHERE client_id = $1) \
                      INSERT INTO client_secrets (client_id, digest, created_at, expires_at) VALUES ($1, $3, $4, $5)";
        let (created_at, expires_at) = (to_column(secret.created_at), secret.expires_at.map(to_column));
        let digest = &secret.digest.as_bytes()[..];
        lease.commit_with(change, &[&id.as_str(), &to_column(others_until), &digest, &created_at, &expires_at]).await?;
        Ok(SecretChange::Changed)
    }

    async fn remove_once(&self, id: &ClientId, tokens: &Revocation) -> Result<ClientRemoval, Fault> {
        let (kind, target, moment) = record::revocation_columns(&tokens.target);
        let delete = "WITH gone AS (DELETE FROM clients WHERE id = $1 RETURNING id), \
                      filed AS (\
                          INSERT INTO revocations (kind, target, moment, expires_at) SELECT $2, $3, $4, $5 FROM gone) \
                      SELECT id FROM gone";
        let mut lease = self.connections.lease().await?.with_patience(REMOVAL);
        let gone = lease.begin(delete, &[&id.as_str(), &kind, &target, &moment, &to_column(tokens.expires_at)]).await?;
        if gone.is_empty() {
            lease.commit().await?;
            return Ok(ClientRemoval::UnknownClient);
        }
        // With a look of its own: what began meanwhile was waited for, since what it stands on goes with the client.
        lease.commit_with("DELETE FROM sessions WHERE client_id = $1", &[&id.as_str()]).await?;
        Ok(ClientRemoval::Removed)
    }
}

/// Rows of one client stand together, one for each secret.
fn clients(rows: &[Row]) -> impl Iterator<Item = (&str, Result<Client, StoreError>)> {
    rows.chunk_by(|one, next| one.get::<_, &str>(0) == next.get::<_, &str>(0))
        .map(|rows| (rows[0].get(0), client(rows)))
}

/// A client with its secrets.
fn client(rows: &[Row]) -> Result<Client, StoreError> {
    let secrets = rows.iter().filter_map(|row| secret(row).transpose()).collect::<Result<_, _>>()?;
    record::client(rows[0].get(0), rows[0].get(1), rows[0].get(2), secrets)
}

/// The secret in a row, unless the client has none.
fn secret(row: &Row) -> Result<Option<ClientSecret>, StoreError> {
    let Some(digest) = row.get::<_, Option<&[u8]>>(3) else { return Ok(None) };
    Ok(Some(ClientSecret {
        digest: SecretDigest::from_bytes(digest).ok_or_else(|| {
            StoreError::Failed(format!("a digest of client {} has a wrong length", row.get::<_, &str>(0)))
        })?,
        created_at: from_column(row.get(4))?,
        expires_at: row.get::<_, Option<i64>>(5).map(from_column).transpose()?,
    }))
}
