//! What clients of locked versions would notice of a declaration.

use jiff::civil::Date;

use super::steps::Steps;
use super::{Lock, Locked};
use crate::diff::edition::{Edition, is_over};
use crate::diff::finding::{Finding, in_order};
use crate::diff::surface::Surface;
use crate::diff::{declared, rule};
use crate::model::Version;

/// Everything, the worst first.
pub(super) fn changes(lock: &Lock, editions: &[Edition<'_>], today: Date) -> Vec<Finding> {
    let mut found = Vec::new();
    let live = || lock.versions.iter().filter(|(_, locked)| !is_over(locked.removed, today));
    for (number, locked) in live() {
        let place = format!("v{number}");
        let Some(edition) = editions.iter().find(|edition| edition.version.number == *number) else {
            let told = match locked.removed {
                Some(end) => {
                    format!("The version is released, and not declared any more. Its end was announced for {end}.")
                }
                None => "The version is released, and not declared any more.".to_owned(),
            };
            found.push(Finding::new(&rule::ENDPOINT_REMOVED, place, told));
            continue;
        };
        if edition.version.released > today {
            let told = format!(
                "The version was released on {}, and is to be out on {} only.",
                locked.released, edition.version.released
            );
            found.push(Finding::new(&rule::ENDPOINT_REMOVED, place, told));
            continue;
        }
        days(locked, edition.version, &place, &mut found);
        if !lock.is_dated() {
            early(locked, edition.version, &place, today, &mut found);
            // Nobody is left who sees anything through the steps of the oldest one.
            if live().next().is_some_and(|(oldest, _)| oldest < number) {
                steps(locked, edition.version, &place, &mut found);
            }
        }
        let surface = Surface::of(&edition.face);
        found.extend(declared::compare(&locked.surface, &surface).into_iter().map(|one| one.in_version(*number)));
    }
    if !lock.is_dated() && live().next().is_some() {
        let now = editions.first().and_then(|edition| edition.face.default_version);
        let word = |number: Option<u32>| number.map_or("the newest".to_owned(), |number| format!("version {number}"));
        if lock.default_version != now {
            let told =
                format!("Requests that say no version mean {}, and meant {}.", word(now), word(lock.default_version));
            found.push(Finding::new(&rule::DEFAULT_VERSION_CHANGED, "api.default_version", told));
        }
    }
    in_order(found)
}

fn days(locked: &Locked, version: &Version, place: &str, found: &mut Vec<Finding>) {
    // A version that was not declared as one had no day of its own.
    if locked.released != version.released && locked.released != Version::only().released {
        let told =
            format!("The version was released on {}, and is said to be of {}.", locked.released, version.released);
        found.push(Finding::new(&rule::RELEASE_MOVED, format!("{place} released"), told));
    }
    for (name, was, is) in [("sunset", locked.sunset, version.sunset), ("end", locked.removed, version.removed)] {
        if let (Some(was), Some(is)) = (was, is)
            && is < was
        {
            let told = format!("The {name} of the version is {is}, and {was} was announced.");
            found.push(Finding::new(&rule::SUNSET_ADVANCED, place, told));
        }
    }
}

/// What goes with the sunset.
fn early(locked: &Locked, version: &Version, place: &str, today: Date, found: &mut Vec<Finding>) {
    let now: Vec<String> = version.gone.iter().map(ToString::to_string).collect();
    for part in now.iter().filter(|part| !locked.gone.contains(*part)) {
        let (rule, told) = match (locked.sunset, version.sunset) {
            (_, Some(sunset)) if sunset <= today => (&rule::ENDPOINT_REMOVED, format!("`{part}` is gone.")),
            (Some(_), sunset) => {
                let when = sunset.map(|day| format!(" on {day}")).unwrap_or_default();
                (&rule::SUNSET_ADVANCED, format!("`{part}` goes with the sunset{when}, and was to stay until the end."))
            }
            (None, sunset) => {
                let when = sunset.map(|day| format!(" on {day}")).unwrap_or_default();
                (&rule::ENDPOINT_DEPRECATED, format!("It is announced that `{part}` goes with the sunset{when}."))
            }
        };
        found.push(Finding::new(rule, format!("{place} gone.{part}"), told));
    }
    for part in locked.gone.iter().filter(|part| !now.contains(part)) {
        let told = format!("`{part}` no longer goes with the sunset.");
        found.push(Finding::new(&rule::ENDPOINT_RETAINED, format!("{place} gone.{part}"), told));
    }
}

/// How values are written for the versions before.
fn steps(locked: &Locked, version: &Version, place: &str, found: &mut Vec<Finding>) {
    for (step, was, is) in locked.steps.differences(&Steps::of(version)) {
        let told = match (was, is) {
            (was, Some(is)) => {
                format!("Values are turned by {is}, and were by {}.", was.unwrap_or("nothing".to_owned()))
            }
            (was, None) => format!("Values are no longer turned by {}.", was.unwrap_or_default()),
        };
        found.push(Finding::new(&rule::LENS_CHANGED, format!("{place} changes.{step}"), told));
    }
}
