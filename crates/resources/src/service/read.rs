//! One row, as it is.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};
use uuid::Uuid;
use valetkey_rest::Problem;

use super::access::missing;
use super::{Served, Speaker};
use crate::model::Operation;
use crate::ports::{Sight, Stored};
use crate::view::{Included, Row, Seen};

impl Speaker {
    /// One row that is there for the caller.
    pub async fn find(&self, served: &Served, id: Uuid, sight: &Sight) -> Result<Stored, Problem> {
        let found = self.service.ports.rows.find(&served.resource, id, sight).await?;
        found.ok_or_else(|| missing(&served.resource))
    }

    /// The rows that these rows point at, for each relation that was asked for. What the caller cannot see is left out.
    pub async fn include(&self, served: &Served, rows: &[Stored], names: &[String]) -> Result<Included, Problem> {
        let mut included = Included { seen: self.seen(served, rows).await?, ..Included::default() };
        for name in names {
            let Some((place, target)) = served.relation(name) else { continue };
            let Some(target) = self.service.served(&target.name) else { continue };
            self.permit(&target.resource, Operation::Read)?;
            let field = &served.resource.fields[place].name;
            let mut ids: Vec<Uuid> = rows.iter().filter_map(|row| pointed(row, field)).collect();
            ids.sort_unstable();
            ids.dedup();
            let sight = self.sight(&target.resource);
            let found = self.service.ports.rows.find_all(&target.resource, &ids, &sight).await?;
            let seen = self.seen(target, &found).await?;
            let texts = found.iter().map(|row| (row.id, Row::new(self, target).linking(&seen).text(row)));
            included.relations.push((name.clone(), field.clone(), texts.collect::<HashMap<_, _>>()));
        }
        Ok(included)
    }

    /// The same for a row that is about to change. What it points at meanwhile is not linked.
    pub(super) async fn seen_from(&self, served: &Served, id: Uuid, sight: &Sight) -> Result<Seen, Problem> {
        if served.relations.iter().all(|(_, target)| self.sight(target).owner.is_none()) {
            return Ok(Seen::None);
        }
        let row = self.service.ports.rows.find(&served.resource, id, sight).await?;
        self.seen(served, row.as_slice()).await
    }

    /// Which of the rows that these rows point at can be seen, where that is a question.
    pub async fn seen(&self, served: &Served, rows: &[Stored]) -> Result<Seen, Problem> {
        let mut seen = HashSet::new();
        for (place, target) in &served.relations {
            let sight = self.sight(target);
            if sight.owner.is_none() || !self.may(target, Operation::Read) {
                continue;
            }
            let field = &served.resource.fields[*place].name;
            let mut ids: Vec<Uuid> = rows.iter().filter_map(|row| pointed(row, field)).collect();
            ids.sort_unstable();
            ids.dedup();
            if !ids.is_empty() {
                let found = self.service.ports.rows.find_all(target, &ids, &sight).await?;
                seen.extend(found.into_iter().map(|row| row.id));
            }
        }
        Ok(Seen::These(seen))
    }
}

fn pointed(row: &Stored, field: &str) -> Option<Uuid> {
    let document: Map<String, Value> = serde_json::from_str(&row.document).ok()?;
    document.get(field)?.as_str()?.parse().ok()
}
