//! Rules for stored keys.

use valetkey_oauth::model::{Algorithm, KeyPurpose};
use valetkey_oauth::ports::{KeyAddition, Ports};

use super::race;
use crate::build;

const ES256: KeyPurpose = KeyPurpose::Sign(Algorithm::Es256);

pub async fn keys_come_back_in_order(ports: Ports) {
    for key in [build::key(ES256, 2), build::key(KeyPurpose::Seal, 1), build::key(ES256, 1), build::key(ES256, 10)] {
        ports.keys.add_key(&key).await.unwrap();
    }

    let all = ports.keys.all_keys().await.unwrap();

    let signing: Vec<_> = all.iter().filter(|key| key.purpose == ES256).cloned().collect();
    assert_eq!(all.len(), 4);
    assert_eq!(signing, [build::key(ES256, 1), build::key(ES256, 2), build::key(ES256, 10)]);
}

pub async fn a_generation_is_made_once(ports: Ports) {
    let outcomes = race(16, |number| {
        let keys = ports.keys.clone();
        async move {
            let mut key = build::key(KeyPurpose::Seal, 1);
            key.id = format!("from-{number}");
            keys.add_key(&key).await.unwrap()
        }
    })
    .await;

    assert_eq!(outcomes.iter().filter(|outcome| **outcome == KeyAddition::Added).count(), 1);
    assert_eq!(ports.keys.all_keys().await.unwrap().len(), 1);
}

pub async fn a_removed_key_is_gone(ports: Ports) {
    ports.keys.add_key(&build::key(ES256, 1)).await.unwrap();
    ports.keys.add_key(&build::key(ES256, 2)).await.unwrap();

    ports.keys.remove_key(ES256, 1).await.unwrap();
    ports.keys.remove_key(ES256, 1).await.unwrap();

    assert_eq!(ports.keys.all_keys().await.unwrap(), [build::key(ES256, 2)]);
}
