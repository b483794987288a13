//! Keys: made once, published before use, kept as long as needed.

use std::sync::Arc;

use valetkey_oauth::authorize::{Interaction, approve};
use valetkey_oauth::keys::{KeyError, RootKey, keep_up, rotate};
use valetkey_oauth::model::{AccessTokenFormat, Algorithm, KeyPurpose};
use valetkey_oauth::{Authority, Refusal};
use valetkey_testkit::authority::policy;
use valetkey_testkit::memory::Memory;
use valetkey_testkit::{Ear, FixedClock, SeededRandom};

use crate::person::{CALLBACK, Person, VERIFIER, parameter};
use crate::world::World;

const DAY: i64 = 86_400;
const ES256: KeyPurpose = KeyPurpose::Sign(Algorithm::Es256);

async fn generations(world: &World, purpose: KeyPurpose) -> Vec<u32> {
    let keys = world.authority.ports.keys.all_keys().await.unwrap();
    keys.iter().filter(|key| key.purpose == purpose).map(|key| key.generation).collect()
}

fn signs_now(world: &World) -> String {
    let now = world.authority.now();
    world.authority.ring().signing(Algorithm::Es256, now).unwrap().id().to_owned()
}

#[tokio::test]
async fn the_first_start_makes_one_key_of_each_kind_and_the_second_makes_none() {
    let world = World::new().await;

    let again = keep_up(&world.authority).await.unwrap();

    assert_eq!((again.made, again.removed), (0, 0));
    for purpose in KeyPurpose::ALL {
        assert_eq!(generations(&world, purpose).await, [1]);
    }
}

#[tokio::test]
async fn a_rotated_key_is_published_at_once_and_signs_after_its_lead() {
    let world = World::new().await;
    let old = signs_now(&world);

    let made = rotate(&world.authority, ES256, false).await.unwrap();

    assert!(world.authority.ring().jwks().contains(&made.id));
    assert_eq!(signs_now(&world), old);
    world.clock.advance(599);
    assert_eq!(signs_now(&world), old);
    world.clock.advance(1);
    assert_eq!(signs_now(&world), made.id);
}

#[tokio::test]
async fn an_urgent_rotation_signs_at_once() {
    let world = World::new().await;

    let made = rotate(&world.authority, ES256, true).await.unwrap();

    assert_eq!(signs_now(&world), made.id);
}

#[tokio::test]
async fn old_tokens_stay_good_across_rotation_of_either_kind() {
    let world = World::new().await;
    let opaque = world.token().await;
    world.use_format(AccessTokenFormat::Jwt(Algorithm::Es256)).await;
    let signed = world.token().await;

    for purpose in KeyPurpose::ALL {
        rotate(&world.authority, purpose, true).await.unwrap();
    }
    world.clock.advance(600);

    assert!(world.look("app", &opaque).await.is_some());
    assert!(world.look("app", &signed).await.is_some());
}

#[tokio::test]
async fn keys_get_successors_by_age_and_leave_when_nobody_needs_them() {
    let world = World::new().await;

    world.clock.advance(89 * DAY);
    keep_up(&world.authority).await.unwrap();
    let young = generations(&world, ES256).await;
    world.clock.advance(DAY);
    keep_up(&world.authority).await.unwrap();
    let due = generations(&world, ES256).await;
    world.clock.advance(DAY);
    keep_up(&world.authority).await.unwrap();
    let overlapping = generations(&world, ES256).await;
    world.clock.advance(DAY);
    keep_up(&world.authority).await.unwrap();
    let alone = generations(&world, ES256).await;

    assert_eq!(young, [1]);
    assert_eq!(due, [1, 2]);
    assert_eq!(overlapping, [1, 2], "the last token of the old key may still be alive");
    assert_eq!(alone, [2]);
}

#[tokio::test]
async fn a_sealing_key_stays_as_long_as_a_refresh_token_may_live() {
    let world = World::new().await;

    world.clock.advance(30 * DAY);
    keep_up(&world.authority).await.unwrap();
    world.clock.advance(29 * DAY);
    keep_up(&world.authority).await.unwrap();

    assert_eq!(generations(&world, KeyPurpose::Seal).await[..2], [1, 2]);
}

/// Another node of the same house.
async fn twin(world: &World) -> Authority {
    let root = RootKey::generate(&SeededRandom::new(7));
    let (ports, clock) = (world.authority.ports.clone(), world.clock.clone());
    let random = Arc::new(SeededRandom::new(9));
    Authority::new(ports, clock, random, Arc::new(Ear::default()), policy(), root).await.unwrap()
}

#[tokio::test]
async fn a_replaced_key_opens_what_it_sealed_and_not_what_a_thief_seals_with_it_today() {
    let person = Person::signed_in().await;
    let (world, browser) = (&person.world, &person.browser);
    let thief = twin(world).await;
    let (code, early) = (person.code().await, person.ask(|_| {}).await.unwrap().seal(&world.authority).unwrap());
    rotate(&world.authority, KeyPurpose::Seal, true).await.unwrap();

    assert!(person.redeem("app", &code, VERIFIER, CALLBACK).await.is_ok());
    assert!(Interaction::open(&world.authority, &early).is_ok());

    world.clock.advance(61);
    let late = person.ask(|_| {}).await.unwrap();
    let forged = late.seal(&thief).unwrap();
    assert!(Interaction::open(&thief, &forged).is_ok());
    assert!(matches!(Interaction::open(&world.authority, &forged), Err(Refusal::InteractionExpired)));
    let answer = approve(&thief, &late, browser).await.unwrap();
    let forged = person.redeem("app", &parameter(&answer, "code"), VERIFIER, CALLBACK).await;
    assert!(matches!(forged, Err(Refusal::CodeUnknown)));
}

#[tokio::test]
async fn another_nodes_key_is_taken_from_the_store() {
    let world = World::new().await;
    let other = twin(&world).await;

    let made = rotate(&other, ES256, true).await.unwrap();
    let had_news = world.authority.reload_keys().await.unwrap();
    let has_news = world.authority.reload_keys().await.unwrap();

    assert!(had_news && !has_news);
    assert_eq!(signs_now(&world), made.id);
}

#[tokio::test]
async fn a_wrong_root_key_opens_nothing() {
    let ports = Memory::ports();
    let world = World::with(ports.clone(), policy()).await;
    let random = Arc::new(SeededRandom::new(8));
    let wrong = RootKey::generate(&*random);

    let opened = Authority::new(ports, world.clock.clone(), random, world.ear.clone(), policy(), wrong).await;

    assert!(matches!(opened, Err(Refusal::Keys(KeyError::WrongRoot))));
}

#[test]
fn a_root_key_survives_being_written_down() {
    let random = SeededRandom::new(1);
    let key = RootKey::generate(&random);
    let wrapped = key.wrap("label", b"secret", &random).unwrap();

    let read = RootKey::parse(&format!(" {}\n", *key.to_base64())).unwrap();

    assert_eq!(&read.unwrap("label", &wrapped).unwrap()[..], b"secret");
    assert!(read.unwrap("other label", &wrapped).is_err());
    for bad in ["", "short", "not base64!", "AAAA"] {
        assert!(matches!(RootKey::parse(bad), Err(KeyError::MalformedRoot)), "{bad}");
    }
}

#[tokio::test]
async fn two_nodes_that_start_at_once_share_one_set_of_keys() {
    let ports = Memory::ports();
    let root = || RootKey::generate(&SeededRandom::new(3));
    let node = |seed| {
        let (clock, ear) = (Arc::new(FixedClock::default()), Arc::new(Ear::default()));
        Authority::new(ports.clone(), clock, Arc::new(SeededRandom::new(seed)), ear, policy(), root())
    };
    let (first, second) = (node(1).await.unwrap(), node(2).await.unwrap());

    let (a, b) = tokio::join!(keep_up(&first), keep_up(&second));

    assert_eq!(a.unwrap().made + b.unwrap().made, 4);
    assert_eq!(first.ring().jwks(), second.ring().jwks());
}
