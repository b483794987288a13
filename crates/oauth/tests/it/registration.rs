//! Registering clients.

use valetkey_oauth::clients::{NewClient, RegistrationError, register};
use valetkey_oauth::model::ClientKind;
use valetkey_oauth::protocol::GrantType;

use crate::world::World;

fn new() -> NewClient {
    NewClient { name: "Till".to_owned(), grants: vec![GrantType::ClientCredentials], ..NewClient::default() }
}

#[tokio::test]
async fn a_new_client_gets_an_id_and_a_secret_of_letters_and_digits() {
    let world = World::new().await;

    let registered = register(&world.authority, new()).await.unwrap();

    let (id, secret) = (registered.client.id.clone(), registered.secret.unwrap());
    assert!(id.as_str().bytes().all(|b| b.is_ascii_alphanumeric()));
    assert!(secret.expose().strip_prefix("vk_cs_").unwrap().bytes().all(|b| b.is_ascii_alphanumeric()));
    assert_eq!(secret.expose().len(), 6 + 43);
    assert!(world.identify(id.as_str(), Some(secret.expose())).await.is_ok());
}

#[tokio::test]
async fn a_public_client_gets_no_secret() {
    let world = World::new().await;
    let grants = vec![GrantType::AuthorizationCode];
    let redirect_uris = vec!["com.example.app:/callback".to_owned()];

    let registered = register(&world.authority, NewClient { kind: ClientKind::Public, grants, redirect_uris, ..new() });

    assert!(registered.await.unwrap().secret.is_none());
}

#[tokio::test]
async fn what_cannot_work_or_must_not_is_refused() {
    let world = World::new().await;
    let uri = |uri: &str| NewClient { redirect_uris: vec![uri.to_owned()], ..new() };
    let refused = async |new: NewClient| register(&world.authority, new).await.unwrap_err();

    for bad in ["/relative", "https://x/#f", "javascript:alert(1)", "data:text/html,x", "https://x/ y", "", "https:"] {
        assert!(matches!(refused(uri(bad)).await, RegistrationError::BadRedirectUri(_)), "{bad}");
    }
    let public = NewClient { kind: ClientKind::Public, ..new() };
    assert!(matches!(refused(public).await, RegistrationError::PublicWithCredentials));
    let nowhere = NewClient { grants: vec![GrantType::AuthorizationCode], ..new() };
    assert!(matches!(refused(nowhere).await, RegistrationError::NoRedirectUri));
    let odd_id = NewClient { id: Some("a b".to_owned()), ..new() };
    assert!(matches!(refused(odd_id).await, RegistrationError::BadId));
    let taken = NewClient { id: Some("app".to_owned()), ..new() };
    assert!(matches!(refused(taken).await, RegistrationError::IdTaken(_)));
    let patient = NewClient { refresh_retry_window: std::time::Duration::from_secs(61), ..new() };
    assert!(matches!(refused(patient).await, RegistrationError::LongRetryWindow));
    let nameless = NewClient { name: String::new(), ..new() };
    assert!(matches!(refused(nameless).await, RegistrationError::BadName));
}
