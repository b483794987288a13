//! One row, as it is.

use std::collections::HashMap;

use serde_json::{Map, Value};
use uuid::Uuid;
use valetkey_rest::Problem;

use super::access::missing;
use super::{Served, Speaker};
use crate::model::Operation;
use crate::ports::{Sight, Stored};
use crate::view::{Included, Row};

impl Speaker {
    /// One row that is there for the caller.
    pub async fn find(&self, served: &Served, id: Uuid, sight: &Sight) -> Result<Stored, Problem> {
        let found = self.service.ports.rows.find(&served.resource, id, sight).await?;
        found.ok_or_else(|| missing(&served.face))
    }

    /// The rows that these rows point at, for each relation that was asked for. What the caller cannot see is left out.
    pub async fn include(&self, served: &Served, rows: &[Stored], names: &[String]) -> Result<Included, Problem> {
        let mut included = Included::default();
        for name in names {
            let Some(relation) = served.relation(name) else { continue };
            let Some(target) = self.edition.seen(&relation.target.name) else { continue };
            self.permit(&target.resource, Operation::Read)?;
            let field = &relation.stored;
            let mut ids: Vec<Uuid> = rows.iter().filter_map(|row| pointed(row, field)).collect();
            ids.sort_unstable();
            ids.dedup();
            let sight = self.sight(&target.resource);
            let found = self.service.ports.rows.find_all(&target.resource, &ids, &sight).await?;
            let texts = found.iter().map(|row| (row.id, Row::new(self, target).text(row)));
            included.relations.push((name.clone(), field.clone(), texts.collect::<HashMap<_, _>>()));
        }
        Ok(included)
    }
}

fn pointed(row: &Stored, field: &str) -> Option<Uuid> {
    let document: Map<String, Value> = serde_json::from_str(&row.document).ok()?;
    document.get(field)?.as_str()?.parse().ok()
}
