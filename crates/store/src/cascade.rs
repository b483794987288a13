//! Which rows a removal has to see to, alike on both engines.

use std::collections::HashSet;
use std::sync::Arc;

use uuid::Uuid;
use valetkey_resources::model::{Api, Field, OnDelete, Resource};
use valetkey_resources::ports::{PAGE_BYTES, Removing, Stored};

/// One removal changes no more rows than this. Where more point at a row, they keep it: a removal that takes minutes would
/// hold up everyone else.
const MOST: usize = 1_000;
/// Rows that are to point at nothing are written anew. They have so many bytes at most.
const MOST_BYTES: usize = PAGE_BYTES;
/// Rows that go along have so many bytes at most: each page of a large one is set free by itself.
const MOST_GONE: usize = 8 * PAGE_BYTES;
/// So many of those that are written anew are read at once.
pub(crate) const AT_ONCE: usize = 16;

/// A field that points at rows of a resource.
#[derive(Clone, Copy)]
pub(crate) struct Reference<'a> {
    /// Whose field it is.
    pub resource: &'a Arc<Resource>,
    /// The field.
    pub field: &'a Field,
    /// What happens to a row whose target goes.
    pub on_delete: OnDelete,
}

/// The fields that point at rows of a resource, those that refuse first: little is done in vain.
pub(crate) fn references<'a>(api: &'a Api, of: &Resource) -> Vec<Reference<'a>> {
    let pointing = api.references_to(of);
    let mut found: Vec<_> = pointing
        .filter_map(|(resource, field)| {
            Some(Reference { resource, field, on_delete: field.references.as_ref()?.on_delete })
        })
        .collect();
    found.sort_by_key(|reference| reference.on_delete != OnDelete::Refuse);
    found
}

/// A removal on its way from rows to those that point at them. The engine removes what [`Fall::next`] says, tells what
/// pointed at it, and at the end looks whether the [`Fall::doubts`] went along.
pub(crate) struct Fall<'a> {
    going: Vec<(Arc<Resource>, Vec<Uuid>)>,
    doubts: Vec<(Reference<'a>, Vec<Uuid>)>,
    /// Everything that goes along.
    known: HashSet<(String, Uuid)>,
    cleared: Load,
    gone: Load,
}

/// How much was taken on so far.
#[derive(Default)]
struct Load {
    rows: usize,
    bytes: usize,
}

impl Load {
    /// Takes these on. One row has room however large it is.
    fn add(&mut self, sizes: impl Iterator<Item = usize>, most_bytes: usize) -> bool {
        for bytes in sizes {
            self.rows += 1;
            self.bytes += bytes;
        }
        self.rows <= 1 || self.bytes <= most_bytes
    }
}

/// A row that points at another.
pub(crate) struct Pointing {
    /// Its id.
    pub id: Uuid,
    /// How long its document is.
    pub bytes: usize,
}

impl<'a> Fall<'a> {
    /// Begins with one row.
    pub fn of(resource: Arc<Resource>, id: Uuid) -> Self {
        Self {
            known: HashSet::from([(resource.name.clone(), id)]),
            going: vec![(resource, vec![id])],
            doubts: Vec::new(),
            cleared: Load::default(),
            gone: Load::default(),
        }
    }

    /// The rows to remove now. They are gone before those that point at them are looked for: a circle ends where it began.
    pub fn next(&mut self) -> Option<(Arc<Resource>, Vec<Uuid>)> {
        self.going.pop()
    }

    /// How many rows are worth reading: one more than may still be changed, beside those that are about to go.
    pub fn most(&self) -> usize {
        let waiting: usize = self.going.iter().map(|(_, ids)| ids.len()).sum();
        MOST.saturating_sub(self.cleared.rows + self.gone.rows) + waiting + 1
    }

    /// Something points at these rows that refuses. It is in use, unless what points there may yet go along.
    pub fn refused(&mut self, by: Reference<'a>, ids: &[Uuid]) -> Result<(), Removing> {
        let mut others = by.resource.fields.iter().filter_map(|field| field.references.as_ref());
        if !others.any(|other| other.on_delete == OnDelete::Delete) {
            return Err(Removing::InUse(by.resource.name.clone()));
        }
        self.doubts.push((by, ids.to_vec()));
        Ok(())
    }

    /// These point at rows that went, and go along.
    pub fn takes_along(&mut self, by: Reference<'a>, mut rows: Vec<Pointing>) -> Result<(), Removing> {
        rows.retain(|row| self.known.insert((by.resource.name.clone(), row.id)));
        let has_room = self.gone.add(rows.iter().map(|row| row.bytes), MOST_GONE);
        self.check(by, has_room)?;
        if !rows.is_empty() {
            self.going.push((by.resource.clone(), rows.iter().map(|row| row.id).collect()));
        }
        Ok(())
    }

    /// These are to point at nothing, if there is room for so much work.
    pub fn clears(&mut self, by: Reference<'a>, rows: &[Stored]) -> Result<(), Removing> {
        let has_room = self.cleared.add(rows.iter().map(|row| row.document.len()), MOST_BYTES);
        self.check(by, has_room)
    }

    fn check(&self, by: Reference<'a>, has_room: bool) -> Result<(), Removing> {
        if has_room && self.cleared.rows + self.gone.rows <= MOST {
            return Ok(());
        }
        Err(Removing::TooMany { resource: by.resource.name.clone(), most: MOST })
    }

    /// Where something pointed that refuses, and may have gone along by another way.
    pub fn doubts(&self) -> &[(Reference<'a>, Vec<Uuid>)] {
        &self.doubts
    }
}
