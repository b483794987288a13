//! What an opaque token carries comes back as it went in.

use valetkey_oauth::model::{AccessTokenFormat, Algorithm, Revocation, RevocationTarget, Session};
use valetkey_oauth::policy::{Policy, RevocationCheck};
use valetkey_oauth::protocol::Scope;
use valetkey_oauth::tokens::{is_good_at_once, issue, open_at_once, revoke, verify};
use valetkey_testkit::authority::policy;
use valetkey_testkit::build;
use valetkey_testkit::memory::Memory;

use crate::world::World;

#[tokio::test]
async fn a_token_of_a_session_carries_all_it_was_given() {
    let world = World::new().await;
    let (client, session) = (world.client("app").await, Session { subject: "ælice".to_owned(), ..build::session(7) });
    let scope = Scope::parse("read:orders").unwrap();

    let issued = issue(&world.authority, &client, Some(&session), scope.clone(), "https://x".to_owned(), None).unwrap();
    let token = verify(&world.authority, issued.text.expose()).await.unwrap().unwrap();

    assert_eq!((token.session, token.authenticated_at), (Some(session.id), Some(session.authenticated_at)));
    assert_eq!((token.subject.as_str(), token.audience.as_str()), ("ælice", "https://x"));
    assert_eq!(token.scope, scope);
    assert_eq!(token.issued_at, world.authority.now());
}

#[tokio::test]
async fn tokens_are_marked_and_never_the_same() {
    let world = World::new().await;

    let (first, second) = (world.token().await, world.token().await);

    assert!(first.starts_with("vk_at_"));
    assert_ne!(first, second);
}

#[tokio::test]
async fn a_token_does_not_pass_under_another_prefix() {
    let world = World::new().await;
    let token = world.token().await;

    let disguised = token.replacen("vk_at_", "vk_rt_", 1);

    assert!(world.look("app", &disguised).await.is_none());
}

#[tokio::test]
async fn the_text_of_a_token_reveals_neither_client_nor_scope() {
    use base64::Engine;
    let world = World::new().await;
    let token = world.token().await;

    let bytes = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(&token[6..]).unwrap();

    for secret in [&b"app"[..], b"read:orders", b"auth.example"] {
        assert!(!bytes.windows(secret.len()).any(|window| window == secret));
    }
}

#[tokio::test]
async fn the_largest_scope_that_can_be_registered_makes_tokens_that_open() {
    let world = World::new().await;
    let names: Vec<String> = (0..64).map(|number| format!("{number:0>100}")).collect();
    let scope = Scope::parse(&names.join(" ")).unwrap();
    world.change("app", |client| client.scope = scope.clone()).await;

    for format in [AccessTokenFormat::Opaque, AccessTokenFormat::Jwt(Algorithm::Rs256)] {
        world.use_format(format).await;
        let token = world.token().await;
        assert_eq!(world.look("app", &token).await.unwrap().scope, scope);
    }
}

#[tokio::test]
async fn what_is_known_at_once_is_what_is_known_after_a_look() {
    let world = World::new().await;
    let (good, revoked) = (world.token().await, world.token().await);
    revoke(&world.authority, &*world.client("app").await, &revoked).await.unwrap();
    world.use_format(AccessTokenFormat::Jwt(Algorithm::Es256)).await;
    let signed = world.token().await;

    let known = |text: &str| {
        let opened = open_at_once(&world.authority, text).unwrap();
        opened.filter(|token| is_good_at_once(&world.authority, token).unwrap())
    };

    for (text, is_good) in [(good.as_str(), true), (revoked.as_str(), false), ("vk_at_x", false)] {
        let at_once = known(text).map(|token| token.id);

        assert_eq!(at_once.is_some(), is_good, "{text}");
        assert_eq!(at_once, verify(&world.authority, text).await.unwrap().map(|token| token.id));
    }
    assert!(open_at_once(&world.authority, &signed).is_none());
    world.clock.advance(86_400);
    assert!(known(&good).is_none());
}

#[tokio::test]
async fn a_window_that_was_not_fed_for_a_second_is_not_believed() {
    let world = World::new().await;
    let text = world.token().await;
    let token = open_at_once(&world.authority, &text).unwrap().unwrap();
    assert_eq!(is_good_at_once(&world.authority, &token), Some(true));

    // By another node.
    let revocation = Revocation { target: RevocationTarget::Token(token.id), expires_at: token.expires_at };
    world.authority.ports.revocations.record(&revocation).await.unwrap();
    world.clock.advance(1);

    assert_eq!(is_good_at_once(&world.authority, &token), None);
    assert!(verify(&world.authority, &text).await.unwrap().is_none());
    world.authority.refresh_window().await.unwrap();
    assert_eq!(is_good_at_once(&world.authority, &token), Some(false));
}

#[tokio::test]
async fn where_the_store_decides_nothing_is_known_at_once() {
    let strict = Policy { revocation_check: RevocationCheck::Store, ..policy() };
    let world = World::with(Memory::ports(), strict).await;

    let token = open_at_once(&world.authority, &world.token().await).unwrap().unwrap();

    assert_eq!(is_good_at_once(&world.authority, &token), None);
}
