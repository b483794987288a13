//! One resource: its fields, who may do what with it, and the actions that move its state.

mod demands;
#[cfg(test)]
mod tests;

use super::report::Report;
use super::spot::Spot;
use super::yaml::{Tree, short};
use super::{action, field, names, scopes};
use crate::model::{Field, Operation, Ownership, Parent, Resource, Scope, Scopes};

/// More resources than this are no API that anyone can learn.
const MOST: usize = 200;
/// More fields than this are no row that anyone can read.
const MOST_FIELDS: usize = 500;
/// The keys of a resource.
pub(super) const KEYS: [&str; 11] = [
    "description",
    "singular",
    "parent",
    "own",
    "scopes",
    "operations",
    "require",
    "put_creates",
    "fields",
    "state",
    "actions",
];

/// Reads all resources. What could be read of each comes back, for the checks between them.
pub(super) fn read_all(spot: &Spot<'_>, scopes: &[Scope], report: &mut Report) -> Vec<Resource> {
    let entries = spot.entries(report);
    if entries.is_empty() && matches!(spot.node.tree, Tree::Map(_) | Tree::Null) {
        spot.wrong_key("There are no resources. Add one, such as `users`, with its `fields`.", None, report);
    }
    if entries.len() > MOST {
        spot.wrong_key(format!("There are more than {MOST} resources. Split the API."), None, report);
        return Vec::new();
    }
    let known: Vec<String> = entries.iter().map(|entry| entry.name().to_owned()).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    entries.iter().filter_map(|entry| read(entry, &known, scopes, report)).collect()
}

fn read(spot: &Spot<'_>, known: &[&str], scopes: &[Scope], report: &mut Report) -> Option<Resource> {
    let is_named = names::check_resource(spot, report);
    spot.keys("a resource", &KEYS, report);
    let name = spot.name();
    let fields = read_fields(spot, known, report);
    let mut resource = Resource::new(name, &read_singular(spot, is_named, report), fields);
    let text = |key: &str, report: &mut Report| spot.get(key).and_then(|text| text.text(report)).unwrap_or_default();
    let flag = |key: &str, report: &mut Report| spot.get(key).and_then(|flag| flag.flag(report)).unwrap_or_default();
    resource.description = text("description", report).trim_end().to_owned();
    resource.ownership = if flag("own", report) { Ownership::Own } else { Ownership::All };
    resource.put_creates = flag("put_creates", report);
    resource.parent = spot.get("parent").and_then(|parent| read_parent(&parent, &resource.fields, known, report));
    resource.scopes =
        spot.get("scopes").map_or_else(Scopes::default, |needs| scopes::read_needs(&needs, scopes, report));
    resource.state = spot.get("state").and_then(|state| read_state(&state, &resource.fields, report));
    let states = resource.state.as_deref().and_then(|state| resource.field(state)).map(values);
    let around = action::Surroundings { states: states.as_deref(), scopes };
    // A state that is wrong was told; each action that speaks of it would tell it again.
    let around = if spot.get("state").is_some() && around.states.is_none() { None } else { Some(around) };
    let actions = spot.get("actions").map(|actions| actions.entries(report)).unwrap_or_default();
    resource.actions = actions.iter().filter_map(|entry| action::read(entry, around.as_ref()?, report)).collect();
    demands::read(spot, &mut resource, report);
    is_named.then_some(resource)
}

fn read_fields(spot: &Spot<'_>, known: &[&str], report: &mut Report) -> Vec<Field> {
    let Some(fields) = spot.get("fields") else {
        if matches!(spot.node.tree, Tree::Map(_) | Tree::Null) {
            let message = format!("`{}` has no `fields`. Add at least one.", short(spot.name()));
            spot.wrong_key(message, None, report);
        }
        return Vec::new();
    };
    let entries = fields.entries(report);
    if entries.is_empty() && matches!(fields.node.tree, Tree::Map(_) | Tree::Null) {
        fields.wrong_key("There are no fields. Add at least one.", None, report);
    }
    if entries.len() > MOST_FIELDS {
        let message = format!("There are more than {MOST_FIELDS} fields. Put what belongs together into objects.");
        fields.wrong_key(message, None, report);
        return Vec::new();
    }
    entries.iter().filter_map(|field| field::read(field, known, report)).collect()
}

fn read_singular(spot: &Spot<'_>, is_named: bool, report: &mut Report) -> String {
    if let Some(given) = spot.get("singular") {
        let text = given.text(report).unwrap_or_default();
        if !text.is_empty() && !names::is_name(text) {
            let message = format!("`{}` cannot be a name: it has small letters, digits and `_`.", short(text));
            given.wrong(message, report);
        }
        return text.to_owned();
    }
    let plural = spot.name();
    names::singular(plural).unwrap_or_else(|| {
        if is_named {
            let message = format!(
                "`{plural}` does not look like a plural. Resources are plural nouns; add `singular:` if it is one."
            );
            spot.doubtful(message, None, report);
        }
        plural.to_owned()
    })
}

fn read_parent(spot: &Spot<'_>, fields: &[Field], known: &[&str], report: &mut Report) -> Option<Parent> {
    let is_map = matches!(spot.node.tree, Tree::Map(_));
    let target = if is_map {
        spot.keys("`parent`", &["resource", "field"], report);
        let Some(resource) = spot.get("resource") else {
            spot.wrong_key("`parent` has no `resource`. Name the one that this stands under.", None, report);
            return None;
        };
        resource
    } else {
        spot.clone()
    };
    let resource = target.word("resource of this API", known, report)?;
    let points_there = |field: &&Field| field.references.as_ref().is_some_and(|to| to.resource == resource);
    let candidates: Vec<&str> = fields.iter().filter(points_there).map(|field| field.name.as_str()).collect();
    let field = match (spot.get("field"), candidates.as_slice()) {
        (Some(field), _) => field.word(&format!("field that references `{resource}`"), &candidates, report)?,
        (None, [only]) => only,
        (None, []) => {
            let message = format!(
                "No field points at `{resource}`. Add one: `{}: {{ references: {resource} }}`.",
                pointing(resource)
            );
            target.wrong(message, report);
            return None;
        }
        (None, _) => {
            let message = format!(
                "Several fields point at `{resource}`. Say which: `parent: {{ resource: {resource}, field: {} }}`.",
                candidates[0]
            );
            target.wrong(message, report);
            return None;
        }
    };
    Some(Parent { resource: resource.to_owned(), field: field.to_owned() })
}

fn pointing(resource: &str) -> String {
    format!("{}_id", names::singular(resource).unwrap_or_else(|| resource.to_owned()))
}

fn read_state(spot: &Spot<'_>, fields: &[Field], report: &mut Report) -> Option<String> {
    let known: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let name = spot.word("field of this resource", &known, report)?;
    let field = fields.iter().find(|field| field.name == name)?;
    let is_enum_of_text = field.schema.get("type").is_some_and(|kind| kind == "string") && !values(field).is_empty();
    if !is_enum_of_text {
        let message = format!("`{name}` is not made of states. Give it a list of words: `enum: [pending, paid]`.");
        spot.wrong(message, report);
        return None;
    }
    if field.default.is_none() && !field.required {
        let message = format!("No row begins in a state. Give `{name}` a `default`.");
        spot.wrong(message, report);
    }
    if !field.read_only {
        let message =
            format!("Clients can change `{name}` as they like. Add `readOnly: true` to it, so that only actions do.");
        spot.doubtful(message, None, report);
    }
    Some(name.to_owned())
}

/// The words that a field may be.
fn values(field: &Field) -> Vec<&str> {
    let values = field.schema.get("enum").and_then(serde_json::Value::as_array);
    values.into_iter().flatten().filter_map(serde_json::Value::as_str).collect()
}

/// The operations that a list names.
fn read_operations(spot: &Spot<'_>, possible: &[Operation], report: &mut Report) -> Vec<Operation> {
    let words: Vec<&str> = possible.iter().map(|operation| operation.as_str()).collect();
    let named: Vec<&str> =
        spot.items(report).iter().filter_map(|item| item.word("operation for this", &words, report)).collect();
    possible.iter().filter(|operation| named.contains(&operation.as_str())).copied().collect()
}
