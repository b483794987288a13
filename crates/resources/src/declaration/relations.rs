//! What can only be said once every resource is read: names that meet in one place, and deletions that go on.

#[cfg(test)]
mod tests;

use std::borrow::Borrow;
use std::collections::HashSet;

use super::report::Report;
use super::spot::{Spot, listed};
use crate::model::{OnDelete, Resource};

/// Tells what resources do to each other. `spot` is where they are declared.
pub(super) fn check(spot: &Spot<'_>, resources: &[Resource], report: &mut Report) {
    for resource in resources {
        check_paths(spot, resource, resources, report);
        check_links(spot, resource, resources, report);
        check_clearing(spot, resource, report);
    }
    check_cascades(spot, resources, report);
}

/// `/users/<id>/orders` is either a list or an action.
fn check_paths(spot: &Spot<'_>, resource: &Resource, resources: &[Resource], report: &mut Report) {
    for action in &resource.actions {
        if is_list(resource, &action.name, resources) {
            let message = format!(
                "`{0}` stands under `{1}`, so `/{1}/<id>/{0}` is a list already. Choose another name for the action.",
                action.name, resource.name
            );
            spot.find(&[&resource.name, "actions", &action.name]).wrong_key(message, None, report);
        }
        if action.name == "self" {
            let message = "No action can be called `self`: every row has a link of that name. Choose another one.";
            spot.find(&[&resource.name, "actions", "self"]).wrong_key(message, None, report);
        }
    }
}

/// The name of a reference stands in `include=` beside fields, and in `links` beside actions and lists.
fn check_links(spot: &Spot<'_>, resource: &Resource, resources: &[Resource], report: &mut Report) {
    let mut seen = HashSet::new();
    for field in &resource.fields {
        let Some(reference) = &field.references else { continue };
        let name = reference.name.as_str();
        let taken = if !seen.insert(name) {
            Some("another reference")
        } else if resource.field(name).is_some() {
            Some("a field")
        } else if resource.action(name).is_some() {
            Some("an action")
        } else if children(resource, resources).any(|child| child.name == name) {
            Some("a list under this resource")
        } else if ["self", "id", "links"].contains(&name) {
            Some("a part of every row")
        } else {
            None
        };
        if let Some(taken) = taken {
            let message = format!(
                "`{name}` is the name of {taken} already. Choose another: `references: {{ resource: {}, name: … }}`.",
                reference.resource
            );
            spot.find(&[&resource.name, "fields", &field.name, "references"]).wrong_key(message, None, report);
        }
    }
}

fn check_clearing(spot: &Spot<'_>, resource: &Resource, report: &mut Report) {
    for field in resource.fields.iter().filter(|field| field.required) {
        if field.references.as_ref().is_some_and(|reference| reference.on_delete == OnDelete::Clear) {
            let message = format!("`{}` is required, so it cannot be cleared. Use `refuse` or `delete`.", field.name);
            spot.find(&[&resource.name, "fields", &field.name, "references", "on_delete"]).wrong(message, report);
        }
    }
}

/// A deletion that goes on must come to an end.
fn check_cascades(spot: &Spot<'_>, resources: &[Resource], report: &mut Report) {
    for resource in resources {
        for field in &resource.fields {
            let Some(reference) = field.references.as_ref().filter(|to| to.on_delete == OnDelete::Delete) else {
                continue;
            };
            let mut way = vec![resource.name.as_str()];
            if leads_back(&reference.resource, resources, &mut way, &mut HashSet::new()) {
                let message = format!(
                    "Deletions would go round in a circle: {}. Use `refuse` or `clear` for one of them.",
                    listed(&way)
                );
                let path = [&resource.name, "fields", &field.name, "references", "on_delete"];
                spot.find(&path).wrong(message, report);
            }
        }
    }
}

/// Do deletions of `from` come to the first of `way` in the end? `way` then holds those in between.
fn leads_back<'r>(
    from: &'r str,
    resources: &'r [Resource],
    way: &mut Vec<&'r str>,
    seen: &mut HashSet<&'r str>,
) -> bool {
    if way.first() == Some(&from) {
        return true;
    }
    if !seen.insert(from) {
        return false;
    }
    way.push(from);
    let Some(resource) = resources.iter().find(|resource| resource.name == from) else { return false };
    let targets = resource.fields.iter().filter_map(|field| field.references.as_ref());
    let cascades = targets.filter(|target| target.on_delete == OnDelete::Delete);
    let found = cascades.into_iter().any(|target| leads_back(&target.resource, resources, way, seen));
    if !found {
        way.pop();
    }
    found
}

/// Is there a list of this name under a row?
pub(super) fn is_list(under: &Resource, name: &str, resources: &[impl Borrow<Resource>]) -> bool {
    children(under, resources).any(|child| child.name == name)
}

fn children<'r>(of: &'r Resource, all: &'r [impl Borrow<Resource>]) -> impl Iterator<Item = &'r Resource> {
    all.iter()
        .map(Borrow::borrow)
        .filter(|child| child.parent.as_ref().is_some_and(|parent| parent.resource == of.name))
}
