//! Links to people at other providers, in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use uuid::Uuid;
use valetkey_oauth::model::{Link, SecretDigest, User, UserId};
use valetkey_oauth::ports::{Admission, Keep, LinkAddition, Links, StoreError, Unlinking, UserAddition};

use super::users::{self, execute};
use super::{Sqlite, store_error};
use crate::moment::{from_column, to_column};
use crate::record;

const COLUMNS: &str = "user_id, issuer, subject, maker, made_at, used_at";

#[async_trait]
impl Links for Sqlite {
    async fn link(&self, link: &Link) -> Result<LinkAddition, StoreError> {
        let link = link.clone();
        self.writer
            .run(move |connection| {
                if put(connection, &link)? {
                    return Ok(LinkAddition::Linked);
                }
                if find(connection, &link.issuer, &link.subject)?.is_some() {
                    return Ok(LinkAddition::SubjectTaken);
                }
                let others = of(connection, link.user)?;
                let is_linked = others.iter().any(|other| other.issuer == link.issuer);
                Ok(if is_linked { LinkAddition::AccountLinked } else { LinkAddition::AccountGone })
            })
            .await
    }

    async fn admit(&self, user: &User, link: &Link) -> Result<Admission, StoreError> {
        let (user, link) = (user.clone(), link.clone());
        self.writer
            .run(move |connection| {
                // One writer: what was looked up is so until the end.
                if find(connection, &link.issuer, &link.subject)?.is_some() {
                    return Ok(Admission::SubjectTaken);
                }
                match users::put(connection, &user)? {
                    UserAddition::NameTaken => Ok(Admission::NameTaken),
                    UserAddition::Added => put(connection, &link).map(|_| Admission::Admitted),
                }
            })
            .await
    }

    async fn find_link(&self, issuer: &str, subject: &str) -> Result<Option<Link>, StoreError> {
        self.readers.read(|connection| find(connection, issuer, subject))
    }

    async fn links_of(&self, user: UserId) -> Result<Vec<Link>, StoreError> {
        self.readers.read(|connection| of(connection, user))
    }

    async fn note_link_used(&self, link: &Link, at: Timestamp, renewed: Option<&User>) -> Result<(), StoreError> {
        let (link, renewed) = (link.clone(), renewed.cloned());
        self.writer
            .run(move |connection| {
                let update = "UPDATE upstream_links SET used_at = max(coalesce(used_at, ?3), ?3) \
                              WHERE issuer = ?1 AND subject = ?2";
                execute(connection, update, params![link.issuer, link.subject, to_column(at)])?;
                if let Some(user) = &renewed {
                    let update = "UPDATE users SET email = ?2, name = ?3, profile = ?4 WHERE id = ?1";
                    let row = params![user.id.0, user.email, user.name, record::profile_column(user)];
                    execute(connection, update, row)?;
                }
                Ok(())
            })
            .await
    }

    async fn unlink(&self, user: UserId, issuer: &str, subject: &str, keep: &Keep) -> Result<Unlinking, StoreError> {
        let (issuer, subject, keep) = (issuer.to_owned(), subject.to_owned(), keep.clone());
        self.writer
            .run(move |connection| {
                let own = of(connection, user)?;
                let (going, staying): (Vec<_>, Vec<_>) =
                    own.iter().partition(|link| link.issuer == issuer && link.subject == subject);
                if going.is_empty() {
                    return Ok(Unlinking::Unknown);
                }
                let has_password = !users::has_password(connection, user, valetkey_oauth::model::NO_PASSWORD)?;
                if !keep.is_met(has_password, staying.iter().map(|link| link.issuer.as_str())) {
                    return Ok(Unlinking::LastWay);
                }
                let delete = "DELETE FROM upstream_links WHERE issuer = ?1 AND subject = ?2";
                execute(connection, delete, params![issuer, subject])?;
                Ok(Unlinking::Unlinked)
            })
            .await
    }

    async fn spend(&self, answer: &SecretDigest, until: Timestamp, now: Timestamp) -> Result<bool, StoreError> {
        let (answer, until, now) = (*answer, to_column(until), to_column(now));
        self.writer
            .run(move |connection| {
                let delete = "DELETE FROM upstream_answers WHERE digest IN \
                              (SELECT digest FROM upstream_answers WHERE expires_at <= ?1 ORDER BY expires_at LIMIT 100)";
                execute(connection, delete, [now])?;
                let insert = "INSERT INTO upstream_answers (digest, expires_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
                Ok(execute(connection, insert, params![answer.as_bytes(), until])? == 1)
            })
            .await
    }
}

/// Adds a link of an account that is there, unless something stands in the way.
fn put(connection: &Connection, link: &Link) -> Result<bool, StoreError> {
    let insert = format!(
        "INSERT INTO upstream_links ({COLUMNS}) SELECT id, ?2, ?3, ?4, ?5, ?6 FROM users WHERE id = ?1 \
         ON CONFLICT DO NOTHING"
    );
    let row = params![
        link.user.0,
        link.issuer,
        link.subject,
        link.maker.as_str(),
        to_column(link.made_at),
        link.used_at.map(to_column)
    ];
    Ok(execute(connection, &insert, row)? == 1)
}

fn find(connection: &Connection, issuer: &str, subject: &str) -> Result<Option<Link>, StoreError> {
    let select = format!("SELECT {COLUMNS} FROM upstream_links WHERE issuer = ?1 AND subject = ?2");
    connection
        .prepare_cached(&select)
        .and_then(|mut statement| statement.query_row([issuer, subject], |row| Ok(link(row))).optional())
        .map_err(store_error)?
        .transpose()
}

fn of(connection: &Connection, user: UserId) -> Result<Vec<Link>, StoreError> {
    let select = format!("SELECT {COLUMNS} FROM upstream_links WHERE user_id = ?1 ORDER BY issuer");
    let mut statement = connection.prepare_cached(&select).map_err(store_error)?;
    let rows = statement.query_map([user.0], |row| Ok(link(row))).map_err(store_error)?;
    rows.map(|row| row.map_err(store_error)?).collect()
}

fn link(row: &Row<'_>) -> Result<Link, StoreError> {
    Ok(Link {
        user: UserId(row.get::<_, Uuid>(0).map_err(store_error)?),
        issuer: row.get(1).map_err(store_error)?,
        subject: row.get(2).map_err(store_error)?,
        maker: record::link_maker(&row.get::<_, String>(3).map_err(store_error)?)?,
        made_at: from_column(row.get(4).map_err(store_error)?)?,
        used_at: row.get::<_, Option<i64>>(5).map_err(store_error)?.map(from_column).transpose()?,
    })
}
