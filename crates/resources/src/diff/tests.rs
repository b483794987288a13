//! What holds for all rules together, and for whatever is compared.

use std::collections::BTreeSet;

use jiff::civil::date;
use proptest::prelude::*;
use serde_json::Value;

use super::surface::Surface;
use super::{Input, InputError, RULES, compare, declared, editions, lock, openapi};
use crate::shop;

#[test]
fn every_rule_has_a_case_and_a_name_of_its_own() {
    let mut covered: BTreeSet<&str> = declared::tests::rules::covered().into_iter().collect();
    covered.extend(openapi::tests::rules::covered());
    // Has a test of its own: it takes a large document.
    covered.insert("not-compared");
    // What no surface shows: only a lock finds it.
    covered.extend(["release-moved", "default-version-changed", "lens-changed"]);

    let names: BTreeSet<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(names, covered);
    assert_eq!(names.len(), RULES.len());
    for rule in RULES {
        assert!(rule.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{}", rule.name);
        assert!(rule.says.ends_with('.'), "{}", rule.name);
    }
}

#[test]
fn the_shop_differs_from_itself_in_nothing_however_it_is_told() {
    let today = date(2026, 11, 15);
    let declaration = || Input::read(shop::DECLARATION).unwrap();
    let Input::Declaration(declared) = declaration() else { panic!("it is a declaration") };
    let at = crate::openapi::Surroundings {
        base_url: "/api".into(),
        issuer: "https://a.example".into(),
        version: 2,
        state: valetkey_rest::version::Lifecycle::Active,
    };
    let text = crate::openapi::document(&declared.api, &at).to_string();
    let document = || Input::read(&text).unwrap();

    assert_eq!(compare(&declaration(), &declaration(), today), []);
    assert_eq!(compare(&document(), &document(), today), []);
    assert_eq!(compare(&declaration(), &document(), today), []);
    assert_eq!(compare(&document(), &declaration(), today), []);
    assert_eq!((declaration().kind(), document().kind()), ("declaration", "openapi"));
}

#[test]
fn what_is_neither_is_said_to_be_neither() {
    assert!(matches!(Input::read("{\"swagger\": \"2.0\"}"), Err(InputError::Swagger)));
    assert!(matches!(Input::read("{\"openapi\": \"4.0\"}"), Err(InputError::Foreign)));
    assert!(matches!(Input::read("[1, 2]"), Err(InputError::Foreign)));
    assert!(matches!(Input::read("{ nonsense"), Err(InputError::Unreadable(_))));
    assert!(matches!(Input::read("resources: { a: 1 }"), Err(InputError::Wrong(_))));
    assert!(matches!(Input::read("resources:\n\t- a"), Err(InputError::Wrong(_))));
    assert!(matches!(Input::read("openapi: 3.0\npaths: {}"), Ok(Input::OpenApi(_))));
}

#[test]
fn a_lock_holds_all_of_the_shop() {
    let (api, today) = (shop::api(), date(2026, 11, 15));
    let renewal = lock::renew(None, &editions(&api), today);

    assert_eq!(lock::verify(&renewal.text, &editions(&api), today), Ok(()));
}

/// The shop, with anything in the place of a schema.
fn surface(schema: &Value) -> Surface {
    let mut surface = Surface::of(&shop::api());
    for resource in surface.resources.values_mut() {
        for field in resource.fields.values_mut().take(2) {
            field.schema = schema.clone();
        }
        for action in resource.actions.values_mut() {
            action.input = Some(schema.clone());
        }
    }
    surface
}

proptest! {
    #[test]
    fn no_surface_differs_from_itself_and_none_makes_it_panic(
        old in openapi::tests::arbitrary::value(),
        new in openapi::tests::arbitrary::value(),
    ) {
        let (before, after) = (surface(&old), surface(&new));

        prop_assert_eq!(declared::compare(&before, &before), []);
        for finding in declared::compare(&before, &after) {
            prop_assert!(!finding.place.is_empty() && !finding.told.is_empty());
            // What is proposed can be pasted: one item on one line, which YAML reads back.
            if let Some(lens) = finding.lens {
                let read = openapi::read(&lens).map_err(|error| TestCaseError::fail(format!("{lens}: {error}")))?;
                prop_assert!(!lens.contains('\n') && read.as_array().is_some_and(|items| items.len() == 1));
            }
        }
    }
}

#[test]
fn what_no_surface_shows_is_told_between_declarations_too() {
    let declared = |default: u32, digits: u32| {
        let text = format!(
            "api: {{ name: small, default_version: {default} }}
versions:
  1: {{ released: 2025-01-01 }}
  2:
    released: 2026-01-01
    changes: [{{ retype: things.price, from: {{ type: string }}, codec: {{ decimal: {digits} }} }}]
resources: {{ things: {{ fields: {{ price: {{ type: integer }} }} }} }}
"
        );
        Input::read(&text).unwrap()
    };

    let found = compare(&declared(1, 2), &declared(2, 3), date(2026, 11, 15));

    let names: Vec<_> = found.iter().map(|one| (one.rule.name, one.place.as_str())).collect();
    let default = ("default-version-changed", "api.default_version");
    assert_eq!(names, [default, ("lens-changed", "v2 changes.things.price")]);
}
