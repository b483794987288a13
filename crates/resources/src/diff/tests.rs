//! What holds for all rules together, and for whatever is compared.

use std::collections::BTreeSet;

use jiff::civil::date;

use super::{Input, InputError, RULES, compare, declared, openapi};
use crate::shop;

#[test]
fn every_rule_has_a_case_and_a_name_of_its_own() {
    let mut covered: BTreeSet<&str> = declared::tests::rules::covered().into_iter().collect();
    covered.extend(openapi::tests::rules::covered());
    // Shown by the tests of schemas: it takes more than a few lines.
    covered.insert("not-compared");

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
    let at = crate::openapi::Surroundings { base_url: "/api".into(), issuer: "https://a.example".into(), version: 1 };
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
