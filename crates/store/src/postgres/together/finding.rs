//! Single rows of declared resources: those that are looked for at the same moment share a statement.

use std::sync::Arc;

use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::Stored;

use super::arrays;
use super::known::Known;
use crate::postgres::Postgres;
use crate::postgres::bound::stored;
use crate::postgres::connection::{Bounds, Connections, Gathering};

/// How many rows at once.
const BOUNDS: Bounds = Bounds { ways: 2, most: 64, commits: false };

pub(in crate::postgres) type Found = Result<Option<Stored>, StoreError>;

/// Looks for rows of one resource, by their ids.
pub(in crate::postgres) type Finder = Gathering<Uuid, Found>;

/// One for each resource: none waits for the table of another.
pub(in crate::postgres) type Finders = Known<Finder>;

impl Postgres {
    /// The row with an id.
    pub(in crate::postgres) async fn find_together(&self, of: &Resource, id: Uuid) -> Found {
        let statements = self.statements.of(of);
        self.finders.of(&statements.find, || finder(&self.connections, &statements.find)).ask(id).await.flatten()
    }
}

fn finder(connections: &Connections, find: &str) -> Finder {
    // The array hides in a subquery: PostgreSQL would plan anew for each length that it sees.
    let select: Arc<str> = find.replacen("= $1", "= ANY ((SELECT $1::uuid[])::uuid[])", 1).into();
    let connections = connections.clone();
    Gathering::new(BOUNDS, move |ids: Vec<Uuid>| {
        let (connections, select) = (connections.clone(), select.clone());
        async move { find_each(&connections, &select, &ids).await }
    })
}

async fn find_each(connections: &Connections, select: &str, ids: &[Uuid]) -> Result<Vec<Found>, StoreError> {
    let rows = connections.read(select, &[&ids]).await?;
    let rows = arrays::by_id(&rows)?;
    Ok(ids.iter().map(|id| rows.get(id).map(|row| stored(row)).transpose()).collect())
}
