//! The client speaks for itself.

use valetkey_oauth::Refusal;
use valetkey_oauth::grants::offered;
use valetkey_oauth::model::ClientKind;
use valetkey_oauth::protocol::{GrantType, Scope};

use crate::world::World;

#[tokio::test]
async fn the_subject_is_the_client_and_the_scope_is_what_is_registered() {
    let world = World::new().await;

    let tokens = world.exchange("app", None).await.unwrap();
    let token = world.look("app", tokens.access_token.expose()).await.unwrap();

    assert_eq!((token.subject.as_str(), token.client.as_str()), ("app", "app"));
    assert_eq!(token.scope.as_str(), "read:orders write:orders");
    assert_eq!(token.audience, "https://auth.example/api");
    assert_eq!((tokens.expires_in, token.session), (900, None));
}

#[tokio::test]
async fn a_narrower_scope_is_granted_as_asked() {
    let world = World::new().await;

    let tokens = world.exchange("app", Some("write:orders")).await.unwrap();

    assert_eq!(tokens.scope.as_str(), "write:orders");
}

#[tokio::test]
async fn a_scope_beyond_the_registered_one_is_refused_whole() {
    let world = World::new().await;

    let refusal = world.exchange("app", Some("read:orders delete:everything")).await.unwrap_err();

    assert!(matches!(refusal, Refusal::ScopeNotRegistered(name) if name == "delete:everything"));
}

#[tokio::test]
async fn scopes_of_users_are_refused_when_asked_and_left_out_when_not() {
    let world = World::new().await;
    world.change("app", |client| client.scope = Scope::parse("openid read:orders offline_access").unwrap()).await;

    let asked = world.exchange("app", Some("openid")).await.unwrap_err();
    let silent = world.exchange("app", None).await.unwrap();

    assert!(matches!(asked, Refusal::ScopeNeedsUser(_)));
    assert_eq!(silent.scope.as_str(), "read:orders");
}

#[tokio::test]
async fn a_client_that_is_not_registered_for_the_grant_is_refused() {
    let world = World::new().await;
    world.change("app", |client| client.grants = vec![GrantType::AuthorizationCode]).await;

    assert!(matches!(world.exchange("app", None).await, Err(Refusal::GrantNotRegistered)));
}

#[tokio::test]
async fn a_public_client_never_speaks_for_itself() {
    let world = World::new().await;
    world.change("app", |client| client.kind = ClientKind::Public).await;

    assert!(matches!(world.exchange("app", None).await, Err(Refusal::ClientIsPublic)));
}

#[tokio::test]
async fn the_resource_must_be_one_that_is_guarded_here() {
    let world = World::new().await;

    let own = world.exchange_for("app", None, Some("https://auth.example/api")).await;
    let foreign = world.exchange_for("app", None, Some("https://bank.example")).await;

    assert!(own.is_ok());
    assert!(matches!(foreign, Err(Refusal::ResourceUnknown)));
}

#[test]
fn implicit_and_password_are_not_offered() {
    for grant in ["password", "implicit", "", "CLIENT_CREDENTIALS", "token"] {
        assert!(matches!(offered(grant), Err(Refusal::GrantUnsupported)), "{grant}");
    }
}

#[tokio::test]
async fn issuing_is_told_without_the_token() {
    let world = World::new().await;

    let token = world.token().await;

    let heard = world.ear.heard().join("\n");
    assert!(heard.contains("TokensIssued"));
    assert!(!heard.contains(&token));
}
