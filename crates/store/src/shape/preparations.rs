//! What is still being prepared, in the memory of a server: which requests have to wait for it, and what rows look like
//! that have not had their turn. Knows no engine.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Api, Resource};
use valetkey_resources::ports::{By, ListPlan, Listing, Rows, Sight, StoreError as Told, Stored};

use super::{Catalogue, Rewrite, Work};

/// Whoever waits is not told to wait longer than this, in seconds.
const LONGEST: u64 = 60;

/// Everything that is being prepared.
#[derive(Debug, Default)]
pub(crate) struct Preparations {
    /// Is there anything? Asked by each request.
    any: AtomicBool,
    resources: RwLock<HashMap<String, Arc<Preparation>>>,
}

#[derive(Debug)]
struct Preparation {
    work: Work,
    /// When it was first heard of, and how many rows were seen by then.
    begun: (Instant, u64),
}

impl Preparations {
    /// Takes over what the catalogue says about these resources. Answers whether all of it is done.
    pub(crate) fn learn(&self, api: &Api, catalogue: &Catalogue) -> bool {
        for resource in &api.resources {
            let work = catalogue.get(&resource.name).and_then(|shape| shape.work.as_ref());
            self.note(&resource.name, work);
        }
        !self.any.load(Ordering::Relaxed)
    }

    /// This is left to do in a resource; none: all is done.
    pub(crate) fn note(&self, resource: &str, work: Option<&Work>) {
        let mut resources = self.resources.write().unwrap_or_else(PoisonError::into_inner);
        match work {
            Some(work) => {
                let known = resources.get(resource).map(|known| known.begun);
                let begun = known.unwrap_or_else(|| (Instant::now(), work.seen));
                resources.insert(resource.to_owned(), Arc::new(Preparation { work: work.clone(), begun }));
            }
            None => {
                resources.remove(resource);
            }
        }
        self.any.store(!resources.is_empty(), Ordering::Release);
    }

    fn of(&self, resource: &str) -> Option<Arc<Preparation>> {
        if !self.any.load(Ordering::Acquire) {
            return None;
        }
        self.resources.read().unwrap_or_else(PoisonError::into_inner).get(resource).cloned()
    }

    /// Is there nothing left to do in a resource, so that all columns follow the documents?
    pub(crate) fn is_done(&self, of: &Resource) -> bool {
        self.of(&of.name).is_none()
    }

    /// Can this list be read already?
    pub(crate) fn allow_list(&self, of: &Resource, sight: &Sight, plan: &ListPlan) -> Result<(), Told> {
        let Some(preparation) = self.of(&of.name) else { return Ok(()) };
        let closed = &preparation.work.closed;
        let named = plan.conditions.iter().map(|condition| condition.by).chain(plan.order.iter().map(|order| order.by));
        let places = named.filter_map(|by| match by {
            By::Column(place) => Some(place),
            By::Id | By::Relevance => None,
        });
        let mut fields = places.chain(sight.under.map(|(place, _)| place)).filter_map(|place| of.columns().get(place));
        if let Some(column) = fields.find(|column| closed.fields.contains(&column.field)) {
            return Err(preparation.told(format!("{}.{}", of.name, column.field)));
        }
        if closed.search && !plan.search.is_empty() {
            return Err(preparation.told(format!("the search in {}", of.name)));
        }
        if closed.owner && sight.owner.is_some() {
            return Err(preparation.told(format!("who owns which of {}", of.name)));
        }
        Ok(())
    }

    /// Is it known already which rows point at rows of this resource, and at those that go along?
    pub(crate) fn allow_removal(&self, api: &Api, of: &Resource) -> Result<(), Told> {
        if !self.any.load(Ordering::Acquire) {
            return Ok(());
        }
        let mut met = vec![of.name.as_str()];
        let mut place = 0;
        while let Some(target) = met.get(place).and_then(|name| api.resource(name)) {
            place += 1;
            for (pointing, field) in api.references_to(target) {
                if let Some(preparation) = self.of(&pointing.name)
                    && preparation.work.closed.fields.contains(&field.name)
                {
                    return Err(preparation.told(format!("{}.{}", pointing.name, field.name)));
                }
                if !met.contains(&pointing.name.as_str()) {
                    met.push(&pointing.name);
                }
            }
        }
        Ok(())
    }

    /// A row as it will be when it has had its turn.
    pub(crate) fn complete(&self, of: &Resource, row: Stored) -> Result<Stored, StoreError> {
        match self.of(&of.name) {
            Some(preparation) if preparation.work.changes_documents() => {
                Rewrite::new(of, &preparation.work).complete(row)
            }
            Some(_) | None => Ok(row),
        }
    }

    /// Are there rows that will look different when they have had their turn?
    pub(crate) fn changes_rows(&self, of: &Resource) -> bool {
        self.of(&of.name).is_some_and(|preparation| preparation.work.changes_documents())
    }
}

/// A list with each row as it will be. For that they are read again, whole: what a new field begins with may be known only of
/// such. One that goes meanwhile is left out, and one that changes is shown as it is now.
pub(crate) async fn complete_all(
    store: &dyn Rows,
    of: &Resource,
    sight: &Sight,
    listing: Listing,
) -> Result<Listing, Told> {
    let Listing::Rows { rows, more, ends } = listing else { return Ok(listing) };
    let mut ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut whole = Vec::with_capacity(ids.len());
    // Of large rows, not all come at once.
    while !ids.is_empty() {
        let found = store.find_all(of, &ids, sight).await?;
        let last = found.rows.last().and_then(|row| ids.iter().position(|id| *id == row.id));
        whole.extend(found.rows.into_iter().map(|row| row.shown));
        match last {
            Some(last) if !found.is_all => drop(ids.drain(..=last)),
            _ => break,
        }
    }
    Ok(Listing::Rows { rows: whole, more, ends })
}

impl Preparation {
    fn told(&self, what: String) -> Told {
        let Work { seen, rows, .. } = self.work;
        let percent = seen.saturating_mul(100).checked_div(rows).unwrap_or(100).min(99);
        let (since, first) = self.begun;
        let pace = u64::try_from(since.elapsed().as_millis()).ok().and_then(|spent| {
            let left = rows.saturating_sub(seen);
            left.saturating_mul(spent).checked_div((seen - first.min(seen)).saturating_mul(1_000))
        });
        let seconds = pace.unwrap_or(5).clamp(1, LONGEST);
        Told::Preparing { what, percent: u8::try_from(percent).unwrap_or(99), seconds }
    }
}
