//! `versions`: the days of each version, what goes early, and what changed since the one before.

mod changes;
#[cfg(test)]
mod tests;

use jiff::civil::Date;
use jiff::{Span, ToSpan};

use super::Fault;
use super::relations::is_list;
use super::report::Report;
use super::spot::Spot;
use super::yaml::{Tree, short};
use crate::lens::{self, Broken, Face};
use crate::model::{Api, Gone, Operation, Version};
use crate::suggest::nearest;

pub(super) use changes::VERBS;

/// More versions than this are no longer a line that anyone can follow.
const MOST: usize = 50;
/// More than this at once are doubtful.
const MOST_LIVE: usize = 3;
/// Who is told less than this before a sunset has no time to move.
const NOTICE_MONTHS: i32 = 6;

const KEYS: [&str; 7] = ["released", "deprecated", "sunset", "removed", "notice", "gone", "changes"];

/// Reads them all, in the order of their numbers. `resources` are those that a field may point at.
pub(super) fn read(spot: &Spot<'_>, resources: &[&str], report: &mut Report) -> Vec<Version> {
    let entries = spot.entries(report);
    if entries.is_empty() && matches!(spot.node.tree, Tree::Map(_) | Tree::Null) {
        spot.wrong_key("There are no versions. Add `1: { released: 2026-01-31 }`, or remove this.", None, report);
    }
    if entries.len() > MOST {
        spot.wrong_key(format!("There are more than {MOST} versions."), None, report);
        return Vec::new();
    }
    let mut found: Vec<(Spot<'_>, Version)> = Vec::new();
    for entry in entries {
        if let Some(version) = read_one(&entry, resources, report) {
            found.push((entry, version));
        }
    }
    found.sort_by_key(|(_, version)| version.number);
    check_line(&found, report);
    found.into_iter().map(|(_, version)| version).collect()
}

fn read_one(spot: &Spot<'_>, resources: &[&str], report: &mut Report) -> Option<Version> {
    let name = spot.name();
    let is_plain = name == "0" || !name.starts_with(['0', '+']);
    let Some(number) = name.parse::<u32>().ok().filter(|number| is_plain && *number <= 9_999) else {
        let meant = name.strip_prefix(['v', 'V']).filter(|rest| rest.parse::<u32>().is_ok());
        spot.wrong_key(format!("`{}` is no version: it is a number such as `1`.", short(name)), meant, report);
        return None;
    };
    spot.keys("a version", &KEYS, report);
    let day = |key: &str, report: &mut Report| spot.get(key).and_then(|day| read_day(&day, report));
    let released = day("released", report);
    if spot.get("released").is_none() && matches!(spot.node.tree, Tree::Map(_) | Tree::Null) {
        spot.wrong_key(format!("Version {number} has no `released`. Say on which day it comes out."), None, report);
    }
    let mut version = Version::new(number, released?);
    version.deprecated = day("deprecated", report);
    version.sunset = day("sunset", report);
    version.removed = day("removed", report);
    version.notice = spot.get("notice").and_then(|notice| read_notice(&notice, report));
    version.gone = spot.get("gone").map(|gone| read_gone(&gone, report)).unwrap_or_default();
    version.changes = spot.get("changes").map(|steps| changes::read(&steps, resources, report)).unwrap_or_default();
    check_days(spot, &version, report);
    Some(version)
}

fn read_day(spot: &Spot<'_>, report: &mut Report) -> Option<Date> {
    let text = if let Tree::Text(text) = &spot.node.tree { text.as_str() } else { "" };
    let day = text.parse::<Date>().ok().filter(|day| text.len() == 10 && day.year() > 0);
    if day.is_none() {
        spot.wrong_kind("a day such as `2026-01-31`", report);
    }
    day
}

fn read_notice(spot: &Spot<'_>, report: &mut Report) -> Option<String> {
    let text = spot.text(report)?;
    let is_address = text.starts_with("https://") || text.starts_with("http://");
    if !is_address || text.contains(|letter: char| letter.is_whitespace() || !letter.is_ascii()) {
        spot.wrong(format!("`{}` is no address such as `https://example.com/moving-on`.", short(text)), report);
        return None;
    }
    Some(text.to_owned())
}

fn read_gone(spot: &Spot<'_>, report: &mut Report) -> Vec<Gone> {
    let mut gone = Vec::new();
    for item in spot.items(report) {
        let Some(text) = item.text(report) else { continue };
        let (resource, rest) = text.split_once('.').map_or((text, None), |(resource, rest)| (resource, Some(rest)));
        let operation = rest.map(|word| {
            Operation::ALL.into_iter().find(|operation| operation.as_str() == word).unwrap_or(Operation::Act)
        });
        let action = rest.filter(|word| operation == Some(Operation::Act) && *word != Operation::Act.as_str());
        gone.push(Gone { resource: resource.to_owned(), operation, action: action.map(str::to_owned) });
    }
    gone
}

/// The days of one version must come one after the other.
fn check_days(spot: &Spot<'_>, version: &Version, report: &mut Report) {
    let mut last = ("released", version.released);
    for (key, day) in [("deprecated", version.deprecated), ("sunset", version.sunset), ("removed", version.removed)] {
        let Some(day) = day else { continue };
        if day < last.1 {
            let message =
                format!("`{key}` ({day}) is before `{}` ({}). A version moves on, never back.", last.0, last.1);
            spot.find(&[key]).wrong(message, report);
            return;
        }
        last = (key, day);
    }
    match (version.deprecated, version.sunset) {
        (Some(deprecated), None) => {
            let meant = deprecated.saturating_add(1.year());
            let message = format!("Clients are told that it ends, and not when. Add `sunset: {meant}`, for instance.");
            spot.find(&["deprecated"]).wrong_key(message, None, report);
        }
        (None, Some(_)) => {
            let message = "A sunset without notice takes clients by surprise. Add `deprecated:`, a day before it.";
            spot.find(&["sunset"]).wrong_key(message, None, report);
        }
        (Some(deprecated), Some(sunset)) if deprecated.saturating_add(Span::new().months(NOTICE_MONTHS)) > sunset => {
            let message = format!(
                "Between `deprecated` and `sunset` are less than {NOTICE_MONTHS} months. Give clients more time."
            );
            spot.find(&["sunset"]).doubtful(message, None, report);
        }
        _ => {}
    }
    if version.removed.is_some() && version.sunset.is_none() {
        let message = "It goes without notice: no answer tells of it before. Add `deprecated:` and `sunset:`.";
        spot.find(&["removed"]).doubtful(message, None, report);
    }
    if !version.gone.is_empty() && version.sunset.is_none() {
        let message = "What is `gone` goes with the sunset, and this version has none. Add `sunset:`.";
        spot.find(&["gone"]).wrong_key(message, None, report);
    }
}

/// Newer versions come out later; the oldest has nothing before it; the newest is what is stored.
fn check_line(found: &[(Spot<'_>, Version)], report: &mut Report) {
    for pair in found.windows(2) {
        let [(_, older), (spot, newer)] = pair else { continue };
        if newer.released < older.released {
            let message = format!(
                "Version {} comes out before version {} ({}). A day must choose one version, so that numbers follow days.",
                newer.number, older.number, older.released
            );
            spot.find(&["released"]).wrong(message, report);
        }
    }
    if let Some((spot, oldest)) = found.first().filter(|(_, oldest)| !oldest.changes.is_empty()) {
        let message = format!("Before version {} there was none, so nothing can have changed.", oldest.number);
        spot.find(&["changes"]).wrong_key(message, None, report);
    }
    if let Some((spot, newest)) = found.last().filter(|(_, newest)| newest.removed.is_some()) {
        let message = format!(
            "Version {} is the newest, and all rows are stored as it has them. It cannot be removed.",
            newest.number
        );
        spot.find(&["removed"]).wrong_key(message, None, report);
    }
}

/// What is doubtful about versions on a day.
pub(super) fn doubts(api: &Api, today: Date) -> Vec<Fault> {
    let is_gone = |version: &Version| version.removed.is_some_and(|day| day <= today);
    let is_out = |version: &Version| version.released <= today;
    let live = api.versions.iter().filter(|version| is_out(version) && !is_gone(version));
    let live: Vec<String> = live.map(|version| version.number.to_string()).collect();
    let mut told = Vec::new();
    if live.len() > MOST_LIVE {
        told.push(format!(
            "{} versions live at once: {}. Two or three are what clients and operators can follow; give the oldest a sunset.",
            live.len(),
            live.join(", ")
        ));
    }
    if live.is_empty() && !api.versions.is_empty() {
        told.push("No version is out today, so that nobody can call the API.".to_owned());
    }
    let set = api.default_version.and_then(|number| api.versions.iter().find(|version| version.number == number));
    if let Some(version) = set.filter(|version| !is_out(version) || is_gone(version)) {
        told.push(format!(
            "`default_version` is {}, which is not out today. Requests that say no version get the newest that is.",
            version.number
        ));
    }
    let fault = |message: String| Fault {
        line: 1,
        column: 1,
        width: 1,
        path: "versions".to_owned(),
        message,
        suggestion: None,
    };
    told.into_iter().map(fault).collect()
}

/// What can only be said once every resource is read: do the changes fit, do they keep what they are given?
pub(super) fn check(spot: &Spot<'_>, api: &Api, report: &mut Report) {
    let at = |version: u32, step: Option<usize>, report: &mut Report| {
        let changes = spot.get(&version.to_string()).map(|version| version.find(&["changes"]));
        let changes = changes.unwrap_or_else(|| spot.clone());
        let item = step.and_then(|step| {
            matches!(changes.node.tree, Tree::List(_)).then(|| changes.items(report).into_iter().nth(step))
        });
        item.flatten().unwrap_or(changes)
    };
    let faces = match lens::faces(api) {
        Ok(faces) => faces,
        Err(missteps) => {
            for misstep in missteps {
                let place = at(misstep.version, misstep.step, report);
                place.misspelt(misstep.told, misstep.suggestion.as_deref(), report);
            }
            return;
        }
    };
    for breach in lens::breaches(api) {
        let place = at(breach.version, Some(breach.step), report);
        match breach.broken {
            Broken::Lossy => {
                let message =
                    format!("This change loses something. {} Mark it `lossy: true` if that is meant.", breach.told);
                place.wrong(message, report);
            }
            Broken::Reordered => {
                let message = format!("{} Lists of the older version go by that order.", breach.told);
                place.doubtful(message, None, report);
            }
            Broken::Unstorable => {
                let message =
                    format!("{} Such a request is refused with 422; say more exactly what it was.", breach.told);
                place.doubtful(message, None, report);
            }
        }
    }
    for face in &faces {
        check_gone(spot, face, report);
    }
    // The newest is what is declared, and was looked at there.
    for face in faces.iter().filter(|face| api.versions.last() != Some(&face.version)) {
        check_paths(spot, face, report);
    }
}

/// What is a list in one version may be an action in another, but not in the same.
fn check_paths(spot: &Spot<'_>, face: &Face, report: &mut Report) {
    let resources = &face.api.resources;
    for resource in resources {
        let both = resource.actions.iter().filter(|action| is_list(resource, &action.name, resources));
        for action in both {
            let message = format!(
                "In version {2}, `/{1}/<id>/{0}` would be an action and a list. If the list came later, add \
                 `- {{ add: {0} }}` to the changes after it; if the action did, `- {{ add: {1}.actions.{0} }}`.",
                action.name, resource.name, face.version.number
            );
            spot.find(&[&face.version.number.to_string()]).wrong_key(message, None, report);
        }
    }
}

fn check_gone(spot: &Spot<'_>, face: &Face, report: &mut Report) {
    if face.version.gone.is_empty() {
        return;
    }
    let list = spot.find(&[&face.version.number.to_string(), "gone"]);
    for (item, gone) in list.items(report).into_iter().zip(&face.version.gone) {
        let Some(resource) = face.api.resource(&gone.resource) else {
            let meant = nearest(&gone.resource, face.api.resources.iter().map(|resource| resource.name.as_str()));
            let message = format!("Version {} has no resource `{}`.", face.version.number, short(&gone.resource));
            item.misspelt(message, meant, report);
            continue;
        };
        let operations = resource.operations.iter().map(|operation| operation.as_str());
        let known: Vec<&str> = operations.chain(resource.actions.iter().map(|action| action.name.as_str())).collect();
        let word = gone.action.as_deref().or(gone.operation.map(Operation::as_str));
        if let Some(word) = word.filter(|word| !known.contains(word)) {
            let message = format!(
                "`{}` is neither an operation nor an action of `{}` in version {}.",
                short(word),
                resource.name,
                face.version.number
            );
            item.misspelt(message, nearest(word, known), report);
        }
    }
}
