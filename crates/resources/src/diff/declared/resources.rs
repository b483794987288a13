//! Which resources came and went. One that went while another came with the same fields has a new name.

use std::collections::BTreeSet;

use super::{fields, lens, operations};
use crate::diff::finding::Finding;
use crate::diff::rule;
use crate::diff::surface::{ResourceSurface, Surface};

pub(super) fn compare(old: &Surface, new: &Surface, found: &mut Vec<Finding>) {
    let mut come: BTreeSet<&String> = new.resources.keys().filter(|name| !old.resources.contains_key(*name)).collect();
    for (name, before) in &old.resources {
        if let Some(after) = new.resources.get(name) {
            one(name, before, after, found);
            continue;
        }
        let same = come.iter().copied().find(|other| new.resources.get(*other).is_some_and(|it| is_alike(before, it)));
        match same.and_then(|other| new.resources.get_key_value(other)) {
            Some((other, after)) => {
                come.remove(other);
                let told =
                    format!("`/{name}` is gone, and `/{other}` has the same fields: it probably has a new name.");
                let lens = lens::rename(name, other);
                found.push(Finding::new(&rule::ENDPOINT_RENAMED, name, told).with_lens(lens));
                one(other, before, after, found);
            }
            None => {
                let told = format!("`/{name}` is gone, with all its operations.");
                let lens = lens::remove(name);
                found.push(Finding::new(&rule::ENDPOINT_REMOVED, name, told).with_lens(lens));
            }
        }
    }
    for name in come {
        found.push(Finding::new(&rule::ENDPOINT_ADDED, name, format!("There is a resource `/{name}`.")));
    }
}

/// Do they have the same fields, or nearly?
fn is_alike(before: &ResourceSurface, after: &ResourceSurface) -> bool {
    let same = before
        .fields
        .iter()
        .filter(|(name, field)| after.fields.get(*name).is_some_and(|other| other.schema == field.schema));
    let most = before.fields.len().max(after.fields.len());
    let same = same.count();
    // Four of five, and never by one field alone.
    same * 5 >= most * 4 && (same >= 2 || before == after)
}

fn one(name: &str, before: &ResourceSurface, after: &ResourceSurface, found: &mut Vec<Finding>) {
    parent(name, before, after, found);
    match (before.own, after.own) {
        (false, true) => {
            let told = "Users only see rows that were made in their name.";
            found.push(Finding::new(&rule::ROWS_HIDDEN, name, told));
        }
        (true, false) => {
            let told = "Users see all rows, not only those that were made in their name.";
            found.push(Finding::new(&rule::ROWS_SHOWN, name, told));
        }
        _ => {}
    }
    let replace = format!("{name}.operations.replace");
    match (before.put_creates, after.put_creates) {
        (true, false) => {
            let told = "A `PUT` to an unknown id answers 404, and makes no row any more.";
            found.push(Finding::new(&rule::PUT_CREATES_NO_MORE, replace, told));
        }
        (false, true) => {
            found.push(Finding::new(&rule::PUT_CREATES, replace, "A `PUT` to an unknown id makes a row."));
        }
        _ => {}
    }
    operations::compare(name, before, after, found);
    fields::compare(name, before, after, found);
}

fn parent(name: &str, before: &ResourceSurface, after: &ResourceSurface, found: &mut Vec<Finding>) {
    if before.parent == after.parent {
        return;
    }
    let path = |above: &str| format!("`/{above}/<id>/{name}`");
    match (&before.parent, &after.parent) {
        (Some((old, _)), Some((new, _))) if old == new => {
            let told = format!("{} lists rows by another field.", path(old));
            found.push(Finding::new(&rule::RELATION_CHANGED, name, told));
        }
        (before, after) => {
            if let Some((above, _)) = before {
                let told = format!("{} is gone, with what is below it.", path(above));
                found.push(Finding::new(&rule::ENDPOINT_REMOVED, name, told));
            }
            if let Some((above, _)) = after {
                found.push(Finding::new(&rule::ENDPOINT_ADDED, name, format!("There is {}.", path(above))));
            }
        }
    }
}
