//! Sign-ins that are fresh and strong enough, and those that are not.

use std::time::Duration;

use axum::response::IntoResponse;

use super::SignInNeed;
use crate::bearer::{Caller, Challenge};

fn user(authenticated_at: Option<i64>, acr: Option<&str>) -> Caller {
    Caller { subject: Some("ada".into()), authenticated_at, acr: acr.map(str::to_owned), ..Caller::default() }
}

#[test]
fn a_sign_in_is_fresh_up_to_its_age_and_no_second_longer() {
    let need = SignInNeed::fresh(Duration::from_secs(300));

    assert!(need.is_met_by(&user(Some(1_000), None), 1_300));
    assert!(!need.is_met_by(&user(Some(1_000), None), 1_301));
    assert!(!need.is_met_by(&user(None, None), 0), "a token that does not say when");
    assert!(need.is_met_by(&Caller::default(), 1_301), "a client has no sign-in");
}

#[test]
fn a_sign_in_is_strong_if_it_is_of_a_named_kind() {
    let need = SignInNeed { max_age: None, acr: vec!["2".into(), "3".into()] };

    assert!(need.is_met_by(&user(None, Some("3")), 0));
    assert!(!need.is_met_by(&user(None, Some("1")), 0));
    assert!(!need.is_met_by(&user(None, None), 0));
    assert!(SignInNeed::default().is_met_by(&user(None, None), 0));
}

#[test]
fn a_refusal_says_what_to_ask_for() {
    let challenge = Challenge { realm: "orders".into(), resource_metadata: None };
    let told = |need: SignInNeed| {
        let response = challenge.insufficient_user_authentication(&need).into_response();
        (response.status().as_u16(), response.headers()["www-authenticate"].to_str().unwrap().to_owned())
    };

    let (status, stale) = told(SignInNeed::fresh(Duration::from_secs(60)));
    let (_, weak) = told(SignInNeed { max_age: None, acr: vec!["a".into(), "b".into()] });

    assert_eq!(status, 401);
    assert!(
        stale.contains(r#"error="insufficient_user_authentication""#) && stale.ends_with(r#", max_age="60""#),
        "{stale}"
    );
    assert!(weak.ends_with(r#", acr_values="a b""#), "{weak}");
}
