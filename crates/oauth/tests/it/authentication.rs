//! Which client is asking?

use std::time::Duration;

use valetkey_oauth::Refusal;
use valetkey_oauth::clients::{Presented, RegistrationError, authenticate, renew_secret};
use valetkey_oauth::model::{ClientId, ClientKind};

use crate::world::World;

#[tokio::test]
async fn the_right_secret_is_accepted_and_a_wrong_one_is_not() {
    let world = World::new().await;

    assert_eq!(world.identify("app", Some("app-secret")).await.unwrap().id.as_str(), "app");
    assert!(matches!(world.identify("app", Some("other-secret")).await, Err(Refusal::ClientSecretWrong)));
    assert!(matches!(world.identify("app", None).await, Err(Refusal::ClientSecretMissing)));
    assert!(matches!(world.identify("ghost", Some("app-secret")).await, Err(Refusal::ClientUnknown)));
}

#[tokio::test]
async fn an_old_secret_works_until_the_overlap_is_over() {
    let world = World::new().await;

    let fresh = renew_secret(&world.authority, &ClientId::new("app"), Duration::from_secs(60)).await.unwrap();
    world.clock.advance(59);
    let during = world.identify("app", Some("app-secret")).await;
    world.clock.advance(1);
    let after = world.identify("app", Some("app-secret")).await;

    assert!(during.is_ok());
    assert!(matches!(after, Err(Refusal::ClientSecretWrong)));
    assert!(world.identify("app", Some(fresh.expose())).await.is_ok());
}

#[tokio::test]
async fn a_public_client_is_known_by_its_id_but_proves_nothing() {
    let world = World::new().await;
    world.change("app", |client| client.kind = ClientKind::Public).await;
    let presented = Presented { id: ClientId::new("app"), secret: None, certificate: None };

    assert!(world.identify("app", None).await.is_ok());
    assert!(matches!(world.identify("app", Some("app-secret")).await, Err(Refusal::ClientSecretWrong)));
    assert!(matches!(authenticate(&world.authority, &presented).await, Err(Refusal::ClientIsPublic)));
    let renewed = renew_secret(&world.authority, &presented.id, Duration::ZERO).await;
    assert!(matches!(renewed, Err(RegistrationError::IsPublic(_))), "a secret that would never work");
}

#[tokio::test]
async fn a_refused_client_is_told_without_its_secret() {
    let world = World::new().await;

    let _ = world.identify("app", Some("a-guess")).await;
    let _ = world.identify("made-up-id", Some("a-guess")).await;

    let heard = world.ear.heard();
    assert_eq!(heard.iter().filter(|event| event.contains("ClientRefused")).count(), 2);
    assert!(!heard.join("\n").contains("a-guess"));
    assert!(!heard.join("\n").contains("made-up-id"), "an id that does not exist may be a secret in the wrong place");
}
