//! Consents in PostgreSQL.

use async_trait::async_trait;
use jiff::Timestamp;
use tokio_postgres::Row;
use valetkey_oauth::model::{ClientId, Consent, Revocation, RevocationTarget, SessionEnd, SessionId};
use valetkey_oauth::ports::{Consents, SESSIONS_A_TURN, StoreError};

use super::Postgres;
use super::connection::{Fault, can_be_stored};
use crate::moment::{from_column, to_column};
use crate::record;

const COLUMNS: &str = "subject, client_id, scope, given_at, changed_at";

/// `$3` living sessions that client `$2` has of `$1`.
const LIVING: &str = "SELECT id FROM sessions WHERE subject = $1 AND client_id = $2 AND ended IS NULL LIMIT $3";

/// Ends `$5` living sessions that client `$2` has of `$1`, by `$3`, and files that their tokens are void until `$4`.
const FINISH_FEW: &str = "WITH few AS (\
                              SELECT id FROM sessions WHERE subject = $1 AND client_id = $2 AND ended IS NULL \
                              ORDER BY id LIMIT $5 FOR UPDATE), \
                          finished AS (\
                              UPDATE sessions SET ended = $3 FROM few WHERE sessions.id = few.id RETURNING sessions.id), \
                          filed AS (\
                              INSERT INTO revocations (kind, target, expires_at) \
                              SELECT 'session', id::text, $4 FROM finished) \
                          SELECT id FROM finished";

#[async_trait]
impl Consents for Postgres {
    async fn find_consent(&self, subject: &str, client: &ClientId) -> Result<Option<Consent>, StoreError> {
        if !can_be_stored(subject) || !can_be_stored(client.as_str()) {
            return Ok(None);
        }
        let select = format!("SELECT {COLUMNS} FROM consents WHERE subject = $1 AND client_id = $2");
        self.connections.read(&select, &[&subject, &client.as_str()]).await?.first().map(consent).transpose()
    }

    async fn agree(&self, new: &Consent) -> Result<Consent, StoreError> {
        // The names that are not there yet are added to the row as it is at this moment, so that nobody's are lost.
        let upsert = format!(
            "INSERT INTO consents ({COLUMNS}) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (subject, client_id) DO UPDATE SET changed_at = excluded.changed_at, \
             scope = concat_ws(' ', consents.scope, (\
                 SELECT string_agg(name, ' ') FROM unnest(string_to_array(excluded.scope, ' ')) AS name \
                 WHERE name <> ALL (string_to_array(consents.scope, ' ')))) \
             RETURNING {COLUMNS}"
        );
        let (given_at, changed_at) = (to_column(new.given_at), to_column(new.changed_at));
        let rows = self
            .connections
            .write(&upsert, &[&new.subject, &new.client.as_str(), &new.scope.as_str(), &given_at, &changed_at])
            .await?;
        rows.first().map(consent).ok_or_else(|| StoreError::Failed("a consent vanished".to_owned()))?
    }

    async fn consents_of(&self, subject: &str) -> Result<Vec<Consent>, StoreError> {
        let select = format!("SELECT {COLUMNS} FROM consents WHERE subject = $1 ORDER BY client_id");
        self.connections.read(&select, &[&subject]).await?.iter().map(consent).collect()
    }

    async fn withdraw(
        &self,
        subject: &str,
        client: &ClientId,
        _now: Timestamp,
        tokens_until: Timestamp,
    ) -> Result<Vec<Revocation>, StoreError> {
        let mut revoked = Vec::new();
        let (why, until, few) = (SessionEnd::Revoked.as_str(), to_column(tokens_until), SESSIONS_A_TURN as i64);
        loop {
            // As long as there are many, a few end in each turn. The consent goes with the last ones: whoever is cut off
            // before finds it there, and takes it back again.
            let living = self.connections.read(LIVING, &[&subject, &client.as_str(), &few]).await?;
            let is_last = living.len() < SESSIONS_A_TURN;
            let ended = if is_last {
                let once = || self.withdraw_once(subject, client, tokens_until);
                self.connections.attempt(|fault| fault.undone, once).await?
            } else {
                self.connections.write(FINISH_FEW, &[&subject, &client.as_str(), &why, &until, &few]).await?
            };
            let targets = ended.iter().map(|row| RevocationTarget::Session(SessionId(row.get(0))));
            revoked.extend(targets.map(|target| Revocation { target, expires_at: tokens_until }));
            if is_last && ended.len() < SESSIONS_A_TURN {
                return Ok(revoked);
            }
        }
    }
}

impl Postgres {
    /// What it stood on goes first: whoever is redeeming a code or a device at this moment is waited for. Then a look of its
    /// own finds every session that began, and ends a few.
    async fn withdraw_once(&self, subject: &str, client: &ClientId, until: Timestamp) -> Result<Vec<Row>, Fault> {
        let grounds = "WITH gone AS (DELETE FROM consents WHERE subject = $1 AND client_id = $2) \
                       DELETE FROM devices WHERE subject = $1 AND client_id = $2 AND state = 'approved'";
        let mut lease = self.connections.lease().await?;
        lease.begin(grounds, &[&subject, &client.as_str()]).await?;
        let (why, until, few) = (SessionEnd::Revoked.as_str(), to_column(until), SESSIONS_A_TURN as i64);
        lease.finish(FINISH_FEW, &[&subject, &client.as_str(), &why, &until, &few]).await
    }
}

fn consent(row: &Row) -> Result<Consent, StoreError> {
    Ok(Consent {
        subject: row.get(0),
        client: ClientId::new(row.get::<_, &str>(1)),
        scope: record::scope(row.get(2))?,
        given_at: from_column(row.get(3))?,
        changed_at: from_column(row.get(4))?,
    })
}
