//! Rows that were stored as an older version has them, on their way to the newest. Pure; the engines read and write.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::lens::{self, Lens};
use valetkey_resources::model::{Api, Resource};

use super::{Catalogue, Shape};

/// The ways from older versions to the newest.
#[derive(Debug)]
pub(crate) struct Passages {
    newest: u32,
    /// By version and stored name: the name it had, and how it was seen.
    ways: BTreeMap<(u32, String), (String, Lens)>,
    /// By version and the name that was seen: the names of its fields.
    fields: BTreeMap<(u32, String), Vec<String>>,
    /// Every version that is declared.
    numbers: Vec<u32>,
}

/// What has to be done to the rows of one resource before its table is changed.
#[derive(Debug)]
pub(crate) struct Passage {
    /// The name that its table had, where that was another.
    pub(crate) former: Option<String>,
    /// How its documents are rewritten; none if they stay.
    pub(crate) lens: Option<Lens>,
}

impl Passages {
    /// Those of a declaration. One that does not hold has none.
    pub(crate) fn of(api: &Api) -> Self {
        let newest = api.versions.last().map_or(1, |newest| newest.number);
        let (mut ways, mut fields) = (BTreeMap::new(), BTreeMap::new());
        for face in lens::faces(api).unwrap_or_default() {
            for (seen, (stored, lens)) in face.api.resources.iter().zip(face.lenses) {
                let names = seen.fields.iter().map(|field| field.name.clone()).collect();
                fields.insert((face.version.number, seen.name.clone()), names);
                ways.insert((face.version.number, stored), (seen.name.clone(), lens));
            }
        }
        let numbers = api.versions.iter().map(|version| version.number).collect();
        Self { newest, ways, fields, numbers }
    }

    /// The version that rows are stored as.
    pub(crate) fn newest(&self) -> u32 {
        self.newest
    }

    /// What was applied of a resource, under whichever name, and what its rows have to go through.
    pub(crate) fn find(&self, catalogue: &Catalogue, of: &Resource) -> (Option<Shape>, Passage) {
        let none = Passage { former: None, lens: None };
        let stored_as = |name: &str| catalogue.get(name).and_then(|shape| self.version_of(name, shape));
        // A name may have been another resource's: the version that rows are stored as says whose they are.
        for ((was, stored), (name, lens)) in self.ways.iter().rev() {
            if *stored != of.name || stored_as(name) != Some(*was) {
                continue;
            }
            let Some(shape) = catalogue.get(name) else { continue };
            let former = Some(name.clone()).filter(|name| *name != of.name);
            let lens = Some(lens.clone()).filter(|lens| !lens.is_clear() && *was != self.newest);
            let shape = match (&lens, &former) {
                (Some(_), _) => shape.stale(),
                // Its indexes had the old name, and are made again.
                (None, Some(_)) => shape.bare(),
                (None, None) => shape.clone(),
            };
            return (Some(shape), Passage { former, lens });
        }
        let is_anothers = self
            .ways
            .iter()
            .any(|((was, stored), (name, _))| *name == of.name && *stored != of.name && stored_as(name) == Some(*was));
        (catalogue.get(&of.name).filter(|_| !is_anothers).cloned(), none)
    }

    /// The version that rows are stored as. Before that was written down, there was nothing but the newest, unless the
    /// fields are those of an older one.
    fn version_of(&self, name: &str, shape: &Shape) -> Option<u32> {
        shape.version.or_else(|| {
            let is_like = |number: u32| {
                let fields = self.fields.get(&(number, name.to_owned()));
                fields.is_some_and(|fields| shape.fields.iter().map(|known| &known.name).eq(fields))
            };
            let numbers: Vec<u32> = self.fields.keys().map(|(number, _)| *number).rev().collect();
            numbers.into_iter().find(|number| is_like(*number))
        })
    }

    /// The version that rows of a resource are stored as, if that is not declared: nobody here knows how to read them.
    pub(crate) fn foreign(&self, catalogue: &Catalogue, of: &Resource) -> Option<u32> {
        catalogue.get(&of.name)?.version.filter(|version| !self.numbers.contains(version))
    }
}

/// In an order in which no table is renamed to a name that another still has.
pub(crate) fn in_order(
    mut passages: Vec<(Arc<Resource>, Passage)>,
) -> Result<Vec<(Arc<Resource>, Passage)>, StoreError> {
    let mut ordered = Vec::new();
    while !passages.is_empty() {
        let is_free = |place: &usize| {
            let name = &passages[*place].0.name;
            let others = passages.iter().enumerate().filter(|(other, _)| other != place);
            others.into_iter().all(|(_, (_, passage))| passage.former.as_ref() != Some(name))
        };
        let Some(next) = (0..passages.len()).find(is_free) else {
            let told = "resources exchange their names, which cannot be done at once. Ship a version in between";
            return Err(StoreError::Failed(told.to_owned()));
        };
        ordered.push(passages.remove(next));
    }
    Ok(ordered)
}

impl Passage {
    /// Is there anything to do?
    pub(crate) fn is_needed(&self) -> bool {
        self.former.is_some() || self.lens.is_some()
    }

    /// A document on the other side, and the fields that did not get there.
    pub(crate) fn take(&self, of: &Resource, document: Map<String, Value>) -> (Map<String, Value>, Vec<String>) {
        match &self.lens {
            Some(lens) => lens.raise(of, document),
            None => (document, Vec::new()),
        }
    }
}
