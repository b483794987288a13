//! One row, as it is.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;
use valetkey_rest::Problem;

use super::access::missing;
use super::{Relation, Served, Speaker};
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
        let named: Vec<&str> = names.iter().filter_map(|name| Some(&*served.relation(name)?.stored)).collect();
        let is_wanted = |relation: &Relation| named.contains(&&*relation.stored) || self.asks_of(relation);
        let pointers = Pointers::of(served, rows, is_wanted);
        let mut included = Included { seen: self.seen_of(served, &pointers).await?, ..Included::default() };
        let mut sizes: Vec<usize> = rows.iter().map(|row| row.document.len()).collect();
        let mut room = rows.len();
        for name in names {
            let Some(relation) = served.relation(name) else { continue };
            let Some(target) = self.edition.seen(&relation.target.name) else { continue };
            self.permit(&target.resource, Operation::Read)?;
            let field = &relation.stored;
            let pointers = pointers.by(field);
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
            for (size, id) in sizes.iter_mut().zip(pointers) {
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
        self.seen_of(served, &Pointers::of(served, rows, |relation| self.asks_of(relation))).await
    }

    async fn seen_of(&self, served: &Served, pointers: &Pointers<'_>) -> Result<Seen, Problem> {
        let mut seen = HashSet::new();
        for relation in served.relations.iter().filter(|relation| self.asks_of(relation)) {
            let Some(owner) = self.sight(&relation.target).owner else { continue };
            let Some(target) = self.edition.seen(&relation.target.name) else { continue };
            let mut ids: Vec<Uuid> = pointers.by(&relation.stored).iter().flatten().copied().collect();
            ids.sort_unstable();
            ids.dedup();
            if !ids.is_empty() {
                seen.extend(self.service.ports.rows.owned(&target.resource, &ids, &owner).await?);
            }
        }
        Ok(Seen::These(seen))
    }

    /// Is it a question which rows behind a relation the caller sees?
    fn asks_of(&self, relation: &Relation) -> bool {
        let target = &relation.target;
        self.sight(target).owner.is_some()
            && self.may(target, Operation::Read)
            && self.edition.seen(&target.name).is_some()
    }
}

/// What rows point at. Each is taken apart once for all relations.
struct Pointers<'a>(Vec<(&'a str, Vec<Option<Uuid>>)>);

impl<'a> Pointers<'a> {
    fn of(served: &'a Served, rows: &[&Shown], is_wanted: impl Fn(&Relation) -> bool) -> Self {
        let wanted = served.relations.iter().filter(|relation| is_wanted(relation));
        let mut found: Vec<_> =
            wanted.map(|relation| (relation.stored.as_str(), Vec::with_capacity(rows.len()))).collect();
        if !found.is_empty() {
            for row in rows {
                let fields = Fields::read(&row.document);
                found.iter_mut().for_each(|(field, ids)| ids.push(fields.id(field)));
            }
        }
        Self(found)
    }

    /// By one field, in the order of the rows.
    fn by(&self, field: &str) -> &[Option<Uuid>] {
        self.0.iter().find(|(known, _)| *known == field).map_or(&[], |(_, ids)| ids)
    }
}
