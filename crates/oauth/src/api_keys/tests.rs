//! What a key says of itself.

use jiff::Timestamp;
use uuid::Uuid;

use super::Uses;
use crate::model::{ApiKey, ApiKeyId, ApiKeySecret, ApiKeyState, Secret};
use crate::protocol::Scope;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn key(networks: &[&str]) -> ApiKey {
    ApiKey {
        id: ApiKeyId(Uuid::from_u128(1)),
        name: "billing".to_owned(),
        scope: Scope::empty(),
        networks: networks.iter().map(|network| network.parse().unwrap()).collect(),
        version_pin: None,
        created_at: at(0),
        expires_at: Some(at(100)),
        revoked_at: None,
        last_used_at: None,
        secrets: vec![
            ApiKeySecret { digest: Secret::new("old").digest(), created_at: at(0), expires_at: Some(at(50)) },
            ApiKeySecret { digest: Secret::new("new").digest(), created_at: at(40), expires_at: None },
        ],
    }
}

#[test]
fn while_a_rotation_overlaps_both_secrets_work() {
    let key = key(&[]);

    let accepted = |secret: &str, second| key.accepts(&Secret::new(secret).digest(), at(second));

    assert!(accepted("old", 49) && accepted("new", 49));
    assert!(!accepted("old", 50) && accepted("new", 50));
    assert!(!accepted("other", 49));
}

#[test]
fn a_key_whose_time_is_over_or_that_was_revoked_accepts_nothing() {
    let expired = key(&[]);
    let revoked = ApiKey { revoked_at: Some(at(10)), ..key(&[]) };
    let digest = Secret::new("new").digest();

    assert!(expired.accepts(&digest, at(99)) && !expired.accepts(&digest, at(100)));
    assert_eq!(expired.state(at(100)), ApiKeyState::Expired);
    assert!(!revoked.accepts(&digest, at(11)));
    assert_eq!(revoked.state(at(200)), ApiKeyState::Revoked);
}

#[test]
fn a_key_works_from_its_networks_only() {
    let office = key(&["10.1.0.0/16", "2001:db8::/32"]);
    let from = |address: &str| office.may_come_from(Some(address.parse().unwrap()));

    assert!(from("10.1.2.3") && from("2001:db8::7"));
    // An IPv4 address that arrives in IPv6 form is still that address.
    assert!(from("::ffff:10.1.2.3"));
    assert!(!from("10.2.0.1") && !from("::1"));
    assert!(!office.may_come_from(None), "nobody knows where this came from");
    assert!(key(&[]).may_come_from(None));
}

#[test]
fn the_latest_use_is_kept_and_handed_out_once() {
    let uses = Uses::default();
    let id = ApiKeyId(Uuid::from_u128(1));

    uses.note(id, at(5));
    uses.note(id, at(9));
    uses.note(id, at(7));

    assert_eq!(uses.take(), [(id, at(9))]);
    assert_eq!(uses.take(), []);
}
