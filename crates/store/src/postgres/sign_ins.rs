//! Sign-ins in PostgreSQL.

use async_trait::async_trait;
use jiff::Timestamp;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use valetkey_oauth::model::{SecretDigest, SessionEnd, SignIn, SignInId, UserId};
use valetkey_oauth::ports::{Leaving, SignInRenewal, SignInStart, SignIns, StoreError};

use super::Postgres;
use super::deliveries::{self, Columns};
use crate::moment::{from_column, to_column};
use crate::record;

const COLUMNS: &str = "id, user_id, cookie, authenticated_at, methods, created_at, expires_at, address, agent, seen_at";

#[async_trait]
impl SignIns for Postgres {
    async fn begin(&self, new: &SignIn, proof: &str) -> Result<SignInStart, StoreError> {
        // The lock waits for a new password that is on its way, and sees it; one that comes later waits for this row.
        let insert = format!(
            "WITH proven AS (SELECT id FROM users WHERE id = $2 AND password_hash = $11 FOR SHARE) \
             INSERT INTO sign_ins ({COLUMNS}) SELECT $1, id, $3, $4, $5, $6, $7, $8, $9, $10 FROM proven RETURNING id"
        );
        let row: [&(dyn ToSql + Sync); 11] = [
            &new.id.0,
            &new.user.0,
            &&new.cookie.as_bytes()[..],
            &to_column(new.authenticated_at),
            &new.methods.join(" "),
            &to_column(new.created_at),
            &to_column(new.expires_at),
            &new.address,
            &new.agent,
            &to_column(new.seen_at),
            &proof,
        ];
        let begun = self.connections.write(&insert, &row).await?;
        Ok(if begun.is_empty() { SignInStart::PasswordChanged } else { SignInStart::Begun })
    }

    async fn find_sign_in(&self, cookie: &SecretDigest, now: Timestamp) -> Result<Option<SignIn>, StoreError> {
        let select = format!("SELECT {COLUMNS} FROM sign_ins WHERE cookie = $1 AND expires_at > $2");
        let rows = self.connections.read(&select, &[&&cookie.as_bytes()[..], &to_column(now)]).await?;
        rows.first().map(sign_in).transpose()
    }

    async fn note_seen(&self, id: SignInId, at: Timestamp) -> Result<(), StoreError> {
        let update = "UPDATE sign_ins SET seen_at = $2 WHERE id = $1 AND seen_at < $2";
        self.connections.write(update, &[&id.0, &to_column(at)]).await?;
        Ok(())
    }

    async fn renew(&self, new: &SignIn, proof: &str) -> Result<SignInRenewal, StoreError> {
        let update = "WITH proven AS (SELECT id FROM users WHERE id = $9 AND password_hash = $10 FOR SHARE), \
                      renewed AS (\
                          UPDATE sign_ins SET cookie = $2, authenticated_at = $3, methods = $4, expires_at = $5, \
                              seen_at = $6, address = $7, agent = $8 \
                          FROM proven WHERE sign_ins.id = $1 AND sign_ins.user_id = proven.id RETURNING sign_ins.id) \
                      SELECT renewed.id IS NOT NULL FROM proven LEFT JOIN renewed ON true";
        let row: [&(dyn ToSql + Sync); 10] = [
            &new.id.0,
            &&new.cookie.as_bytes()[..],
            &to_column(new.authenticated_at),
            &new.methods.join(" "),
            &to_column(new.expires_at),
            &to_column(new.seen_at),
            &new.address,
            &new.agent,
            &new.user.0,
            &proof,
        ];
        let outcome = self.connections.write(update, &row).await?;
        Ok(match outcome.first().map(|row| row.get(0)) {
            None => SignInRenewal::PasswordChanged,
            Some(true) => SignInRenewal::Renewed,
            Some(false) => SignInRenewal::Gone,
        })
    }

    async fn leave(&self, leaving: &Leaving) -> Result<bool, StoreError> {
        let statement = format!(
            "WITH gone AS (DELETE FROM sign_ins WHERE id = $1 RETURNING id), \
                         finished AS (\
                             UPDATE sessions SET ended = $3 \
                             WHERE id = ANY($2::uuid[]) AND ended IS NULL AND EXISTS (SELECT FROM gone) RETURNING id), \
                         filed AS (\
                             INSERT INTO revocations (kind, target, expires_at) \
                             SELECT 'session', id::text, $4 FROM finished), \
                         posted AS ({} FROM {} WHERE EXISTS (SELECT FROM gone)) \
                         SELECT id FROM gone",
            deliveries::into(),
            Columns::table(5)
        );
        let messages = Columns::of(&leaving.messages);
        let sessions: Vec<_> = leaving.sessions.iter().map(|session| session.0).collect();
        let (why, until) = (SessionEnd::SignedOut.as_str(), to_column(leaving.tokens_until));
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&leaving.sign_in.0, &sessions, &why, &until];
        values.extend(messages.values());
        let gone = self.connections.write(&statement, &values).await?;
        Ok(!gone.is_empty())
    }

    async fn sign_in_of(&self, user: UserId, id: SignInId, now: Timestamp) -> Result<Option<SignIn>, StoreError> {
        let select = format!("SELECT {COLUMNS} FROM sign_ins WHERE id = $1 AND user_id = $2 AND expires_at > $3");
        let rows = self.connections.read(&select, &[&id.0, &user.0, &to_column(now)]).await?;
        rows.first().map(sign_in).transpose()
    }

    async fn sign_ins_of(&self, user: UserId, now: Timestamp, most: u32) -> Result<Vec<SignIn>, StoreError> {
        let select =
            format!("SELECT {COLUMNS} FROM sign_ins WHERE user_id = $1 AND expires_at > $2 ORDER BY id DESC LIMIT $3");
        let rows = self.connections.read(&select, &[&user.0, &to_column(now), &i64::from(most)]).await?;
        rows.iter().map(sign_in).collect()
    }
}

fn sign_in(row: &Row) -> Result<SignIn, StoreError> {
    Ok(SignIn {
        id: SignInId(row.get(0)),
        user: UserId(row.get(1)),
        cookie: record::digest(row.get(2))?,
        authenticated_at: from_column(row.get(3))?,
        methods: record::words(row.get(4)),
        created_at: from_column(row.get(5))?,
        expires_at: from_column(row.get(6))?,
        address: row.get(7),
        agent: row.get(8),
        seen_at: from_column(row.get(9))?,
    })
}
