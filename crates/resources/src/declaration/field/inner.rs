//! Values inside of an object that lists go by: `filter` and `sort` in the `properties` of a field. Knows nothing of columns
//! but their types.

use serde_json::Value;

use crate::declaration::names;
use crate::declaration::report::Report;
use crate::declaration::schema;
use crate::declaration::spot::Spot;
use crate::declaration::yaml::{Tree, short};
use crate::model::{ColumnKind, Field};

/// The longest path of a value that lists go by. It is the name of a column, and PostgreSQL cuts those at 63 bytes.
const LONGEST: usize = 60;
/// What may stand in a member of an object that a field declares, besides its schema.
pub(in crate::declaration) const KEYWORDS: [&str; 2] = ["filter", "sort"];

/// Reads what stands inside of a field. Its schema was checked.
pub(super) fn read(spot: &Spot<'_>, field: &Field, report: &mut Report) -> Vec<Field> {
    let mut found = Vec::new();
    let here = Object { spot, path: &field.name, schema: &field.schema, is_required: field.required };
    here.read(&mut found, report);
    found
}

/// An object on the way to the values inside.
struct Object<'a> {
    spot: &'a Spot<'a>,
    path: &'a str,
    schema: &'a Value,
    is_required: bool,
}

impl Object<'_> {
    fn read(&self, found: &mut Vec<Field>, report: &mut Report) {
        let Some(members) = self.spot.get("properties").filter(|members| matches!(members.node.tree, Tree::Map(_)))
        else {
            return;
        };
        for member in members.entries(report) {
            let name = member.name();
            let path = format!("{}.{name}", self.path);
            let schema = self.schema.get("properties").and_then(|members| members.get(name)).unwrap_or(&Value::Null);
            let needed = self.schema.get("required").and_then(Value::as_array);
            let is_required = self.is_required && needed.is_some_and(|names| names.iter().any(|needed| needed == name));
            let flag =
                |keyword: &str| member.get(keyword).is_some_and(|flag| matches!(flag.node.tree, Tree::Bool(true)));
            let key = Field {
                required: is_required,
                filter: flag("filter"),
                sort: flag("sort"),
                ..Field::new(&path, schema.clone())
            };
            if (key.filter || key.sort) && self.allows(&member, &key, report) {
                found.push(key);
            }
            Object { spot: &member, path: &path, schema, is_required }.read(found, report);
        }
    }

    /// Can lists go by this? What keeps them from it is told.
    fn allows(&self, member: &Spot<'_>, key: &Field, report: &mut Report) -> bool {
        let keyword = member.find(&[if key.filter { "filter" } else { "sort" }]);
        let (name, path) = (short(member.name()), short(&key.name));
        let message = if self.schema.get("type").and_then(Value::as_str) != Some("object") {
            format!("Lists go by members of objects alone. Give what holds `{name}` the type: `type: object`.")
        } else if !names::is_name(member.name()) || !key.name.split('.').all(names::is_name) {
            format!("Lists go by names of small letters, digits and `_`, and `{path}` has others.")
        } else if key.name.len() > LONGEST {
            format!("`{path}` is longer than {LONGEST} letters. Take shorter names for what lists go by.")
        } else if ColumnKind::of(key).is_none() {
            let found = match schema::types(&key.schema).as_slice() {
                [] => "it has no type".to_owned(),
                _ => format!("it may be {}", schema::listed_types(&key.schema)),
            };
            format!(
                "Lists go by values of one simple type, and of `{path}` {found}. Give it `type: string`, `integer`, \
                 `number` or `boolean`; it may be left out if it is not required."
            )
        } else {
            return true;
        };
        keyword.wrong_key(message, None, report);
        false
    }
}

/// The same schema without these keywords, at every place where they mean something.
pub(super) fn strip(schema: &mut Value) {
    let members = schema.get_mut("properties").and_then(Value::as_object_mut);
    for member in members.into_iter().flat_map(|members| members.values_mut()) {
        if let Some(keywords) = member.as_object_mut() {
            KEYWORDS.iter().for_each(|keyword| _ = keywords.remove(*keyword));
        }
        strip(member);
    }
}
