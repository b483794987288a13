//! Rules for stored API keys.

use valetkey_oauth::model::{ApiKeyId, ApiKeySecret, Secret};
use valetkey_oauth::ports::{ApiKeyChange, Ports};

use super::race;
use crate::build;
use crate::clock::moment;

fn secret(text: &str, made: i64) -> ApiKeySecret {
    ApiKeySecret { digest: Secret::new(text).digest(), created_at: moment(made), expires_at: None }
}

pub async fn an_added_key_is_found_by_its_secret(ports: Ports) {
    let (key, other) = (build::api_key(1), build::api_key(2));

    ports.api_keys.add_api_key(&key).await.unwrap();
    ports.api_keys.add_api_key(&other).await.unwrap();

    let found = ports.api_keys.find_api_key(&key.secrets[0].digest).await.unwrap();
    let nobody = ports.api_keys.find_api_key(&Secret::new("guess").digest()).await.unwrap();
    assert_eq!(found.as_deref(), Some(&key));
    assert_eq!(nobody, None);
    assert_eq!(ports.api_keys.list_api_keys().await.unwrap(), [key, other]);
}

pub async fn a_rotated_key_has_both_secrets_for_a_while(ports: Ports) {
    let key = build::api_key(1);
    ports.api_keys.add_api_key(&key).await.unwrap();

    let outcome = ports.api_keys.rotate_api_key(key.id, &secret("fresh", 10), moment(100)).await.unwrap();
    let stranger = ports.api_keys.rotate_api_key(ApiKeyId(build::id(9)), &secret("no", 10), moment(100)).await.unwrap();

    let (old, fresh) = (key.secrets[0].digest, Secret::new("fresh").digest());
    let found = ports.api_keys.find_api_key(&fresh).await.unwrap().unwrap();
    assert_eq!((outcome, stranger), (ApiKeyChange::Changed, ApiKeyChange::Unknown));
    assert!(found.accepts(&old, moment(99)) && !found.accepts(&old, moment(100)));
    assert!(found.accepts(&fresh, moment(99)) && found.accepts(&fresh, moment(100)));
}

pub async fn a_secret_that_has_ended_goes_with_the_next_rotation(ports: Ports) {
    let key = build::api_key(1);
    ports.api_keys.add_api_key(&key).await.unwrap();

    ports.api_keys.rotate_api_key(key.id, &secret("second", 10), moment(20)).await.unwrap();
    ports.api_keys.rotate_api_key(key.id, &secret("third", 30), moment(40)).await.unwrap();

    let found = ports.api_keys.find_api_key(&Secret::new("third").digest()).await.unwrap().unwrap();
    assert_eq!(found.secrets.len(), 2);
    assert_eq!(ports.api_keys.find_api_key(&key.secrets[0].digest).await.unwrap(), None);
}

pub async fn of_keys_rotated_at_once_one_secret_has_no_end(ports: Ports) {
    let key = build::api_key(1);
    ports.api_keys.add_api_key(&key).await.unwrap();

    race(16, |number| {
        let (keys, id) = (ports.api_keys.clone(), key.id);
        async move { keys.rotate_api_key(id, &secret(&format!("secret-{number}"), 1), moment(100)).await.unwrap() }
    })
    .await;

    let found = ports.api_keys.list_api_keys().await.unwrap().remove(0);
    assert_eq!(found.secrets.len(), 17);
    assert_eq!(found.secrets.iter().filter(|secret| secret.expires_at.is_none()).count(), 1);
}

pub async fn a_revoked_key_stays_on_record_and_is_not_renewed(ports: Ports) {
    let key = build::api_key(1);
    ports.api_keys.add_api_key(&key).await.unwrap();

    let outcomes = race(16, |number| {
        let (keys, id) = (ports.api_keys.clone(), key.id);
        async move { keys.revoke_api_key(id, moment(number as i64)).await.unwrap() }
    })
    .await;
    let renewed = ports.api_keys.rotate_api_key(key.id, &secret("fresh", 10), moment(100)).await.unwrap();
    let stranger = ports.api_keys.revoke_api_key(ApiKeyId(build::id(9)), moment(1)).await.unwrap();

    let found = ports.api_keys.list_api_keys().await.unwrap().remove(0);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == ApiKeyChange::Changed).count(), 1);
    assert_eq!((renewed, stranger), (ApiKeyChange::Revoked, ApiKeyChange::Unknown));
    assert!(found.revoked_at.is_some() && !found.accepts(&key.secrets[0].digest, moment(1)));
}

pub async fn the_last_use_is_the_latest_that_was_noted(ports: Ports) {
    let (key, other) = (build::api_key(1), build::api_key(2));
    ports.api_keys.add_api_key(&key).await.unwrap();
    ports.api_keys.add_api_key(&other).await.unwrap();

    ports.api_keys.note_api_key_uses(vec![(key.id, moment(50)), (ApiKeyId(build::id(9)), moment(50))]).await.unwrap();
    ports.api_keys.note_api_key_uses(vec![(key.id, moment(40)), (other.id, moment(60))]).await.unwrap();

    let used: Vec<_> = ports.api_keys.list_api_keys().await.unwrap().iter().map(|key| key.last_used_at).collect();
    assert_eq!(used, [Some(moment(50)), Some(moment(60))]);
}
