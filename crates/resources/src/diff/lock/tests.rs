//! The lock: what it holds, when it may be renewed, and what it refuses.

use std::borrow::Cow;

use jiff::civil::{Date, date};

use super::{Broken, read, renew, verify};
use crate::declaration;
use crate::diff::{Edition, Finding, editions};
use crate::model::{Api, Version};

const TODAY: Date = date(2026, 11, 15);

fn api(fields: &str) -> Api {
    let text = format!(
        "api: {{ name: small }}\nresources:\n  things:\n    fields:\n      name: {{ type: string, maxLength: 9 }}\n{fields}"
    );
    declaration::read(&text).unwrap().api
}

fn version(number: u32, released: Date) -> Version {
    Version::new(number, released)
}

fn edition<'a>(version: &'a Version, face: &'a Api) -> Edition<'a> {
    Edition { version, face: Cow::Borrowed(face) }
}

fn refused(broken: Result<(), Broken>) -> Vec<Finding> {
    match broken {
        Err(Broken::Changed(findings)) => findings,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_lock_holds_what_is_released_and_says_what_is_not() {
    let (one, two, face) = (version(1, date(2025, 1, 1)), version(2, date(2027, 1, 1)), api(""));
    let editions = [edition(&one, &face), edition(&two, &face)];

    let renewal = renew(None, &editions, TODAY);

    assert_eq!((renewal.locked, renewal.drafts), (vec![1], vec![2]));
    assert!(renewal.text.starts_with("{\n  \"about\": \"What clients of each released version see."));
    assert_eq!(verify(&renewal.text, &editions, TODAY), Ok(()));
    let lock = read(&renewal.text).unwrap();
    assert_eq!(renew(Some(&lock), &editions, TODAY).text, renewal.text, "the same is written in the same way");
}

#[test]
fn any_change_of_a_released_version_is_refused_also_one_that_breaks_nobody() {
    let (one, face) = (version(1, date(2025, 1, 1)), api(""));
    let lock = renew(None, &[edition(&one, &face)], TODAY).text;
    let wider = api("      note: { type: string }\n");

    let found = refused(verify(&lock, &[edition(&one, &wider)], TODAY));

    assert_eq!(found.len(), 1);
    assert_eq!((found[0].rule.name, found[0].place.as_str()), ("optional-field-added", "v1 things.note"));
    let renewal = renew(Some(&read(&lock).unwrap()), &[edition(&one, &wider)], TODAY);
    assert!(renewal.findings.iter().all(|one| !one.is_breaking()));
    assert_eq!(verify(&renewal.text, &[edition(&one, &wider)], TODAY), Ok(()));
}

#[test]
fn a_draft_may_change_and_a_version_that_came_out_since_stops_nobody() {
    let (one, two, face) = (version(1, date(2025, 1, 1)), version(2, date(2026, 12, 1)), api(""));
    let lock = renew(None, &[edition(&one, &face), edition(&two, &face)], TODAY).text;
    let other = api("      note: { type: string, required: true }\n");

    assert_eq!(verify(&lock, &[edition(&one, &face), edition(&two, &other)], TODAY), Ok(()));
    assert_eq!(verify(&lock, &[edition(&one, &face), edition(&two, &other)], date(2027, 1, 1)), Ok(()));
}

#[test]
fn a_version_can_only_go_once_its_end_has_come() {
    let face = api("");
    let mut one = version(1, date(2025, 1, 1));
    one.removed = Some(date(2027, 1, 1));
    let two = version(2, date(2026, 1, 1));
    let lock = renew(None, &[edition(&one, &face), edition(&two, &face)], TODAY).text;

    let found = refused(verify(&lock, &[edition(&two, &face)], TODAY));

    assert_eq!((found[0].rule.name, found[0].place.as_str()), ("endpoint-removed", "v1"));
    assert!(found[0].told.contains("2027-01-01"));
    assert_eq!(verify(&lock, &[edition(&two, &face)], date(2027, 1, 1)), Ok(()));
}

#[test]
fn an_announced_end_comes_no_nearer() {
    let face = api("");
    let mut one = version(1, date(2025, 1, 1));
    one.sunset = Some(date(2027, 6, 1));
    let lock = renew(None, &[edition(&one, &face)], TODAY).text;
    let mut later = one.clone();
    later.sunset = Some(date(2027, 7, 1));
    let mut sooner = one.clone();
    sooner.sunset = Some(date(2027, 5, 1));

    assert_eq!(verify(&lock, &[edition(&later, &face)], TODAY), Ok(()));
    let found = refused(verify(&lock, &[edition(&sooner, &face)], TODAY));
    assert_eq!(found[0].rule.name, "sunset-advanced");
}

#[test]
fn what_is_no_lock_is_said_to_be_none() {
    let face = api("");
    let one = version(1, date(2025, 1, 1));

    for text in ["", "{}", "[]", "nonsense", "{\"about\":\"\",\"versions\":{\"x\":{}}}", "\u{0}"] {
        let outcome = verify(text, &[edition(&one, &face)], TODAY);
        assert!(matches!(outcome, Err(Broken::Garbage(_))), "{text}: {outcome:?}");
    }
}

/// Two versions with a codec between them, and what goes early.
fn shop(more: &str, codec: &str, first: &str) -> Api {
    let text = format!(
        "api: {{ name: small{more} }}
versions:
  1: {{ {first} }}
  2:
    released: 2026-01-01
    changes:
      - {{ retype: things.price, from: {{ type: string }}, codec: {codec} }}
      - {{ add: things.colour, value: red }}
resources:
  things:
    fields:
      price: {{ type: integer }}
      colour: {{ type: string }}
"
    );
    declaration::read(&text).unwrap().api
}

fn found(old: &Api, new: &Api) -> Vec<(&'static str, String)> {
    let lock = renew(None, &editions(old), TODAY).text;
    match verify(&lock, &editions(new), TODAY) {
        Ok(()) => Vec::new(),
        Err(Broken::Changed(findings)) => findings.into_iter().map(|one| (one.rule.name, one.place)).collect(),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn what_no_surface_shows_is_kept_too() {
    const FIRST: &str = "released: 2025-01-01, deprecated: 2026-06-01, sunset: 2027-06-01, gone: [things.delete]";
    let before = shop(", default_version: 1", "{ decimal: 2 }", FIRST);
    let changed = |more: &str, codec: &str, first: &str| found(&before, &shop(more, codec, first));
    let one = |rule, place: &str| vec![(rule, place.to_owned())];

    assert_eq!(changed(", default_version: 1", "{ decimal: 2 }", FIRST), []);
    let told = changed(", default_version: 1", "{ decimal: 3 }", FIRST);
    assert_eq!(told, one("lens-changed", "v2 changes.things.price"));
    let told = changed(", default_version: 2", "{ decimal: 2 }", FIRST);
    assert_eq!(told, one("default-version-changed", "api.default_version"));
    assert_eq!(changed("", "{ decimal: 2 }", FIRST), one("default-version-changed", "api.default_version"));
    let moved = FIRST.replace("2025-01-01", "2025-02-01");
    assert_eq!(changed(", default_version: 1", "{ decimal: 2 }", &moved), one("release-moved", "v1 released"));
    let more = FIRST.replace("[things.delete]", "[things.delete, things.create]");
    let told = changed(", default_version: 1", "{ decimal: 2 }", &more);
    assert_eq!(told, one("sunset-advanced", "v1 gone.things.create"));
    let fewer = FIRST.replace(", gone: [things.delete]", "");
    let told = changed(", default_version: 1", "{ decimal: 2 }", &fewer);
    assert_eq!(told, one("endpoint-retained", "v1 gone.things.delete"));
}

#[test]
fn the_first_announcement_of_an_end_breaks_nobody() {
    let before = shop("", "text", "released: 2025-01-01");
    let after =
        shop("", "text", "released: 2025-01-01, deprecated: 2026-11-01, sunset: 2027-06-01, gone: [things.delete]");

    assert_eq!(found(&before, &after), [("endpoint-deprecated", "v1 gone.things.delete".to_owned())]);
}

#[test]
fn the_steps_of_a_version_matter_while_an_older_one_lives() {
    let before = shop("", "{ decimal: 2 }", "released: 2024-01-01, removed: 2027-01-01");
    let lock = renew(None, &editions(&before), TODAY).text;
    let later = shop("", "{ decimal: 3 }", "released: 2024-01-01, removed: 2027-01-01");

    assert!(verify(&lock, &editions(&later), TODAY).is_err());
    assert_eq!(verify(&lock, &editions(&later), date(2027, 1, 1)), Ok(()));
}

#[test]
fn a_lock_of_an_earlier_program_is_read_and_known_as_such() {
    let api = shop(", default_version: 1", "{ decimal: 2 }", "released: 2025-01-01");
    let text = renew(None, &editions(&api), TODAY).text;
    let mut lock: serde_json::Value = serde_json::from_str(&text).unwrap();
    lock.as_object_mut().unwrap().retain(|name, _| name != "form" && name != "default_version");
    for version in lock["versions"].as_object_mut().unwrap().values_mut() {
        version.as_object_mut().unwrap().retain(|name, _| name != "steps" && name != "gone");
    }
    let old = lock.to_string();

    assert!(read(&old).unwrap().is_dated() && !read(&text).unwrap().is_dated());
    assert_eq!(verify(&old, &editions(&api), TODAY), Ok(()));
    assert_eq!(renew(Some(&read(&old).unwrap()), &editions(&api), TODAY).findings, []);
}
