//! Reads a declaration: a YAML file that says what an API serves. What comes out is a [`model::Api`](crate::model::Api)
//! after every check, or everything that is wrong with it, each with its place. Knows neither files nor settings.
//!
//! | module | what it owns |
//! |---|---|
//! | `yaml` | the text as a tree with places; bounds on its size and depth |
//! | `spot` | a place in that tree, and the questions asked of it |
//! | `schema` | JSON Schema 2020-12: its keywords and their checks |
//! | `scopes`, `resource`, `field`, `action` | one part of the declaration each |
//! | `versions` | the days of each version, and what changed between them |
//! | `relations` | what can only be said once every resource is read |
//! | `names`, `suggest` | names that are possible, and the word that was meant |
//! | `editor` | the schema with which an editor checks the file while it is written |

mod action;
mod editor;
mod fault;
mod field;
mod limits;
mod names;
mod relations;
mod report;
mod resource;
mod schema;
mod scopes;
mod spot;
#[cfg(test)]
mod tests;
mod versions;
mod yaml;

use std::sync::Arc;

use jiff::civil::Date;

use crate::lens;
use crate::model::{Api, Version};
use report::Report;
use spot::Spot;
use yaml::Tree;

pub use editor::editor_schema;
pub use fault::Fault;
pub use yaml::LARGEST;

/// A declaration that holds.
#[derive(Debug, Clone)]
pub struct Declared {
    /// What it declares.
    pub api: Api,
    /// What is allowed and probably not meant.
    pub warnings: Vec<Fault>,
}

/// Reads a declaration, or tells everything that is wrong with it, in the order of the file.
pub fn read(text: &str) -> Result<Declared, Vec<Fault>> {
    let mut report = Report::default();
    let root = yaml::parse(text, &mut report);
    let api = root.as_ref().and_then(|root| read_api(&Spot::root(root), &mut report));
    report.sort();
    match api {
        Some(api) if report.faults.is_empty() => Ok(Declared { api, warnings: report.warnings }),
        _ => Err(report.faults),
    }
}

/// What is doubtful about a declaration on a day, and may not be on another.
pub fn doubts(api: &Api, today: Date) -> Vec<Fault> {
    versions::doubts(api, today)
}

fn read_api(root: &Spot<'_>, report: &mut Report) -> Option<Api> {
    root.keys("a declaration", &["api", "versions", "scopes", "limits", "resources"], report);
    if !matches!(root.node.tree, Tree::Map(_)) {
        if matches!(root.node.tree, Tree::Null) {
            root.wrong_kind("a map of `name: value`", report);
        }
        return None;
    }
    let head = root.get("api").map(|spot| read_head(&spot, report));
    let scopes = root.get("scopes").map(|spot| scopes::read(&spot, report)).unwrap_or_default();
    let Some(declared) = root.get("resources") else {
        root.wrong_key("The declaration has no `resources`. Add the things that the API serves.", None, report);
        return None;
    };
    let mut resources = resource::read_all(&declared, &scopes, report);
    scopes::check_use(root, &scopes, &resources, report);
    relations::check(&declared, &resources, report);
    if head.is_none() {
        root.wrong_key("The declaration has no `api`. Begin it with `api: { name: shop }`.", None, report);
    }
    let head = head??;
    let names: Vec<&str> = resources.iter().map(|resource| resource.name.as_str()).collect();
    let lived = root.get("versions");
    let versions = lived.as_ref().map(|spot| versions::read(spot, &names, report));
    let versions = versions.filter(|versions| !versions.is_empty()).unwrap_or_else(|| vec![Version::only()]);
    let newest = versions.last().map_or(1, |newest| newest.number);
    resources.iter_mut().for_each(|resource| resource.stored_as = newest);
    let api = Api {
        versions,
        resources: resources.into_iter().map(Arc::new).collect(),
        scopes,
        name: head.name,
        title: head.title,
        description: head.description,
        default_version: head.default_version,
        limits: root.get("limits").map(|spot| limits::read(&spot, report)).unwrap_or_default(),
        is_demonstration: false,
    };
    // What follows from something wrong would only be told once more.
    if let Some(spot) = lived.filter(|_| report.faults.is_empty()) {
        versions::check(&spot, &api, report);
    }
    check_handlers(root, &api, report);
    if let Some(number) =
        api.default_version.filter(|number| api.versions.iter().all(|version| version.number != *number))
    {
        root.find(&["api", "default_version"]).wrong(format!("There is no version {number}."), report);
    }
    Some(api)
}

/// A handler speaks a version that there is, and that has the resource.
fn check_handlers(root: &Spot<'_>, api: &Api, report: &mut Report) {
    let actions =
        api.resources.iter().flat_map(|resource| resource.actions.iter().map(move |action| (resource, action)));
    for (resource, action) in actions {
        let Some(number) = action.handler.as_ref().and_then(|handler| handler.version) else { continue };
        let told = if api.versions.iter().all(|known| known.number != number) {
            format!("There is no version {number}.")
        } else if lacks(api, number, &resource.name) {
            format!("Version {number} has no `{}`, so that nothing could be told in its words.", resource.name)
        } else {
            continue;
        };
        let way = ["resources", &resource.name, "actions", &action.name, "handler", "version"];
        root.find(&way).wrong(told, report);
    }
}

/// Does a version not see this stored resource? What does not fit was told before.
fn lacks(api: &Api, number: u32, stored: &str) -> bool {
    let faces = lens::faces(api).unwrap_or_default();
    let face = faces.iter().find(|face| face.version.number == number);
    face.is_some_and(|face| face.lenses.iter().all(|(name, _)| name != stored))
}

/// What is said of the API as a whole.
struct Head {
    name: String,
    title: String,
    description: String,
    default_version: Option<u32>,
}

fn read_head(spot: &Spot<'_>, report: &mut Report) -> Option<Head> {
    spot.keys("`api`", &["name", "title", "description", "default_version"], report);
    let title = spot.get("title").and_then(|title| title.text(report)).unwrap_or_default();
    let description = spot.get("description").and_then(|text| text.text(report)).unwrap_or_default();
    let default_version = spot.get("default_version").and_then(|number| read_version(&number, report));
    let Some(named) = spot.get("name") else {
        spot.wrong_key("The API has no `name`. Give it a short one, such as `shop`.", None, report);
        return None;
    };
    let name = named.text(report)?;
    if !names::is_name(&name.replace('-', "_")) {
        let message = "The name of an API has small letters, digits, `-` and `_`, begins with a letter, and is at most \
                       40 long: it stands in media types such as `application/vnd.shop+json`.";
        named.wrong(message, report);
        return None;
    }
    let title = if title.trim().is_empty() { capitalised(name) } else { title.to_owned() };
    Some(Head { name: name.to_owned(), title, description: description.trim_end().to_owned(), default_version })
}

fn read_version(spot: &Spot<'_>, report: &mut Report) -> Option<u32> {
    let number = if let Tree::Number(number) = &spot.node.tree { number.as_u64() } else { None };
    let number = number.and_then(|number| u32::try_from(number).ok());
    if number.is_none() {
        spot.wrong_kind("the number of a version", report);
    }
    number
}

/// A word of YAML that stands without quotes, as JSON. None: no JSON can tell it.
pub(crate) fn plain_scalar(text: &str) -> Option<serde_json::Value> {
    yaml::plain(text)
}

fn capitalised(name: &str) -> String {
    let spaced = name.replace(['-', '_'], " ");
    let mut letters = spaced.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
