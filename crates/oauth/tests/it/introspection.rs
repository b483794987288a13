//! Looking into tokens.

use proptest::prelude::*;
use valetkey_oauth::Refusal;
use valetkey_oauth::model::{
    AccessTokenFormat, Algorithm, ClientKind, IntrospectionReach, Revocation, RevocationTarget,
};
use valetkey_oauth::policy::{Policy, RevocationCheck};
use valetkey_oauth::tokens::introspect;
use valetkey_testkit::authority::policy;
use valetkey_testkit::memory::Memory;

use crate::world::World;

#[tokio::test]
async fn a_token_is_good_until_the_second_it_expires() {
    let world = World::new().await;
    let token = world.token().await;

    world.clock.advance(899);
    let before = world.look("app", &token).await;
    world.clock.advance(1);
    let after = world.look("app", &token).await;

    assert!(before.is_some());
    assert!(after.is_none());
}

#[tokio::test]
async fn another_client_learns_nothing_unless_it_may_see_all() {
    let world = World::new().await;
    let token = world.token().await;

    let stranger = world.look("other", &token).await;
    world.change("other", |client| client.introspection = IntrospectionReach::Any).await;
    let resource_server = world.look("other", &token).await;

    assert!(stranger.is_none());
    assert_eq!(resource_server.unwrap().client.as_str(), "app");
}

#[tokio::test]
async fn a_public_client_may_not_introspect() {
    let world = World::new().await;
    world.change("app", |client| client.kind = ClientKind::Public).await;
    let client = world.client("app").await;

    assert!(matches!(introspect(&world.authority, &client, "x").await, Err(Refusal::ClientIsPublic)));
}

#[tokio::test]
async fn a_revocation_by_another_node_is_seen_at_once_when_the_store_is_asked() {
    let strict = Policy { revocation_check: RevocationCheck::Store, ..policy() };
    let world = World::with(Memory::ports(), strict).await;
    let text = world.token().await;
    let token = world.look("app", &text).await.unwrap();

    let elsewhere = Revocation { target: RevocationTarget::Token(token.id), expires_at: token.expires_at };
    world.authority.ports.revocations.record(&elsewhere).await.unwrap();

    assert!(world.look("app", &text).await.is_none());
}

#[tokio::test]
async fn a_revocation_by_another_node_is_in_the_window_after_the_next_look() {
    let world = World::new().await;
    let text = world.token().await;
    let token = world.look("app", &text).await.unwrap();
    let elsewhere =
        Revocation { target: RevocationTarget::Subject(token.subject, token.issued_at), expires_at: token.expires_at };
    world.authority.ports.revocations.record(&elsewhere).await.unwrap();

    let before = world.look("app", &text).await;
    world.authority.refresh_window().await.unwrap();
    let after = world.look("app", &text).await;

    assert!(before.is_some() && after.is_none());
}

#[tokio::test]
async fn the_window_forgets_what_has_expired() {
    let world = World::new().await;
    let text = world.token().await;
    let token = world.look("app", &text).await.unwrap();
    world.authority.window.add(&Revocation { target: RevocationTarget::Token(token.id), expires_at: token.expires_at });

    world.clock.advance(901);
    world.authority.refresh_window().await.unwrap();

    assert!(world.authority.window.is_empty());
}

#[test]
fn garbage_is_inactive_and_never_panics() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let world = runtime.block_on(World::new());

    proptest!(|(text in "(vk_at_)?[A-Za-z0-9._-]{0,200}|.{0,60}")| {
        prop_assert!(runtime.block_on(world.look("app", &text)).is_none());
    });
}

#[tokio::test]
async fn every_changed_byte_makes_a_token_worthless() {
    let world = World::new().await;
    for format in
        [AccessTokenFormat::Opaque, AccessTokenFormat::Jwt(Algorithm::Es256), AccessTokenFormat::Jwt(Algorithm::EdDsa)]
    {
        world.use_format(format).await;
        let token = world.token().await;
        for at in 0..token.len() {
            let mut bytes = token.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(bytes).unwrap();
            assert!(world.look("app", &changed).await.is_none(), "{format:?}, byte {at} of {}", token.len());
        }
    }
}
