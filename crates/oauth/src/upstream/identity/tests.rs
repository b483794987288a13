//! Claims become attributes.

use serde_json::json;

use super::*;
use crate::upstream::{ClaimMapping, Linking};

fn read(mapping: &[(&str, &str)], claims: Value) -> Identity {
    let provider = Provider {
        id: "corp".to_owned(),
        name: "Corp".to_owned(),
        issuer: "https://id.example".to_owned(),
        client_id: "me".to_owned(),
        secret: None,
        scopes: "openid".to_owned(),
        linking: Linking::VerifiedEmail,
        makes_accounts: true,
        domains: Vec::new(),
        claims: mapping
            .iter()
            .map(|(attribute, claim)| ClaimMapping { attribute: (*attribute).into(), claim: (*claim).into() })
            .collect(),
        renews_claims: false,
    };
    Identity::read(&provider, "7", claims.as_object().unwrap())
}

#[test]
fn an_address_is_verified_by_the_truth_value_and_nothing_like_it() {
    let verified = |value: Value| {
        read(&[], json!({ "email": "ada@example.org", "email_verified": value })).verified_email().is_some()
    };

    assert!(verified(json!(true)));
    for other in [json!("true"), json!(1), json!(null), json!(false), json!([true])] {
        assert!(!verified(other.clone()), "{other}");
    }
}

#[test]
fn an_address_from_another_claim_was_verified_by_nobody() {
    let claims = json!({ "upn": "ada@corp.example", "email": "ada@example.org", "email_verified": true });

    let identity = read(&[("email", "upn")], claims);

    assert_eq!((identity.email.as_deref(), identity.verified_email()), (Some("ada@corp.example"), None));
    assert_eq!(identity.profile["email_verified"], false);
}

#[test]
fn what_is_no_sound_text_is_not_taken_over() {
    let claims = json!({
        "name": "  Ada ", "given_name": "\u{7}", "family_name": "", "nickname": 7, "email": "no address",
        "picture": "x".repeat(1025), "locale": "en", "preferred_username": "ada", "email_verified": true,
    });

    let identity = read(&[], claims);

    assert_eq!((identity.name.as_deref(), identity.username.as_deref()), (Some("Ada"), Some("ada")));
    assert_eq!(Value::Object(identity.profile.clone()), json!({ "locale": "en" }));
    assert!(identity.email.is_none() && !identity.email_verified);
}

#[test]
fn a_renewal_keeps_who_vouched_for_an_address_that_stays() {
    let identity = read(&[], json!({ "email": "ada@example.org", "email_verified": true, "name": "Ada" }));
    let user = |email: &str| User { email: Some(email.to_owned()), ..vouched_for() };

    let same = identity.renew(&user("ada@example.org"), true);
    let new = identity.renew(&user("old@example.org"), true);

    assert!(same.has_verified_email_for("https://other.example"), "an operator did, and still does");
    assert!(new.has_verified_email_for("https://id.example") && !new.has_verified_email_for("https://other.example"));
    assert_eq!((same.name.as_deref(), new.email.as_deref()), (Some("Ada"), Some("ada@example.org")));
}

/// An account whose address an operator has vouched for.
fn vouched_for() -> User {
    User {
        id: crate::model::UserId(uuid::Uuid::from_u128(1)),
        username: "ada".to_owned(),
        password_hash: "x".to_owned(),
        email: None,
        name: None,
        profile: json!({ "email_verified": true }).as_object().unwrap().clone(),
        admin: false,
        scope: None,
        created_at: jiff::Timestamp::UNIX_EPOCH,
    }
}
