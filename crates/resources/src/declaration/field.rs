//! One field: its schema, and what the server does with it besides.

pub(super) mod inner;
mod reference;
mod schema_of;
#[cfg(test)]
mod tests;

use serde_json::Value;

use super::names;
use super::report::Report;
use super::schema::{
    self,
    keywords::{OWN, STANDARD},
};
use super::spot::Spot;
use super::yaml::Tree;
use crate::model::{ColumnKind, Field, Stamp};

/// Reads a field. `resources` are the names that it may point at.
pub(super) fn read(spot: &Spot<'_>, resources: &[&str], report: &mut Report) -> Option<Field> {
    let is_named = names::check_field(spot, report);
    let field = read_as(spot, spot.name(), resources, report)?;
    is_named.then_some(field)
}

/// Reads a field whose name stands elsewhere.
pub(super) fn read_as(spot: &Spot<'_>, name: &str, resources: &[&str], report: &mut Report) -> Option<Field> {
    match spot.node.tree {
        Tree::Map(_) => {}
        Tree::Unreadable => return None,
        _ => {
            let example = "a schema such as `{ type: string }`";
            spot.wrong_kind(example, report);
            return None;
        }
    }
    let before = report.faults.len();
    let mut field = Field::new(name, Value::Null);
    for keyword in spot.entries(report) {
        read_keyword(&keyword, &mut field, report);
    }
    field.references =
        spot.get("references").and_then(|target| reference::read(&target, &field.name, resources, report));
    field.schema = schema_of::build(spot, &field, report);
    // What is wrong in itself would only be told once more by what follows from it.
    if report.faults.len() == before {
        schema_of::check_values(spot, &mut field, report);
        field.inner = inner::read(spot, &field, report);
        check_together(spot, &field, report);
    }
    Some(field)
}

fn read_keyword(spot: &Spot<'_>, field: &mut Field, report: &mut Report) {
    let mut flag = || spot.flag(report).unwrap_or_default();
    match spot.name() {
        "required" if !matches!(spot.node.tree, Tree::List(_)) => field.required = flag(),
        "readOnly" => field.read_only = flag(),
        "unique" => field.unique = flag(),
        "filter" => field.filter = flag(),
        "sort" => field.sort = flag(),
        "search" => field.search = flag(),
        "references" => {}
        "default" => field.default = Some(spot.node.to_json()),
        "set" => {
            let stamp = spot.word("value that the server sets", &["created_at", "updated_at", "owner"], report);
            field.stamp = stamp.map(|word| match word {
                "created_at" => Stamp::CreatedAt,
                "updated_at" => Stamp::UpdatedAt,
                _ => Stamp::Owner,
            });
        }
        name => {
            if schema_of::is_foreign(name) {
                schema::unknown(spot, "a field", STANDARD.iter().chain(&OWN).map(|keyword| keyword.name), report);
            } else {
                schema::check_keyword(spot, report);
            }
        }
    }
}

/// What keywords mean for each other.
fn check_together(spot: &Spot<'_>, field: &Field, report: &mut Report) {
    let at = |key: &str| spot.find(&[key]);
    let name = &field.name;
    if field.read_only && field.required {
        let message =
            format!("Only the server sets `{name}`, so nobody can be required to send it. Remove `required`.");
        at("required").wrong_key(message, None, report);
    }
    if field.required && field.default.is_some() {
        let message = format!("`{name}` has a default, so it is never missing. Remove `required` or `default`.");
        at("required").wrong_key(message, None, report);
    }
    if field.stamp.is_some() && field.default.is_some() {
        at("default").wrong_key(format!("The server sets `{name}`. Remove `default`."), None, report);
    }
    let has_column = ColumnKind::of(field).is_some();
    for (keyword, wanted) in [("filter", field.filter), ("sort", field.sort), ("unique", field.unique)] {
        if wanted && !has_column {
            let why = match schema::types(&field.schema).as_slice() {
                [] => "it has no type".to_owned(),
                ["null"] => "it is always null".to_owned(),
                [one] => format!("it is an {one}"),
                _ => format!("it may be {}", schema::listed_types(&field.schema)),
            };
            let message = format!(
                "`{keyword}` needs one simple type, and of `{name}` {why}. Give it `type: string`, `integer`, `number` or \
                 `boolean`; it may be null besides if it is not required."
            );
            at(keyword).wrong_key(message, None, report);
        }
    }
    if field.search && ColumnKind::of(field) != Some(ColumnKind::Text) {
        let message =
            format!("Words are searched in texts, and `{name}` is none. Give it `type: string`, or remove `search`.");
        at("search").wrong_key(message, None, report);
    }
    if field.filter && names::PARAMETERS.contains(&name.as_str()) {
        let message =
            format!("`{name}=` means something else in the query of a list. Clients filter by `filter[{name}]=`.");
        spot.doubtful(message, None, report);
    }
}
