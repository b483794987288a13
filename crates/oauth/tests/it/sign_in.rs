//! Signing in.

use std::sync::Arc;
use std::time::Duration;

use valetkey_oauth::accounts::{
    self, Attempt, NewUser, PasswordHasher, SignInDesk, SignInRefusal, Throttle, form_token, is_form_token, recognise,
};
use valetkey_oauth::model::{Secret, SignIn};
use valetkey_testkit::FixedClock;
use valetkey_testkit::clock::moment;

use crate::world::World;

/// So many passwords are checked at once.
const AT_ONCE: usize = 2;

struct Desk {
    desk: SignInDesk,
    clock: Arc<FixedClock>,
}

impl Desk {
    async fn with_alice() -> Self {
        let world = World::new().await;
        let new = NewUser {
            username: "alice".to_owned(),
            password: Secret::new("right"),
            email: None,
            name: None,
            profile: serde_json::Map::new(),
            admin: false,
            scope: None,
        };
        let authority = &world.authority;
        let hasher = PasswordHasher::new(1);
        accounts::add(&*authority.ports.users, &hasher, &*authority.clock, &*authority.random, new).await.unwrap();
        Self { clock: world.clock.clone(), desk: SignInDesk::new(Arc::new(world.authority), AT_ONCE) }
    }

    async fn attempt(
        &self,
        username: &str,
        password: &str,
        address: &str,
    ) -> Result<accounts::SignedIn, SignInRefusal> {
        self.again(username, password, address, None).await
    }

    async fn again(
        &self,
        username: &str,
        password: &str,
        address: &str,
        before: Option<SignIn>,
    ) -> Result<accounts::SignedIn, SignInRefusal> {
        let attempt = Attempt {
            username: username.to_owned(),
            password: Secret::new(password),
            address: Some(address.to_owned()),
            agent: None,
            before,
        };
        self.desk.sign_in(attempt).await
    }
}

#[tokio::test]
async fn the_right_password_opens_and_everything_else_looks_the_same() {
    let desk = Desk::with_alice().await;

    let signed_in = desk.attempt("Alice", "right", "192.0.2.1").await.unwrap();

    let known = recognise(desk.desk.authority(), signed_in.cookie.expose()).await.unwrap().unwrap();
    assert_eq!(known.id, signed_in.sign_in.id);
    for (name, password) in [("alice", "wrong"), ("nobody", "right"), ("alice", ""), ("", "")] {
        assert!(matches!(desk.attempt(name, password, "192.0.2.1").await, Err(SignInRefusal::Wrong)), "{name}");
    }
}

#[tokio::test]
async fn each_sign_in_has_a_new_cookie_and_the_old_one_is_dead() {
    let desk = Desk::with_alice().await;
    let first = desk.attempt("alice", "right", "192.0.2.1").await.unwrap();

    let second = desk.again("alice", "right", "192.0.2.1", Some(first.sign_in.clone())).await.unwrap();

    assert_eq!(first.sign_in.id, second.sign_in.id);
    assert!(recognise(desk.desk.authority(), first.cookie.expose()).await.unwrap().is_none());
    assert!(recognise(desk.desk.authority(), second.cookie.expose()).await.unwrap().is_some());
}

#[tokio::test]
async fn a_stranger_slows_down_only_himself() {
    let desk = Desk::with_alice().await;
    for _ in 0..6 {
        desk.attempt("alice", "guess", "198.51.100.9").await.unwrap_err();
    }

    let stranger = desk.attempt("alice", "right", "198.51.100.9").await;
    let owner = desk.attempt("alice", "right", "192.0.2.1").await;
    desk.clock.advance(1);
    let later = desk.attempt("alice", "right", "198.51.100.9").await;

    assert!(matches!(stranger, Err(SignInRefusal::Throttled(wait)) if wait == Duration::from_secs(1)));
    assert!(owner.is_ok());
    assert!(later.is_ok(), "the wait is over");
}

#[tokio::test]
async fn a_new_address_of_the_same_network_buys_no_new_guesses() {
    let desk = Desk::with_alice().await;
    for number in 1..=6 {
        desk.attempt("alice", "guess", &format!("2001:db8:1:2::{number}")).await.unwrap_err();
    }

    let beside = desk.attempt("alice", "right", "2001:db8:1:2:ffff::9").await;
    let elsewhere = desk.attempt("alice", "right", "2001:db8:1:3::1").await;

    assert!(matches!(beside, Err(SignInRefusal::Throttled(_))));
    assert!(elsewhere.is_ok());
}

#[tokio::test]
async fn guesses_at_once_are_counted_like_guesses_one_by_one() {
    let desk = Arc::new(Desk::with_alice().await);

    let mut guesses = tokio::task::JoinSet::new();
    for _ in 0..40 {
        let desk = desk.clone();
        guesses.spawn(async move { desk.attempt("alice", "guess", "198.51.100.9").await });
    }
    let answers = guesses.join_all().await;

    let judged = answers.iter().filter(|answer| matches!(answer, Err(SignInRefusal::Wrong))).count();
    assert!((6..=6 + AT_ONCE - 1).contains(&judged), "{judged} guesses were judged");
    assert!(answers.iter().all(|answer| matches!(answer, Err(SignInRefusal::Wrong | SignInRefusal::Throttled(_)))));
}

#[test]
fn waits_double_and_an_address_has_a_limit_of_its_own() {
    let throttle = Throttle::default();
    for _ in 0..8 {
        throttle.failed("alice", Some("a"), moment(0));
    }
    assert_eq!(throttle.wait("alice", Some("a"), moment(0)), Some(Duration::from_secs(4)));
    assert_eq!(throttle.wait("alice", Some("a"), moment(4)), None);
    assert_eq!(throttle.wait("bob", Some("a"), moment(0)), None);

    for number in 0..40 {
        throttle.failed(&format!("user{number}"), Some("b"), moment(0));
    }
    assert!(throttle.wait("someone", Some("b"), moment(0)).is_some());
    assert_eq!(throttle.wait("someone", Some("c"), moment(0)), None);
}

#[tokio::test]
async fn who_signed_in_here_within_a_day_is_not_slowed_by_the_mistakes_of_others() {
    let desk = Desk::with_alice().await;
    desk.attempt("alice", "right", "192.0.2.1").await.unwrap();
    desk.clock.advance(86_000);
    for number in 0..31 {
        desk.attempt(&format!("user{number}"), "guess", "192.0.2.1").await.unwrap_err();
    }

    let owner = desk.attempt("alice", "right", "192.0.2.1").await;
    let stranger = desk.attempt("bob", "guess", "192.0.2.1").await;

    assert!(owner.is_ok(), "{owner:?}");
    assert!(matches!(stranger, Err(SignInRefusal::Throttled(_))), "{stranger:?}");
}

#[test]
fn who_signed_in_here_is_slowed_by_mistakes_of_their_own_and_after_a_day_by_all() {
    let throttle = Throttle::default();
    throttle.succeeded("alice", Some("a"), moment(0));
    throttle.succeeded("bob", Some("a"), moment(0));
    for _ in 0..36 {
        throttle.failed("Alice", Some("a"), moment(10));
    }

    assert!(throttle.wait("alice", Some("a"), moment(10)).is_some(), "her own");
    assert_eq!(throttle.wait("bob", Some("a"), moment(10)), None);
    assert!(throttle.wait("carol", Some("a"), moment(10)).is_some());
    for _ in 0..36 {
        throttle.failed("carol", Some("a"), moment(86_400));
    }
    assert!(throttle.wait("bob", Some("a"), moment(86_400)).is_some(), "a day later");
}

#[tokio::test]
async fn a_form_token_belongs_to_one_browser_for_a_while() {
    let world = World::new().await;
    let token = form_token(&world.authority, "browser-key").unwrap();

    assert!(is_form_token(&world.authority, "browser-key", &token));
    assert!(!is_form_token(&world.authority, "another-key", &token));
    assert!(!is_form_token(&world.authority, "browser-key", "vk_ft_AAAA"));
    world.clock.advance(2 * 3600);
    assert!(!is_form_token(&world.authority, "browser-key", &token));
}
