//! Alerts: what is told, to whom, how often, and what never is.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use serde_json::{Value, json};
use valetkey_oauth::Refusal;
use valetkey_oauth::accounts::{Attempt, SignInDesk, alerts_of};
use valetkey_oauth::keys::{keep_up, rotate};
use valetkey_oauth::model::{Alert, AlertKind, ClientId, Delivery, KeyPurpose, Secret, UserId};
use valetkey_oauth::policy::{AlertPolicy, Policy};
use valetkey_oauth::ports::{AlertQuery, Alerts, Ports, Raising, StoreError};
use valetkey_testkit::authority::policy;
use valetkey_testkit::build;
use valetkey_testkit::clock::moment;
use valetkey_testkit::memory::Memory;

use crate::person::{CALLBACK, Person, VERIFIER, refresh_token};
use crate::world::World;

async fn filed(ports: &Ports) -> Vec<Alert> {
    ports.alerts.list_alerts(&AlertQuery { limit: 100, ..AlertQuery::default() }).await.unwrap()
}

/// What is raised aside is filed once the other tasks had their turn.
async fn filed_aside(ports: &Ports, count: usize) -> Vec<Alert> {
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
        if filed(ports).await.len() >= count {
            break;
        }
    }
    filed(ports).await
}

fn with_webhook() -> Policy {
    let webhook = Some("https://ops.example/hook".to_owned());
    Policy { alerts: AlertPolicy { keep: Duration::from_secs(86_400), webhook }, ..policy() }
}

/// A store that takes everything but alerts.
struct Full;

#[async_trait]
impl Alerts for Full {
    async fn raise(&self, _: &Alert, _: Timestamp, _: &[Delivery]) -> Result<Raising, StoreError> {
        Err(StoreError::Unavailable("the disk is full".to_owned()))
    }

    async fn list_alerts(&self, _: &AlertQuery) -> Result<Vec<Alert>, StoreError> {
        Ok(Vec::new())
    }
}

#[tokio::test]
async fn a_reused_refresh_token_is_told_with_client_session_user_address_and_generation() {
    let person = Person::signed_in().await;
    let first = refresh_token(&person.tokens().await);
    let second = person.refresh(&first).await.unwrap();
    person.refresh(&refresh_token(&second)).await.unwrap();

    let Err(Refusal::RefreshReused(session)) = person.refresh(&first).await else { panic!() };

    let [alert] = filed(&person.world.authority.ports).await.try_into().unwrap();
    assert_eq!((alert.kind, alert.session), (AlertKind::RefreshReused, Some(session)));
    assert_eq!((alert.generation, alert.current_generation), (Some(1), Some(3)));
    assert_eq!((alert.client, alert.subject), (Some(ClientId::new("app")), Some(UserId(build::id(1)).to_string())));
    assert_eq!((alert.address.as_deref(), alert.at), (Some("192.0.2.1"), moment(0)));
    assert!(person.world.ear.heard().iter().any(|event| event.contains("Alerted") && event.contains("RefreshReused")));
}

#[tokio::test]
async fn a_program_that_loops_with_an_old_token_is_told_of_once() {
    let person = Person::signed_in().await;
    let first = refresh_token(&person.tokens().await);
    person.refresh(&first).await.unwrap();

    for key in ["a", "b", "c"] {
        assert!(matches!(person.refresh(&first).await, Err(Refusal::RefreshReused(_))));
        let keyed = person.refresh_as("app", &first, None, Some(key)).await;
        assert!(matches!(keyed, Err(Refusal::RefreshReused(_))));
    }

    let told = |word: &str| person.world.ear.heard().iter().filter(|event| event.contains(word)).count();
    assert_eq!(filed(&person.world.authority.ports).await.len(), 1);
    assert_eq!((told("Alerted"), told("SessionEnded")), (1, 1));
}

#[tokio::test]
async fn an_old_token_of_a_session_that_ended_otherwise_is_still_told_of() {
    let person = Person::signed_in().await;
    let first = refresh_token(&person.tokens().await);
    let second = refresh_token(&person.refresh(&first).await.unwrap());
    let client = person.world.client("app").await;
    valetkey_oauth::tokens::revoke(&person.world.authority, &client, &second).await.unwrap();

    assert!(matches!(person.refresh(&first).await, Err(Refusal::RefreshReused(_))));

    assert_eq!(filed(&person.world.authority.ports).await.len(), 1);
    let ends = person.world.ear.heard().iter().filter(|event| event.contains("SessionEnded")).count();
    assert_eq!(ends, 1, "it ended once, by revocation");
}

#[tokio::test]
async fn a_replayed_code_is_told() {
    let person = Person::signed_in().await;
    let code = person.code().await;
    person.redeem("app", &code, VERIFIER, CALLBACK).await.unwrap();

    for _ in 0..3 {
        let replay = person.redeem("app", &code, VERIFIER, CALLBACK).await;
        assert!(matches!(replay, Err(Refusal::CodeReplayed(_))));
    }

    let [alert] = filed(&person.world.authority.ports).await.try_into().unwrap();
    assert_eq!((alert.kind, alert.address.as_deref()), (AlertKind::CodeReplayed, Some("192.0.2.1")));
    assert_eq!((alert.generation, alert.current_generation), (Some(0), Some(1)));
}

#[tokio::test]
async fn whoever_hangs_up_early_is_told_of_nevertheless() {
    let person = Person::signed_in().await;
    let first = refresh_token(&person.tokens().await);
    person.refresh(&first).await.unwrap();

    let mut request = Box::pin(person.refresh(&first));
    let is_answered = poll_fn(|context| Poll::Ready(request.as_mut().poll(context).is_ready())).await;
    drop(request);

    assert!(!is_answered, "nobody waits for the answer");
    assert_eq!(filed_aside(&person.world.authority.ports, 1).await.len(), 1);
}

#[tokio::test]
async fn whoever_hangs_up_early_with_a_code_from_long_ago_is_told_of_nevertheless() {
    let person = Person::signed_in().await;
    let code = person.code().await;
    person.redeem("app", &code, VERIFIER, CALLBACK).await.unwrap();
    person.world.clock.advance(3_600);

    let mut request = Box::pin(person.redeem("app", &code, VERIFIER, CALLBACK));
    let is_answered = poll_fn(|context| Poll::Ready(request.as_mut().poll(context).is_ready())).await;
    drop(request);

    assert!(!is_answered, "nobody waits for the answer");
    assert_eq!(filed_aside(&person.world.authority.ports, 1).await.len(), 1);
}

#[tokio::test]
async fn an_alert_that_cannot_be_filed_changes_no_answer_and_stands_in_the_log() {
    let ports = Ports { alerts: Arc::new(Full), ..Memory::ports() };
    let person = Person::in_world(World::with(ports, policy()).await).await;
    let first = refresh_token(&person.tokens().await);
    let second = person.refresh(&first).await.unwrap();

    let replay = person.refresh(&first).await;
    rotate(&person.world.authority, KeyPurpose::Seal, true).await.unwrap();

    assert!(matches!(replay, Err(Refusal::RefreshReused(_))));
    assert!(matches!(person.refresh(&refresh_token(&second)).await, Err(Refusal::SessionOver)));
    let lost = |kind: &str| person.world.ear.heard().iter().any(|e| e.contains("AlertNotFiled") && e.contains(kind));
    assert!(lost("RefreshReused") && lost("KeyMade"));
}

#[tokio::test]
async fn a_webhook_gets_the_alert_and_nothing_secret() {
    let person = Person::in_world(World::with(Memory::ports(), with_webhook()).await).await;
    let first = refresh_token(&person.tokens().await);
    person.refresh(&first).await.unwrap();
    person.refresh(&first).await.unwrap_err();

    let deliveries = &person.world.authority.ports.deliveries;
    let [message] = deliveries.claim_due(moment(0), moment(30), 10).await.unwrap().try_into().unwrap();

    let body: Value = serde_json::from_slice(&message.body).unwrap();
    let [alert] = filed(&person.world.authority.ports).await.try_into().unwrap();
    assert_eq!((message.url.as_str(), message.id.0), ("https://ops.example/hook", alert.id.0));
    assert_eq!((&body["id"], &body["type"]), (&json!(alert.id.to_string()), &json!("refresh_reused")));
    assert_eq!(body["time"].as_str().unwrap().parse::<Timestamp>().unwrap(), moment(0));
    let data = json!({
        "client_id": "app", "session": alert.session.unwrap().to_string(), "sub": alert.subject.unwrap(),
        "address": "192.0.2.1", "generation": 1, "current_generation": 2,
    });
    assert_eq!(body["data"], data);
}

struct Desk {
    desk: SignInDesk,
    world_clock: Arc<valetkey_testkit::FixedClock>,
}

impl Desk {
    async fn with_alice() -> Self {
        let world = World::new().await;
        world.authority.ports.users.add(&build::user(1, "alice")).await.unwrap();
        Self { world_clock: world.clock.clone(), desk: SignInDesk::new(Arc::new(world.authority), 2) }
    }

    async fn fail(&self, username: &str, address: &str, times: u32) {
        for _ in 0..times {
            let attempt = Attempt {
                username: username.to_owned(),
                password: Secret::new("a guess"),
                address: Some(address.to_owned()),
                agent: None,
                before: None,
            };
            self.world_clock.advance(60);
            self.desk.sign_in(attempt).await.unwrap_err();
        }
    }

    fn ports(&self) -> &Ports {
        &self.desk.authority().ports
    }
}

#[tokio::test]
async fn repeated_failures_are_told_at_the_fifth_and_tenth_and_not_in_between() {
    let desk = Desk::with_alice().await;

    desk.fail("alice", "198.51.100.9", 4).await;
    assert_eq!(filed_aside(desk.ports(), 1).await, []);
    desk.fail("alice", "198.51.100.9", 6).await;

    let told = filed_aside(desk.ports(), 2).await;
    assert_eq!(told.iter().map(|alert| alert.failures).collect::<Vec<_>>(), [Some(10), Some(5)]);
    for alert in &told {
        assert_eq!((alert.kind, alert.address.as_deref()), (AlertKind::SignInFailures, Some("198.51.100.9")));
        assert_eq!(alert.subject, Some(UserId(build::id(1)).to_string()));
    }
}

#[tokio::test]
async fn what_a_stranger_typed_is_never_told() {
    let desk = Desk::with_alice().await;

    desk.fail("my-password-in-the-wrong-field", "198.51.100.9", 5).await;

    let [alert] = filed_aside(desk.ports(), 1).await.try_into().unwrap();
    assert_eq!((alert.subject.as_deref(), alert.failures), (None, Some(5)));
    assert!(!format!("{alert:?} {}", alert.document()).contains("password"));
}

#[tokio::test]
async fn a_flood_from_many_addresses_is_one_alert_an_hour() {
    let desk = Desk::with_alice().await;

    for address in 0..8 {
        desk.fail("alice", &format!("2001:db8:0:{address}::1"), 5).await;
        desk.fail(&format!("nobody-{address}"), &format!("2001:db8:0:{address}::1"), 5).await;
    }

    // One attempt a minute from a quarter past noon on: the fifth in two hours of the clock, for alice and nobody, and
    // alice's tenth, twentieth and fortieth from wherever.
    let told = filed_aside(desk.ports(), 8).await;
    assert_eq!(told.len(), 7, "{told:?}");
}

#[tokio::test]
async fn failures_from_ever_new_addresses_are_told_at_the_tenth_and_twentieth() {
    let desk = Desk::with_alice().await;

    for address in 1..=25 {
        desk.fail("alice", &format!("198.51.100.{address}"), 1).await;
        desk.fail("nobody", &format!("198.51.100.{address}"), 1).await;
    }

    let told = filed_aside(desk.ports(), 3).await;
    let words: Vec<_> = told.iter().map(|alert| (alert.failures, alert.address.as_deref())).collect();
    assert_eq!(words, [(Some(20), Some("198.51.100.20")), (Some(10), Some("198.51.100.10"))]);
    assert!(told.iter().all(|alert| alert.subject == Some(UserId(build::id(1)).to_string())));
}

#[tokio::test]
async fn failures_with_a_quiet_quarter_of_an_hour_between_them_start_anew() {
    let desk = Desk::with_alice().await;

    desk.fail("alice", "198.51.100.1", 4).await;
    desk.fail("alice", "198.51.100.2", 4).await;
    desk.world_clock.advance(15 * 60);
    desk.fail("alice", "198.51.100.3", 4).await;

    assert_eq!(filed_aside(desk.ports(), 1).await, []);
}

#[tokio::test]
async fn a_changed_key_is_told_and_the_first_one_is_not() {
    let world = World::new().await;
    assert_eq!(filed(&world.authority.ports).await, [], "the first keys of a store change nothing");

    rotate(&world.authority, KeyPurpose::Seal, true).await.unwrap();
    world.clock.advance(40 * 86_400);
    keep_up(&world.authority).await.unwrap();

    let told = filed(&world.authority.ports).await;
    let words: Vec<_> = told.iter().map(|alert| (alert.kind, alert.key, alert.generation)).collect();
    let seal = Some(KeyPurpose::Seal);
    assert!(words.contains(&(AlertKind::KeyMade, seal, Some(2))), "{words:?}");
    assert!(words.contains(&(AlertKind::KeyMade, seal, Some(3))), "{words:?}");
    assert!(words.contains(&(AlertKind::KeyRemoved, seal, Some(1))), "{words:?}");
}

#[tokio::test]
async fn a_person_sees_the_alerts_of_the_last_month_about_themselves() {
    let world = World::new().await;
    let (ports, user) = (&world.authority.ports, UserId(build::id(1)));
    for number in [1, 2, 3] {
        let mut alert = build::alert(number);
        alert.subject = Some(if number == 2 { "somebody else".to_owned() } else { user.to_string() });
        ports.alerts.raise(&alert, moment(400 * 86_400), &[]).await.unwrap();
    }

    world.clock.advance(30 * 86_400);
    let fresh = alerts_of(&world.authority, user).await.unwrap();
    world.clock.advance(2);
    let later = alerts_of(&world.authority, user).await.unwrap();

    assert_eq!(fresh.iter().map(|alert| alert.id).collect::<Vec<_>>(), [3, 1].map(|number| build::alert(number).id));
    assert_eq!(later.len(), 1);
}
