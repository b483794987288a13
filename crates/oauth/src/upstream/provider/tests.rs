//! Mappings and domains.

use super::*;

fn provider(claims: &[(&str, &str)], domains: &[&str]) -> Provider {
    let mapping = |(attribute, claim): &(&str, &str)| ClaimMapping {
        attribute: (*attribute).to_owned(),
        claim: (*claim).to_owned(),
    };
    Provider {
        id: "corp".to_owned(),
        name: "Corp".to_owned(),
        issuer: "https://id.example".to_owned(),
        client_id: "me".to_owned(),
        secret: None,
        scopes: "openid".to_owned(),
        linking: Linking::Admin,
        makes_accounts: false,
        domains: domains.iter().map(|domain| (*domain).to_owned()).collect(),
        claims: claims.iter().map(mapping).collect(),
        renews_claims: false,
    }
}

#[test]
fn what_is_not_mapped_otherwise_keeps_its_name() {
    let provider = provider(&[("username", "upn"), ("picture", ""), ("website", "url")], &[]);

    let claims = ["username", "name", "email", "picture", "website", "gender"].map(|name| provider.claim_for(name));

    assert_eq!(claims, [Some("upn"), Some("name"), Some("email"), None, Some("url"), None]);
    assert!(provider.attributes().any(|name| name == "website"));
}

#[test]
fn nobody_maps_who_someone_is_or_what_was_verified() {
    for fixed in ["sub", "email_verified", "phone_number_verified", "updated_at", "admin", "password_hash", ""] {
        assert!(!ClaimMapping::knows(fixed), "{fixed}");
    }
    assert!(ClaimMapping::knows("username") && ClaimMapping::knows("locale"));
}

#[test]
fn a_domain_is_the_whole_of_what_stands_behind_the_last_at() {
    let provider = provider(&[], &["corp.example"]);

    assert!(provider.welcomes(Some("ada@CORP.example")));
    for stranger in ["ada@evilcorp.example", "ada@a.corp.example", "corp.example", "ada@corp.example@evil.example"] {
        assert!(!provider.welcomes(Some(stranger)), "{stranger}");
    }
    assert!(!provider.welcomes(None));
}
