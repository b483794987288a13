//! A token is opened once and judged each time.

use uuid::Uuid;
use valetkey_oauth::grants::{Caller as From, TokenRequest, exchange};
use valetkey_oauth::model::{AccessTokenFormat, Algorithm, Client, ClientId, Session, SubjectNames};
use valetkey_oauth::policy::{Policy, RevocationCheck};
use valetkey_testkit::authority::{authority, policy};
use valetkey_testkit::memory::Memory;
use valetkey_testkit::{Ear, FixedClock, build};

use super::*;

struct World {
    own: OwnTokens,
    authority: Arc<Authority>,
    clock: Arc<FixedClock>,
    client: Arc<Client>,
}

impl World {
    async fn with(policy: Policy) -> Self {
        let (ports, clock) = (Memory::ports(), Arc::new(FixedClock::default()));
        ports.clients.register(&build::client("app")).await.unwrap();
        let client = ports.clients.find(&ClientId::new("app")).await.unwrap().unwrap();
        let authority = authority(ports, clock.clone(), Arc::new(Ear::default()), policy).await.unwrap();
        let authority = Arc::new(authority);
        Self { own: OwnTokens::of(authority.clone()), authority, clock, client }
    }

    async fn token(&self) -> String {
        let request = TokenRequest::ClientCredentials { scope: None, resource: None };
        let tokens = exchange(&self.authority, &self.client, &From::default(), request).await.unwrap();
        tokens.access_token.expose().to_owned()
    }

    /// Who it is, if that is known at once.
    fn at_once(&self, token: &str) -> Option<Option<String>> {
        self.own.verify_at_once(token).map(|verified| verified.unwrap().map(|caller| caller.client.clone()))
    }

    async fn revoke(&self, token: &str) {
        tokens::revoke(&self.authority, &self.client, token).await.unwrap();
    }
}

fn app() -> Option<Option<String>> {
    Some(Some("app".to_owned()))
}

#[tokio::test]
async fn a_token_that_was_opened_before_is_refused_once_it_is_revoked_or_over() {
    let world = World::with(policy()).await;
    let (revoked, over) = (world.token().await, world.token().await);
    for token in [&revoked, &over, &revoked, &over] {
        assert_eq!(world.at_once(token), app());
    }

    world.revoke(&revoked).await;

    assert_eq!(world.at_once(&revoked), Some(None));
    assert_eq!(world.own.verify(&revoked).await, Ok(None));
    assert_eq!(world.at_once(&over), app());
    world.clock.advance(900);
    assert_eq!(world.at_once(&over), Some(None));
    assert_eq!(world.own.verify(&over).await, Ok(None));
}

#[tokio::test]
async fn a_signed_token_is_known_at_once_when_it_was_verified_before() {
    let signed = AccessTokenFormat::Jwt(Algorithm::Es256);
    let world = World::with(Policy { access_format: signed, ..policy() }).await;
    let token = world.token().await;

    let first = world.at_once(&token);
    let verified = world.own.verify(&token).await.unwrap().unwrap();

    assert_eq!(first, None);
    assert_eq!(world.own.verify_at_once(&token).unwrap().unwrap().as_deref(), Some(&verified));
    let (rest, last) = token.split_at(token.len() - 1);
    let changed = format!("{rest}{}", if last == "A" { "Q" } else { "A" });
    assert_eq!(world.own.verify(&changed).await, Ok(None));
    world.revoke(&token).await;
    assert_eq!(world.at_once(&token), Some(None));
}

#[tokio::test]
async fn where_the_store_decides_it_is_asked_about_each_token_each_time() {
    let world = World::with(Policy { revocation_check: RevocationCheck::Store, ..policy() }).await;
    let token = world.token().await;

    assert!(world.own.verify(&token).await.unwrap().is_some());
    assert_eq!(world.at_once(&token), None);
    world.revoke(&token).await;

    assert_eq!(world.own.verify(&token).await, Ok(None));
}

#[tokio::test]
async fn a_token_for_another_api_is_refused_as_often_as_it_comes() {
    let world = World::with(policy()).await;
    let mut token = tokens::open_at_once(&world.authority, &world.token().await).unwrap().unwrap();
    token.audience = "https://elsewhere.example".to_owned();

    assert!(world.own.caller(&token).is_none());
    let text = world.token().await;
    world.own.keep(&text, &world.authority.ring(), token);
    for _ in 0..2 {
        assert_eq!(world.at_once(&text), Some(None));
    }
}

#[tokio::test]
async fn whom_a_token_speaks_for_is_asked_each_time_where_the_store_knows_it() {
    let signed = AccessTokenFormat::Jwt(Algorithm::Es256);
    let mut world = World::with(Policy { access_format: signed, ..policy() }).await;
    let alone = |sector: &str| SubjectNames::Pairwise { sector: sector.to_owned() };
    let mut client = Client { subject_names: alone("app.example"), ..(*world.client).clone() };
    assert!(world.authority.ports.clients.update(&client).await.unwrap());
    world.client = Arc::new(client.clone());
    let session = Session { subject: Uuid::from_u128(7).to_string(), ..build::session(1) };
    let (scope, audience) = (session.scope.clone(), policy().audience);
    let token = tokens::issue(&world.authority, &client, Some(&session), scope, audience, None).unwrap().text;

    let first = world.own.verify(token.expose()).await.unwrap().unwrap();
    client.subject_names = alone("other.example");
    assert!(world.authority.ports.clients.update(&client).await.unwrap());

    assert_eq!(first.subject, Some(session.subject));
    assert_eq!(world.own.verify(token.expose()).await, Ok(None));
}
