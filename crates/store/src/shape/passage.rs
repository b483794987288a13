//! Rows that were stored as an older version has them, on their way to the newest. Pure; the engines read and write.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use valetkey_resources::lens::{self, Lens};
use valetkey_resources::model::{Api, Resource};

use super::{Catalogue, Shape};

/// The ways from older versions to the newest.
#[derive(Debug)]
pub(crate) struct Passages {
    newest: u32,
    /// By version and stored name: the name it had, and how it was seen.
    ways: BTreeMap<(u32, String), (String, Lens)>,
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
        let mut ways = BTreeMap::new();
        for face in lens::faces(api).unwrap_or_default() {
            for (seen, (stored, lens)) in face.api.resources.iter().zip(face.lenses) {
                ways.insert((face.version.number, stored), (seen.name.clone(), lens));
            }
        }
        Self { newest, ways }
    }

    /// The version that rows are stored as.
    pub(crate) fn newest(&self) -> u32 {
        self.newest
    }

    /// What was applied of a resource, under whichever name, and what its rows have to go through.
    pub(crate) fn find(&self, catalogue: &Catalogue, of: &Resource) -> (Option<Shape>, Passage) {
        let under = |name: &str| catalogue.get(name).filter(|shape| shape.version.is_some_and(|was| was < self.newest));
        if let Some(shape) = catalogue.get(&of.name) {
            let way = under(&of.name).and_then(|shape| self.ways.get(&(shape.version?, of.name.clone())));
            let way = way.filter(|(name, _)| *name == of.name);
            let lens = way.map(|(_, lens)| lens.clone()).filter(|lens| !lens.is_clear());
            let shape = if lens.is_some() { shape.stale() } else { shape.clone() };
            return (Some(shape), Passage { former: None, lens });
        }
        let former =
            self.ways.iter().filter(|((_, stored), _)| *stored == of.name).find_map(|((was, _), (name, lens))| {
                let shape = under(name).filter(|shape| shape.version == Some(*was))?;
                Some((name, lens, shape))
            });
        match former {
            None => (None, Passage { former: None, lens: None }),
            Some((name, lens, shape)) => {
                let lens = Some(lens.clone()).filter(|lens| !lens.is_clear());
                // Its indexes had the old name, and are made again.
                let shape = if lens.is_some() { shape.stale() } else { shape.bare() };
                (Some(shape), Passage { former: Some(name.clone()), lens })
            }
        }
    }
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
