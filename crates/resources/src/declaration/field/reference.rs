//! A field that points at a row: which resource, under which name, and what happens when the row goes.

use crate::declaration::names;
use crate::declaration::report::Report;
use crate::declaration::spot::Spot;
use crate::declaration::yaml::{Tree, short};
use crate::model::{OnDelete, Reference};

/// Reads `references: users`, or the same as a map.
pub(super) fn read(spot: &Spot<'_>, field: &str, resources: &[&str], report: &mut Report) -> Option<Reference> {
    let mut named = None;
    let mut on_delete = OnDelete::Refuse;
    let target = if matches!(spot.node.tree, Tree::Map(_)) {
        spot.keys("`references`", &["resource", "name", "on_delete"], report);
        named = spot.get("name").and_then(|name| read_name(&name, report));
        let word = spot.get("on_delete");
        match word.and_then(|word| word.word("word for `on_delete`", &["refuse", "delete", "clear"], report)) {
            Some("delete") => on_delete = OnDelete::Delete,
            Some("clear") => on_delete = OnDelete::Clear,
            _ => {}
        }
        let Some(resource) = spot.get("resource") else {
            spot.wrong_key("`references` has no `resource`. Name the one that this field points at.", None, report);
            return None;
        };
        resource
    } else {
        spot.clone()
    };
    let resource = target.word("resource of this API", resources, report)?.to_owned();
    let name = named.or_else(|| field.strip_suffix("_id").map(str::to_owned)).filter(|name| !name.is_empty());
    if name.is_none() && spot.get("name").is_none() {
        let message = format!(
            "`{}` does not end in `_id`, so it needs a name for `include=`: \
             `references: {{ resource: {resource}, name: … }}`.",
            short(field)
        );
        spot.wrong_key(message, None, report);
    }
    Some(Reference { resource, name: name?, on_delete })
}

fn read_name(spot: &Spot<'_>, report: &mut Report) -> Option<String> {
    let name = spot.text(report)?;
    if !names::is_name(name) {
        spot.wrong(format!("`{}` cannot be a name: it has small letters, digits and `_`.", short(name)), report);
        return None;
    }
    Some(name.to_owned())
}
