//! Which rows a removal has to see to, alike on both engines.

use std::sync::Arc;

use valetkey_resources::model::{Api, Field, OnDelete, Resource};

/// One removal changes no more rows than this. Where more point at a row, they keep it: a removal that takes minutes would
/// hold up everyone else.
pub(crate) const MOST: usize = 10_000;

/// The fields that point at rows of a resource, those that refuse first: nothing is done in vain.
pub(crate) fn references<'a>(api: &'a Api, of: &'a Resource) -> Vec<(&'a Arc<Resource>, &'a Field, OnDelete)> {
    let pointing = api.references_to(of);
    let mut found: Vec<_> = pointing
        .filter_map(|(resource, field)| Some((resource, field, field.references.as_ref()?.on_delete)))
        .collect();
    found.sort_by_key(|(_, _, on_delete)| *on_delete != OnDelete::Refuse);
    found
}
