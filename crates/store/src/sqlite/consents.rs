//! Consents in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use uuid::Uuid;
use valetkey_oauth::model::{ClientId, Consent, Revocation, RevocationTarget, SessionEnd, SessionId};
use valetkey_oauth::ports::{Consents, SESSIONS_A_TURN, StoreError};

use super::{Sqlite, devices, sessions, store_error};
use crate::moment::{from_column, to_column};
use crate::record;

const COLUMNS: &str = "subject, client_id, scope, given_at, changed_at";

const LIVING: &str =
    "SELECT id FROM sessions WHERE subject = ?1 AND client_id = ?2 AND ended IS NULL ORDER BY id LIMIT ?3";

#[async_trait]
impl Consents for Sqlite {
    async fn find_consent(&self, subject: &str, client: &ClientId) -> Result<Option<Consent>, StoreError> {
        self.readers.read(|connection| find(connection, subject, client))
    }

    async fn agree(&self, consent: &Consent) -> Result<Consent, StoreError> {
        let given = consent.clone();
        self.writer
            .run(move |connection| {
                let mut consent = given.clone();
                if let Some(before) = find(connection, &consent.subject, &consent.client)? {
                    consent.scope = record::joined(&before.scope, &consent.scope)?;
                    consent.given_at = before.given_at;
                }
                let sql = format!("INSERT OR REPLACE INTO consents ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5)");
                let row = params![
                    consent.subject,
                    consent.client.as_str(),
                    consent.scope.as_str(),
                    to_column(consent.given_at),
                    to_column(consent.changed_at)
                ];
                connection.prepare_cached(&sql).and_then(|mut s| s.execute(row)).map_err(store_error)?;
                Ok(consent)
            })
            .await
    }

    async fn consents_of(&self, subject: &str) -> Result<Vec<Consent>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM consents WHERE subject = ?1 ORDER BY client_id");
        self.readers.read(|connection| {
            let mut statement = connection.prepare_cached(&sql).map_err(store_error)?;
            let rows = statement.query_map([subject], |row| Ok(consent(row))).map_err(store_error)?;
            rows.map(|row| row.map_err(store_error)?).collect()
        })
    }

    async fn withdraw(
        &self,
        subject: &str,
        client: &ClientId,
        _now: Timestamp,
        tokens_until: Timestamp,
    ) -> Result<Vec<Revocation>, StoreError> {
        // Most of what can be asked for is not there, and must not cost a turn of the writer.
        if !self.readers.read(|connection| stands(connection, subject, client))? {
            return Ok(Vec::new());
        }
        let mut revoked = Vec::new();
        loop {
            // As long as there are many, a few end in each turn. The consent goes with the last ones: whoever is cut off
            // before finds it there, and takes it back again.
            let is_last = self.readers.read(|connection| living(connection, subject, client))?.len() < SESSIONS_A_TURN;
            let (subject, client) = (subject.to_owned(), client.clone());
            let end = move |connection: &Connection| {
                if is_last {
                    take_grounds(connection, &subject, &client)?;
                }
                let ids = living(connection, &subject, &client)?;
                sessions::finish_all(connection, &ids, SessionEnd::Revoked, tokens_until)?;
                Ok(ids)
            };
            let ended = self.writer.run(end).await?;
            let targets = ended.iter().map(|id| RevocationTarget::Session(*id));
            revoked.extend(targets.map(|target| Revocation { target, expires_at: tokens_until }));
            if is_last && ended.len() < SESSIONS_A_TURN {
                return Ok(revoked);
            }
        }
    }
}

/// Is there anything to take back?
fn stands(connection: &Connection, subject: &str, client: &ClientId) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM consents WHERE subject = ?1 AND client_id = ?2) \
               OR EXISTS (SELECT 1 FROM devices WHERE subject = ?1 AND client_id = ?2 AND state = 'approved') \
               OR EXISTS (SELECT 1 FROM sessions WHERE subject = ?1 AND client_id = ?2 AND ended IS NULL)";
    let key = params![subject, client.as_str()];
    connection.prepare_cached(sql).and_then(|mut s| s.query_row(key, |row| row.get(0))).map_err(store_error)
}

/// What sessions would stand on.
fn take_grounds(connection: &Connection, subject: &str, client: &ClientId) -> Result<(), StoreError> {
    connection
        .prepare_cached("DELETE FROM consents WHERE subject = ?1 AND client_id = ?2")
        .and_then(|mut statement| statement.execute(params![subject, client.as_str()]))
        .map_err(store_error)?;
    devices::forget(connection, subject, client)
}

/// As many sessions as end in one turn.
fn living(connection: &Connection, subject: &str, client: &ClientId) -> Result<Vec<SessionId>, StoreError> {
    let mut statement = connection.prepare_cached(LIVING).map_err(store_error)?;
    let key = params![subject, client.as_str(), SESSIONS_A_TURN as i64];
    let rows = statement.query_map(key, |row| row.get::<_, Uuid>(0).map(SessionId)).map_err(store_error)?;
    rows.collect::<Result<_, _>>().map_err(store_error)
}

pub(super) fn find(connection: &Connection, subject: &str, client: &ClientId) -> Result<Option<Consent>, StoreError> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM consents WHERE subject = ?1 AND client_id = ?2"))
        .and_then(|mut s| s.query_row(params![subject, client.as_str()], |row| Ok(consent(row))).optional())
        .map_err(store_error)?
        .transpose()
}

fn consent(row: &Row<'_>) -> Result<Consent, StoreError> {
    let text = |at: usize| row.get::<_, String>(at).map_err(store_error);
    Ok(Consent {
        subject: text(0)?,
        client: ClientId::new(text(1)?),
        scope: record::scope(&text(2)?)?,
        given_at: from_column(row.get(3).map_err(store_error)?)?,
        changed_at: from_column(row.get(4).map_err(store_error)?)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::plan_of;

    #[test]
    fn what_an_app_has_is_found_in_an_index_without_what_it_had() {
        let plan = plan_of(LIVING, params!["alice", "app", 9]);

        assert!(plan.contains("INDEX sessions_living (subject=? AND client_id=?)"), "{plan}");
        assert!(!plan.contains("TEMP B-TREE"), "{plan}");
    }
}
