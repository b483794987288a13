//! Sessions that begin at the same moment share a statement and its commit. What is not as usual is left for
//! [`sessions`](crate::postgres::sessions) to look at, one at a time.

use std::collections::HashSet;

use tokio_postgres::types::ToSql;
use valetkey_oauth::model::Session;
use valetkey_oauth::ports::{Grounds, StoreError};

use super::{arrays, in_doubt};
use crate::postgres::connection::{Bounds, Connections, Gathering};
use crate::postgres::sessions::{COLUMNS, NewSession};

/// How many sessions at once.
const BOUNDS: Bounds = Bounds { ways: 2, most: 128, commits: true };

/// A session that is to begin.
pub(in crate::postgres) struct Start {
    pub(in crate::postgres) session: Session,
    pub(in crate::postgres) grounds: Grounds,
}

/// Has it begun? If not, it did not begin in this way, and nothing happened.
type Begun = Result<bool, StoreError>;

/// Beginnings under way.
pub(in crate::postgres) type Openings = Gathering<Start, Begun>;

/// Where they take place.
pub(in crate::postgres) fn openings(connections: &Connections) -> Openings {
    let connections = connections.clone();
    Gathering::new(BOUNDS, move |starts: Vec<Start>| {
        let connections = connections.clone();
        async move { open(&connections, &starts).await }
    })
}

/// Begins those whose grounds are there, and in nobody else's hands. Ids are taken in their order, so that two nodes cannot
/// wait for each other.
async fn open(connections: &Connections, starts: &[Start]) -> Result<Vec<Begun>, StoreError> {
    let insert = format!(
        "WITH asked AS (SELECT * FROM {}), \
         consent AS (SELECT v1 FROM asked JOIN consents ON subject = v3 AND client_id = v2 \
             WHERE v17 AND string_to_array(v4, ' ') <@ string_to_array(scope, ' ') FOR SHARE OF consents SKIP LOCKED), \
         seat AS (SELECT v1 FROM asked JOIN sign_ins ON id = v14 WHERE v18 FOR SHARE OF sign_ins SKIP LOCKED) \
         INSERT INTO sessions ({COLUMNS}) \
         SELECT v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, NULL, v13, v14, v15, v16 FROM asked \
         WHERE (NOT v17 OR v1 IN (SELECT v1 FROM consent)) AND (NOT v18 OR v1 IN (SELECT v1 FROM seat)) \
         ORDER BY v1 ON CONFLICT (id) DO NOTHING RETURNING id",
        arrays::asked(&[&NewSession::KINDS[..], &["boolean", "boolean"]].concat())
    );
    // Of those with one id, the first; the others find what it leaves.
    let mut seen = HashSet::with_capacity(starts.len());
    let is_first: Vec<bool> = starts.iter().map(|start| seen.insert(start.session.id.0)).collect();
    let going: Vec<&Start> =
        starts.iter().zip(&is_first).filter(|(_, first)| **first).map(|(start, _)| start).collect();
    let sessions: Vec<_> = going.iter().map(|start| NewSession::from(&start.session)).collect();
    let rows = sessions.iter().zip(&going).map(|(session, Start { grounds, .. })| {
        session.values().into_iter().chain([&grounds.consent as &(dyn ToSql + Sync), &grounds.sign_in])
    });
    let columns = arrays::turned(rows);
    let values: Vec<_> = columns.iter().map(|column| column as &(dyn ToSql + Sync)).collect();
    let opened = match connections.write_together(&insert, &values).await {
        Ok(opened) => opened.unwrap_or_default(),
        Err(error) => return Ok(in_doubt(&is_first, &error, &false)),
    };
    let opened = arrays::by_id(&opened)?;
    let has_begun = |(start, first): (&Start, bool)| first && opened.contains_key(&start.session.id.0);
    Ok(starts.iter().zip(is_first).map(has_begun).map(Ok).collect())
}
