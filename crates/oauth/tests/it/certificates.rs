//! Clients that prove themselves by a certificate, and tokens that are bound to one (RFC 8705).

use std::sync::Arc;

use valetkey_oauth::clients::{Presented, RegistrationError, identify, renew_secret, update};
use valetkey_oauth::grants::{Caller, Redemption, Renewal, TokenRequest, TokenSet, exchange};
use valetkey_oauth::model::{
    AccessTokenFormat, Algorithm, Certificate, CertificateName, Client, ClientId, ClientKind, DistinguishedName,
    Secret, TlsIdentity,
};
use valetkey_oauth::{Refusal, tokens};
use valetkey_testkit::clock::moment;

use crate::person::{CALLBACK, Person, VERIFIER, refresh_token};
use crate::world::World;

fn certificate(thumbprint: &str) -> Certificate {
    Certificate {
        thumbprint: thumbprint.to_owned(),
        subject: DistinguishedName::parse("CN=till,O=Example"),
        names: vec![
            CertificateName::Dns("Till.example".to_owned()),
            CertificateName::Uri("spiffe://example/till".to_owned()),
            CertificateName::Ip("10.0.0.7".parse().unwrap()),
            CertificateName::Email("till@example".to_owned()),
        ],
        valid_from: moment(-100),
        valid_until: moment(1_000_000),
        is_vouched_for: true,
    }
}

fn caller(certificate: Option<Certificate>) -> Caller {
    Caller { address: None, certificate: certificate.map(Arc::new) }
}

async fn identified(
    world: &World,
    secret: Option<&str>,
    certificate: Option<Certificate>,
) -> Result<Arc<Client>, Refusal> {
    let (id, secret) = (ClientId::new("app"), secret.map(Secret::new));
    identify(&world.authority, &Presented { id, secret, certificate: certificate.map(Arc::new) }).await
}

async fn with_identity(identity: TlsIdentity) -> World {
    let world = World::new().await;
    world.change("app", |client| client.tls = Some(identity)).await;
    world
}

fn refused(outcome: Result<Arc<Client>, Refusal>) -> bool {
    matches!(outcome, Err(Refusal::ClientCertificateWrong))
}

#[tokio::test]
async fn a_client_is_known_by_any_one_name_of_a_vouched_certificate() {
    for identity in [
        TlsIdentity::SubjectDn(DistinguishedName::parse("CN=till,O=Example").unwrap()),
        TlsIdentity::SanDns("till.EXAMPLE".to_owned()),
        TlsIdentity::SanUri("spiffe://example/till".to_owned()),
        TlsIdentity::SanIp("10.0.0.7".parse().unwrap()),
        TlsIdentity::SanEmail("till@example".to_owned()),
    ] {
        let world = with_identity(identity.clone()).await;
        let alone = Certificate { is_vouched_for: false, ..certificate("a") };
        let nameless = Certificate { subject: None, names: Vec::new(), ..certificate("a") };

        assert!(identified(&world, None, Some(certificate("a"))).await.is_ok(), "{identity:?}");
        assert!(refused(identified(&world, None, Some(alone)).await), "{identity:?}");
        assert!(refused(identified(&world, None, Some(nameless)).await), "{identity:?}");
        assert!(refused(identified(&world, None, None).await), "{identity:?}");
    }
}

#[tokio::test]
async fn a_name_of_another_kind_is_no_proof() {
    let world = with_identity(TlsIdentity::SanUri("till.example".to_owned())).await;

    assert!(refused(identified(&world, None, Some(certificate("a"))).await));
}

#[tokio::test]
async fn a_registered_certificate_needs_nobody_to_vouch_for_it() {
    let world = with_identity(TlsIdentity::Thumbprint("a".to_owned())).await;
    let own = |thumbprint| Some(Certificate { is_vouched_for: false, ..certificate(thumbprint) });

    assert!(identified(&world, None, own("a")).await.is_ok());
    assert!(refused(identified(&world, None, own("b")).await));
}

#[tokio::test]
async fn a_certificate_proves_nothing_before_and_after_its_time() {
    let world = with_identity(TlsIdentity::Thumbprint("a".to_owned())).await;
    let past = Certificate { valid_until: moment(-1), ..certificate("a") };
    let future = Certificate { valid_from: moment(1), ..certificate("a") };

    assert!(refused(identified(&world, None, Some(past)).await));
    assert!(refused(identified(&world, None, Some(future)).await));
}

#[tokio::test]
async fn a_certificate_and_a_secret_do_not_stand_in_for_each_other() {
    let world = with_identity(TlsIdentity::Thumbprint("a".to_owned())).await;

    assert!(refused(identified(&world, Some("app-secret"), None).await), "its old secret is void");
    assert!(refused(identified(&world, Some("app-secret"), Some(certificate("a"))).await));
    let renewed = renew_secret(&world.authority, &ClientId::new("app"), std::time::Duration::ZERO).await;
    assert!(matches!(renewed, Err(RegistrationError::HasCertificate(_))));
    world.change("app", |client| client.tls = None).await;
    let missing = identified(&world, None, Some(certificate("a"))).await;
    assert!(matches!(missing, Err(Refusal::ClientSecretMissing)));
}

#[tokio::test]
async fn a_public_client_cannot_be_registered_with_a_certificate() {
    let world = with_identity(TlsIdentity::Thumbprint("a".to_owned())).await;
    let mut client = (*world.client("app").await).clone();
    client.kind = ClientKind::Public;
    client.grants = Vec::new();

    assert!(matches!(update(&world.authority, &client).await, Err(RegistrationError::PublicWithCertificate)));
    client.kind = ClientKind::Confidential;
    client.tls = Some(TlsIdentity::SanDns(String::new()));
    assert!(matches!(update(&world.authority, &client).await, Err(RegistrationError::BadCertificateName(_))));
}

async fn asked(world: &World, caller: &Caller) -> Result<TokenSet, Refusal> {
    let request = TokenRequest::ClientCredentials { scope: None, resource: None };
    exchange(&world.authority, &*world.client("app").await, caller, request).await
}

#[tokio::test]
async fn a_bound_token_says_whose_it_is_in_both_forms() {
    for format in [AccessTokenFormat::Opaque, AccessTokenFormat::Jwt(Algorithm::Es256)] {
        let world = World::new().await;
        world.use_format(format).await;
        world.change("app", |client| client.binds_tokens = true).await;

        let set = asked(&world, &caller(Some(certificate("a")))).await.unwrap();
        let token = tokens::verify(&world.authority, set.access_token.expose()).await.unwrap().unwrap();

        assert_eq!(token.key_binding.as_deref(), Some("a"));
        assert!(token.is_held_by(Some(&certificate("a")), moment(0)));
        assert!(!token.is_held_by(Some(&certificate("b")), moment(0)));
        assert!(!token.is_held_by(Some(&certificate("a")), moment(2_000_000)), "the certificate has expired");
        assert!(!token.is_held_by(None, moment(0)));
    }
}

#[tokio::test]
async fn a_client_whose_tokens_are_bound_gets_none_without_a_certificate() {
    let world = World::new().await;
    world.change("app", |client| client.binds_tokens = true).await;
    let past = Certificate { valid_until: moment(-1), ..certificate("a") };

    assert!(matches!(asked(&world, &caller(None)).await, Err(Refusal::NoCertificateToBind)));
    assert!(matches!(asked(&world, &caller(Some(past))).await, Err(Refusal::NoCertificateToBind)));
}

#[tokio::test]
async fn a_certificate_binds_nothing_of_a_client_that_did_not_ask_for_it() {
    let world = World::new().await;

    let set = asked(&world, &caller(Some(certificate("a")))).await.unwrap();

    let token = tokens::verify(&world.authority, set.access_token.expose()).await.unwrap().unwrap();
    assert_eq!(token.key_binding, None);
}

async fn redeemed(person: &Person, code: &str, caller: &Caller) -> Result<TokenSet, Refusal> {
    let (code, verifier, redirect_uri) = (code.to_owned(), VERIFIER.to_owned(), CALLBACK.to_owned());
    let request =
        TokenRequest::AuthorizationCode(Redemption { code, verifier, redirect_uri, resource: None, key: None });
    exchange(&person.world.authority, &*person.world.client("app").await, caller, request).await
}

async fn refreshed(
    person: &Person,
    tokens: &TokenSet,
    caller: &Caller,
    key: Option<&str>,
) -> Result<TokenSet, Refusal> {
    let renewal = Renewal { token: refresh_token(tokens), scope: None, resource: None, key: key.map(str::to_owned) };
    let request = TokenRequest::RefreshToken(renewal);
    exchange(&person.world.authority, &*person.world.client("app").await, caller, request).await
}

async fn binding_of(person: &Person, set: &TokenSet) -> Option<String> {
    tokens::verify(&person.world.authority, set.access_token.expose()).await.unwrap().unwrap().key_binding
}

#[tokio::test]
async fn a_code_is_not_used_up_by_who_forgot_the_certificate() {
    let person = Person::signed_in().await;
    person.world.change("app", |client| client.binds_tokens = true).await;
    let code = person.code().await;

    let without = redeemed(&person, &code, &caller(None)).await;
    let with = redeemed(&person, &code, &caller(Some(certificate("a")))).await;

    assert!(matches!(without, Err(Refusal::NoCertificateToBind)));
    assert_eq!(binding_of(&person, &with.unwrap()).await.as_deref(), Some("a"));
}

#[tokio::test]
async fn a_refresh_token_of_a_public_client_is_bound_as_well() {
    for key in [None, Some("k1")] {
        let person = Person::signed_in().await;
        let public = |client: &mut Client| (client.kind, client.binds_tokens) = (ClientKind::Public, true);
        person.world.change("app", public).await;
        let (own, other) = (caller(Some(certificate("a"))), caller(Some(certificate("b"))));
        let first = redeemed(&person, &person.code().await, &own).await.unwrap();

        for thief in [&other, &caller(None)] {
            assert!(matches!(refreshed(&person, &first, thief, key).await, Err(Refusal::RefreshOfAnotherKey)));
        }
        let second = refreshed(&person, &first, &own, key).await.expect("the thieves ended nothing");
        // What began bound stays bound, whatever the operator changes.
        person.world.change("app", |client| client.binds_tokens = false).await;

        assert!(matches!(refreshed(&person, &second, &other, None).await, Err(Refusal::RefreshOfAnotherKey)));
        let third = refreshed(&person, &second, &own, None).await.unwrap();
        assert_eq!(binding_of(&person, &third).await.as_deref(), Some("a"));
    }
}

#[tokio::test]
async fn a_client_that_proves_itself_can_refresh_with_its_next_certificate() {
    let person = Person::signed_in().await;
    person.world.change("app", |client| client.binds_tokens = true).await;
    let first = redeemed(&person, &person.code().await, &caller(Some(certificate("a")))).await.unwrap();

    let second = refreshed(&person, &first, &caller(Some(certificate("b"))), None).await.unwrap();

    assert_eq!(binding_of(&person, &second).await.as_deref(), Some("b"));
}

#[tokio::test]
async fn userinfo_is_told_to_the_holder_of_the_certificate_only() {
    let person = Person::signed_in().await;
    person.world.change("app", |client| client.binds_tokens = true).await;
    let set = redeemed(&person, &person.code().await, &caller(Some(certificate("a")))).await.unwrap();

    let authority = &person.world.authority;
    let token = valetkey_oauth::tokens::verify(authority, set.access_token.expose()).await.unwrap().unwrap();
    let told = async |shown: Option<&Certificate>| valetkey_oauth::openid::userinfo(authority, &token, shown).await;

    assert!(told(Some(&certificate("a"))).await.is_ok());
    assert!(matches!(told(Some(&certificate("b"))).await, Err(Refusal::TokenOfAnotherKey)));
    assert!(matches!(told(None).await, Err(Refusal::TokenOfAnotherKey)));
}
