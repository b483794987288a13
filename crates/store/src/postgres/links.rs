//! Links to people at other providers, in PostgreSQL.

use async_trait::async_trait;
use jiff::Timestamp;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use valetkey_oauth::model::{Link, NO_PASSWORD, SecretDigest, User, UserId};
use valetkey_oauth::ports::{Admission, Keep, LinkAddition, Links, StoreError, Unlinking};

use super::Postgres;
use super::connection::{Fault, can_be_stored};
use super::users::{self, Columns};
use crate::moment::{from_column, to_column};
use crate::record;

const COLUMNS: &str = "user_id, issuer, subject, maker, made_at, used_at";

/// Adds a link of an account that is there, unless something stands in the way. The account cannot go meanwhile.
const INSERT: &str = "INSERT INTO upstream_links (user_id, issuer, subject, maker, made_at, used_at) \
    SELECT id, $2, $3, $4, $5, $6 FROM users WHERE id = $1 FOR KEY SHARE ON CONFLICT DO NOTHING RETURNING user_id";

#[async_trait]
impl Links for Postgres {
    async fn link(&self, link: &Link) -> Result<LinkAddition, StoreError> {
        let (made_at, used_at) = (to_column(link.made_at), link.used_at.map(to_column));
        let added = self.connections.write(INSERT, &values(link, &link.maker.as_str(), &made_at, &used_at)).await?;
        if !added.is_empty() {
            return Ok(LinkAddition::Linked);
        }
        // Nothing changed; what stood in the way is looked up to be told.
        if self.find_link(&link.issuer, &link.subject).await?.is_some() {
            return Ok(LinkAddition::SubjectTaken);
        }
        let is_linked = self.links_of(link.user).await?.iter().any(|other| other.issuer == link.issuer);
        Ok(if is_linked { LinkAddition::AccountLinked } else { LinkAddition::AccountGone })
    }

    async fn admit(&self, user: &User, link: &Link) -> Result<Admission, StoreError> {
        self.connections.attempt(|fault| fault.undone, || self.admit_once(user, link)).await
    }

    async fn find_link(&self, issuer: &str, subject: &str) -> Result<Option<Link>, StoreError> {
        if !can_be_stored(issuer) || !can_be_stored(subject) {
            return Ok(None);
        }
        let select = format!("SELECT {COLUMNS} FROM upstream_links WHERE issuer = $1 AND subject = $2");
        self.connections.read(&select, &[&issuer, &subject]).await?.first().map(read).transpose()
    }

    async fn links_of(&self, user: UserId) -> Result<Vec<Link>, StoreError> {
        let select = format!("SELECT {COLUMNS} FROM upstream_links WHERE user_id = $1 ORDER BY issuer");
        self.connections.read(&select, &[&user.0]).await?.iter().map(read).collect()
    }

    async fn note_link_used(&self, link: &Link, at: Timestamp, renewed: Option<&User>) -> Result<(), StoreError> {
        let used = "UPDATE upstream_links SET used_at = greatest(used_at, $3) WHERE issuer = $1 AND subject = $2";
        let at = to_column(at);
        let Some(user) = renewed else {
            self.connections.write(used, &[&link.issuer, &link.subject, &at]).await?;
            return Ok(());
        };
        let both = format!("WITH used AS ({used}) UPDATE users SET email = $5, name = $6, profile = $7 WHERE id = $4");
        let profile = record::profile_column(user);
        let row: [&(dyn ToSql + Sync); 7] =
            [&link.issuer, &link.subject, &at, &user.id.0, &user.email, &user.name, &profile];
        self.connections.write(&both, &row).await?;
        Ok(())
    }

    async fn unlink(&self, user: UserId, issuer: &str, subject: &str, keep: &Keep) -> Result<Unlinking, StoreError> {
        self.connections.attempt(|fault| fault.undone, || self.unlink_once(user, issuer, subject, keep)).await
    }

    async fn spend(&self, answer: &SecretDigest, until: Timestamp, now: Timestamp) -> Result<bool, StoreError> {
        let insert = "WITH gone AS (\
                          DELETE FROM upstream_answers WHERE ctid = ANY (ARRAY(\
                              SELECT ctid FROM upstream_answers WHERE expires_at <= $3 AND digest <> $1 \
                              ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED))) \
                      INSERT INTO upstream_answers (digest, expires_at) VALUES ($1, $2) \
                      ON CONFLICT DO NOTHING RETURNING expires_at";
        let values: [&(dyn ToSql + Sync); 3] = [&&answer.as_bytes()[..], &to_column(until), &to_column(now)];
        Ok(!self.connections.write(insert, &values).await?.is_empty())
    }
}

impl Postgres {
    async fn admit_once(&self, user: &User, link: &Link) -> Result<Admission, Fault> {
        let mut lease = self.connections.lease().await?;
        let added = lease.begin(users::INSERT, &Columns::of(user).values()).await?;
        if added.is_empty() {
            lease.rollback().await?;
            return Ok(Admission::NameTaken);
        }
        let (made_at, used_at) = (to_column(link.made_at), link.used_at.map(to_column));
        let linked = lease.rows(INSERT, &values(link, &link.maker.as_str(), &made_at, &used_at)).await?;
        if linked.is_empty() {
            lease.rollback().await?;
            return Ok(Admission::SubjectTaken);
        }
        lease.commit().await?;
        Ok(Admission::Admitted)
    }

    async fn unlink_once(&self, user: UserId, issuer: &str, subject: &str, keep: &Keep) -> Result<Unlinking, Fault> {
        let mut lease = self.connections.lease().await?;
        // Whoever removes another link of this account waits here, and then sees what is left.
        let account = lease.begin("SELECT password_hash FROM users WHERE id = $1 FOR UPDATE", &[&user.0]).await?;
        let own = lease.rows("SELECT issuer, subject FROM upstream_links WHERE user_id = $1", &[&user.0]).await?;
        let own: Vec<(String, String)> = own.iter().map(|row| (row.get(0), row.get(1))).collect();
        let (going, staying): (Vec<_>, Vec<_>) =
            own.iter().partition(|(known, person)| known == issuer && person == subject);
        let has_password = account.first().is_some_and(|row| row.get::<_, &str>(0) != NO_PASSWORD);
        let outcome = if going.is_empty() {
            Unlinking::Unknown
        } else if keep.is_met(has_password, staying.iter().map(|(known, _)| known.as_str())) {
            Unlinking::Unlinked
        } else {
            Unlinking::LastWay
        };
        if outcome == Unlinking::Unlinked {
            let delete = "DELETE FROM upstream_links WHERE issuer = $1 AND subject = $2";
            lease.commit_with(delete, &[&issuer, &subject]).await?;
        } else {
            lease.rollback().await?;
        }
        Ok(outcome)
    }
}

fn values<'a>(
    link: &'a Link,
    maker: &'a &'static str,
    made_at: &'a i64,
    used_at: &'a Option<i64>,
) -> [&'a (dyn ToSql + Sync); 6] {
    [&link.user.0, &link.issuer, &link.subject, maker, made_at, used_at]
}

fn read(row: &Row) -> Result<Link, StoreError> {
    Ok(Link {
        user: UserId(row.get(0)),
        issuer: row.get(1),
        subject: row.get(2),
        maker: record::link_maker(row.get(3))?,
        made_at: from_column(row.get(4))?,
        used_at: row.get::<_, Option<i64>>(5).map(from_column).transpose()?,
    })
}
