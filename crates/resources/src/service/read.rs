//! One row, as it is.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;
use valetkey_rest::Problem;

use super::access::missing;
use super::{Served, Speaker};
use crate::model::Operation;
use crate::ports::{PAGE_BYTES, Shown, Sight, Stored};
use crate::view::{Fields, Included, Row, Seen};

impl Speaker {
    /// One row that is there for the caller.
    pub async fn find(&self, served: &Served, id: Uuid, sight: &Sight) -> Result<Stored, Problem> {
        let found = self.service.ports.rows.find(&served.resource, id, sight).await?;
        found.ok_or_else(|| missing(&served.face))
    }

    /// The rows that these rows point at, for each relation that was asked for. What the caller cannot see is left out.
    pub async fn include(&self, served: &Served, rows: &[Stored], names: &[String]) -> Result<Included, Problem> {
        let rows: Vec<&Shown> = rows.iter().map(|row| &row.shown).collect();
        Ok(self.include_in_order(served, &rows, names).await?.0)
    }

    /// The same, and how many of these rows one answer has room for with what comes along: at least one.
    pub(super) async fn include_in_order(
        &self,
        served: &Served,
        rows: &[&Shown],
        names: &[String],
    ) -> Result<(Included, usize), Problem> {
        let mut included = Included { seen: self.seen(served, rows).await?, ..Included::default() };
        let mut sizes: Vec<usize> = rows.iter().map(|row| row.document.len()).collect();
        let mut room = rows.len();
        for name in names {
            let Some(relation) = served.relation(name) else { continue };
            let Some(target) = self.edition.seen(&relation.target.name) else { continue };
            self.permit(&target.resource, Operation::Read)?;
            let field = &relation.stored;
            let pointers: Vec<Option<Uuid>> = rows.iter().map(|row| pointed(row, field)).collect();
            let mut asked = HashSet::new();
            let ids: Vec<Uuid> = pointers.iter().flatten().copied().filter(|id| asked.insert(*id)).collect();
            let sight = self.sight(&target.resource);
            let found = self.service.ports.rows.find_all(&target.resource, &ids, &sight).await?;
            if !found.is_all {
                // What comes after the last one was not looked for.
                let last = found.rows.last().and_then(|row| ids.iter().position(|id| *id == row.id));
                let unknown: HashSet<Uuid> = ids[last.map_or(0, |last| last + 1)..].iter().copied().collect();
                let first = pointers.iter().position(|id| id.is_some_and(|id| unknown.contains(&id)));
                room = room.min(first.unwrap_or(room));
            }
            let there: Vec<&Shown> = found.rows.iter().map(|row| &row.shown).collect();
            let seen = self.seen(target, &there).await?;
            let written = Row::new(self, target).linking(&seen);
            let texts = found.rows.iter().map(|row| (row.id, written.text(row)));
            let texts: HashMap<Uuid, String> = texts.collect();
            for (size, id) in sizes.iter_mut().zip(&pointers) {
                *size += id.and_then(|id| texts.get(&id)).map_or(0, String::len);
            }
            included.relations.push((name.clone(), field.clone(), texts));
        }
        let mut bytes = 0;
        let fits = sizes.iter().take_while(|size| {
            bytes += **size;
            bytes <= PAGE_BYTES
        });
        Ok((included, room.min(fits.count()).max(1).min(rows.len())))
    }

    /// The same for a row that is about to change. What it points at meanwhile is not linked.
    pub(super) async fn seen_from(&self, served: &Served, id: Uuid, sight: &Sight) -> Result<Seen, Problem> {
        if served.relations.iter().all(|relation| self.sight(&relation.target).owner.is_none()) {
            return Ok(Seen::None);
        }
        let row = self.service.ports.rows.find(&served.resource, id, sight).await?;
        self.seen(served, &row.iter().map(|row| &row.shown).collect::<Vec<_>>()).await
    }

    /// Which of the rows that these rows point at can be seen, where that is a question.
    pub async fn seen(&self, served: &Served, rows: &[&Shown]) -> Result<Seen, Problem> {
        let mut seen = HashSet::new();
        for relation in &served.relations {
            let Some(owner) = self.sight(&relation.target).owner else { continue };
            if !self.may(&relation.target, Operation::Read) || self.edition.seen(&relation.target.name).is_none() {
                continue;
            }
            let mut ids: Vec<Uuid> = rows.iter().filter_map(|row| pointed(row, &relation.stored)).collect();
            ids.sort_unstable();
            ids.dedup();
            if !ids.is_empty() {
                seen.extend(self.service.ports.rows.owned(&relation.target, &ids, &owner).await?);
            }
        }
        Ok(Seen::These(seen))
    }
}

fn pointed(row: &Shown, field: &str) -> Option<Uuid> {
    Fields::read(&row.document).id(field)
}
