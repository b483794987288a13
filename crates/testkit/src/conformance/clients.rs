//! Rules for stored clients.

use valetkey_oauth::model::{Client, ClientId, ClientSecret, DistinguishedName, RevocationTarget, Secret, TlsIdentity};
use valetkey_oauth::ports::{
    ClientRegistration, ClientRemoval, Grounds, OpeningRules, Ports, RevocationCursor, SecretChange,
};

use super::race;
use crate::build;
use crate::clock::moment;

pub async fn a_registered_client_is_found_again(ports: Ports) {
    let mut client = build::client("app");
    client.tls = Some(TlsIdentity::SubjectDn(DistinguishedName::parse("CN=till 7,O=Example\\, Inc.").unwrap()));
    client.binds_tokens = true;

    let outcome = ports.clients.register(&client).await.unwrap();
    let found = ports.clients.find(&client.id).await.unwrap().unwrap();

    assert_eq!(outcome, ClientRegistration::Registered);
    assert_eq!(found.name, client.name);
    assert_eq!(found.redirect_uris, client.redirect_uris);
    assert_eq!(found.grants, client.grants);
    assert_eq!(found.scope, client.scope);
    assert_eq!(found.tls, client.tls);
    assert_eq!(found.binds_tokens, client.binds_tokens);
    assert_eq!(found.created_at, client.created_at);
    assert!(found.accepts(&Secret::new("app-secret").digest(), moment(0)));
    assert!(ports.clients.find(&ClientId::new("other")).await.unwrap().is_none());
    assert_eq!(ports.clients.list().await.unwrap().len(), 1);
}

pub async fn an_id_is_taken_once(ports: Ports) {
    let first = build::client("app");
    let mut second = build::client("app");
    second.name = "An impostor".to_owned();

    ports.clients.register(&first).await.unwrap();
    let outcome = ports.clients.register(&second).await.unwrap();

    assert_eq!(outcome, ClientRegistration::IdTaken);
    assert_eq!(ports.clients.find(&first.id).await.unwrap().unwrap().name, first.name);
}

pub async fn registration_has_one_winner(ports: Ports) {
    let outcomes = race(32, |_| {
        let clients = ports.clients.clone();
        async move { clients.register(&build::client("app")).await.unwrap() }
    })
    .await;

    assert_eq!(outcomes.iter().filter(|outcome| **outcome == ClientRegistration::Registered).count(), 1);
}

pub async fn a_new_secret_lets_the_old_ones_end(ports: Ports) {
    let client = build::client("app");
    let fresh = Secret::new("fresh");
    let secret = ClientSecret { digest: fresh.digest(), created_at: moment(10), expires_at: None };
    ports.clients.register(&client).await.unwrap();

    let outcome = ports.clients.add_secret(&client.id, &secret, moment(100)).await.unwrap();
    let stranger = ports.clients.add_secret(&ClientId::new("no"), &secret, moment(100)).await.unwrap();

    let found = ports.clients.find(&client.id).await.unwrap().unwrap();
    let old = Secret::new("app-secret").digest();
    assert_eq!(outcome, SecretChange::Changed);
    assert_eq!(stranger, SecretChange::UnknownClient);
    assert!(found.accepts(&old, moment(99)) && !found.accepts(&old, moment(100)));
    assert!(found.accepts(&fresh.digest(), moment(99)) && found.accepts(&fresh.digest(), moment(1_000_000)));
}

pub async fn of_secrets_added_at_once_one_has_no_end(ports: Ports) {
    let client = build::client("app");
    ports.clients.register(&client).await.unwrap();

    race(16, |number| {
        let (clients, id) = (ports.clients.clone(), client.id.clone());
        let digest = Secret::new(format!("secret-{number}")).digest();
        let secret = ClientSecret { digest, created_at: moment(number as i64), expires_at: None };
        async move { clients.add_secret(&id, &secret, moment(100)).await.unwrap() }
    })
    .await;

    let found = ports.clients.find(&client.id).await.unwrap().unwrap();
    assert_eq!(found.secrets.len(), 17);
    assert_eq!(found.secrets.iter().filter(|secret| secret.expires_at.is_none()).count(), 1);
}

pub async fn an_id_that_nobody_can_have_is_unknown(ports: Ports) {
    for id in ["", "a\0b", "ümläut", &"x".repeat(10_000)] {
        assert!(ports.clients.find(&ClientId::new(id)).await.unwrap().is_none());
    }
}

pub async fn an_update_keeps_the_secrets(ports: Ports) {
    let mut client = build::client("app");
    ports.clients.register(&client).await.unwrap();

    client.name = "Renamed".to_owned();
    client.secrets.clear();
    let known = ports.clients.update(&client).await.unwrap();
    let unknown = ports.clients.update(&build::client("other")).await.unwrap();

    let found = ports.clients.find(&client.id).await.unwrap().unwrap();
    assert!(known && !unknown);
    assert_eq!(found.name, "Renamed");
    assert!(found.accepts(&Secret::new("app-secret").digest(), moment(0)));
}

pub async fn a_removed_client_takes_all_along(ports: Ports) {
    let client = build::client("app");
    ports.clients.register(&client).await.unwrap();
    ports.sessions.open(&build::session(1), &build::opening()).await.unwrap();
    let tokens = build::revocation(RevocationTarget::Client(client.id.clone(), moment(5)));

    let outcome = ports.clients.remove(&client.id, &tokens).await.unwrap();
    let again = ports.clients.remove(&client.id, &tokens).await.unwrap();

    let feed = ports.revocations.feed(RevocationCursor::default(), moment(6)).await.unwrap();
    assert_eq!((outcome, again), (ClientRemoval::Removed, ClientRemoval::UnknownClient));
    assert!(ports.clients.find(&client.id).await.unwrap().is_none());
    assert!(ports.sessions.find_session(build::session(1).id).await.unwrap().is_none());
    assert_eq!(feed.entries, vec![tokens]);
}

pub async fn what_begins_beside_a_removal_goes_with_it(ports: Ports) {
    let client = build::client("app");
    let rules = OpeningRules { grounds: Grounds { consent: true, sign_in: false }, ..build::opening() };
    let tokens = build::revocation(RevocationTarget::Client(client.id.clone(), moment(5)));
    for number in 1..=40 {
        ports.clients.register(&client).await.unwrap();
        ports.consents.agree(&build::consent("openid read:orders")).await.unwrap();
        let begun = build::session(number);

        race(2, |which| {
            let (ports, rules, begun) = (ports.clone(), rules.clone(), begun.clone());
            let (id, tokens) = (client.id.clone(), tokens.clone());
            async move {
                match which {
                    0 => drop(ports.sessions.open(&begun, &rules).await.unwrap()),
                    _ => drop(ports.clients.remove(&id, &tokens).await.unwrap()),
                }
            }
        })
        .await;

        assert!(ports.sessions.find_session(begun.id).await.unwrap().is_none(), "{number} is left");
    }
}

pub async fn an_origin_names_the_clients_that_registered_it(ports: Ports) {
    let origins = |names: &[&str]| names.iter().map(|name| format!("https://{name}.example")).collect::<Vec<_>>();
    let with = |id: &str, names: &[&str]| Client { origins: origins(names), ..build::client(id) };
    ports.clients.register(&with("one", &["a", "b"])).await.unwrap();
    ports.clients.register(&with("two", &["b", "b"])).await.unwrap();
    let of = async |name: &str| {
        let found = ports.clients.of_origin(&format!("https://{name}.example")).await.unwrap();
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!((of("a").await, of("b").await), (vec!["one".to_owned()], vec!["one".to_owned(), "two".to_owned()]));

    ports.clients.update(&with("one", &["b", "c"])).await.unwrap();
    ports.clients.update(&with("stranger", &["a"])).await.unwrap();
    let tokens = build::revocation(RevocationTarget::Client(ClientId::new("two"), moment(5)));
    ports.clients.remove(&ClientId::new("two"), &tokens).await.unwrap();

    assert_eq!(of("a").await, [""; 0]);
    assert_eq!((of("b").await, of("c").await), (vec!["one".to_owned()], vec!["one".to_owned()]));
    assert_eq!(of("a\0").await, [""; 0]);
}
