//! Taking tokens back.

use valetkey_oauth::Refusal;
use valetkey_oauth::clients;
use valetkey_oauth::model::{AccessTokenFormat, Algorithm, ClientId, SessionEnd};
use valetkey_oauth::ports::RevocationCursor;
use valetkey_oauth::sessions;
use valetkey_oauth::tokens::{issue, revoke};
use valetkey_testkit::build;
use valetkey_testkit::clock::moment;

use crate::world::World;

#[tokio::test]
async fn a_revoked_token_is_dead_and_its_sister_is_not() {
    let world = World::new().await;
    let (first, second) = (world.token().await, world.token().await);

    revoke(&world.authority, &*world.client("app").await, &first).await.unwrap();

    assert!(world.look("app", &first).await.is_none());
    assert!(world.look("app", &second).await.is_some());
}

#[tokio::test]
async fn a_signed_token_can_be_revoked_too() {
    let world = World::new().await;
    world.use_format(AccessTokenFormat::Jwt(Algorithm::Rs256)).await;
    let token = world.token().await;

    revoke(&world.authority, &*world.client("app").await, &token).await.unwrap();

    assert!(world.look("app", &token).await.is_none());
}

#[tokio::test]
async fn what_is_no_token_is_revoked_with_success_and_writes_nothing() {
    let world = World::new().await;
    let expired = world.token().await;
    world.clock.advance(900);

    for text in ["", "garbage", "vk_at_AAAA", "a.b.c", expired.as_str()] {
        revoke(&world.authority, &*world.client("app").await, text).await.unwrap();
    }

    let feed = world.authority.ports.revocations.feed(RevocationCursor::default(), moment(0)).await.unwrap();
    assert!(feed.entries.is_empty());
}

#[tokio::test]
async fn another_clients_token_is_not_revoked() {
    let world = World::new().await;
    let token = world.token().await;

    let refusal = revoke(&world.authority, &*world.client("other").await, &token).await.unwrap_err();

    assert!(matches!(refusal, Refusal::TokenOfAnotherClient));
    assert!(world.look("app", &token).await.is_some());
}

#[tokio::test]
async fn removing_a_client_kills_its_tokens() {
    let world = World::new().await;
    world.change("other", |client| client.introspection = valetkey_oauth::model::IntrospectionReach::Any).await;
    let token = world.token().await;

    clients::remove(&world.authority, &ClientId::new("app")).await.unwrap();

    assert!(world.look("other", &token).await.is_none());
}

#[tokio::test]
async fn ending_a_session_kills_its_tokens_and_is_told() {
    let world = World::new().await;
    let (session, client) = (build::session(1), world.client("app").await);
    world.authority.ports.sessions.open(&session, &build::opening()).await.unwrap();
    let scope = session.scope.clone();
    let token = issue(&world.authority, &client, Some(&session), scope, "x".to_owned(), None).unwrap();

    sessions::end(&world.authority, session.id, SessionEnd::Operator).await.unwrap();

    assert!(world.look("app", token.text.expose()).await.is_none());
    assert!(world.ear.heard().iter().any(|event| event.contains("SessionEnded")));
}
