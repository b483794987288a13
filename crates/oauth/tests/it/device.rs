//! Devices: what they get, who may decide, and what neither haste nor guessing brings.

use std::sync::Arc;

use valetkey_oauth::accounts::Browser;
use valetkey_oauth::devices::{DeskRefusal, DeviceDesk, DeviceRequest, Question, ask};
use valetkey_oauth::grants::{Caller, DevicePoll, Renewal, TokenRequest, TokenSet, exchange};
use valetkey_oauth::model::{
    Client, ClientId, SecretDigest, Session, SessionEnd, SessionOrigin, SessionState, SignIn, UserCode, UserId,
};
use valetkey_oauth::ports::SessionQuery;
use valetkey_oauth::protocol::{GrantType, Scope};
use valetkey_oauth::{Authority, Refusal};
use valetkey_testkit::{Ear, FixedClock, SeededRandom, build};

use crate::person::{Person, refresh_token};

/// Alice's browser, and a device with `app` on it.
struct House {
    authority: Arc<Authority>,
    clock: Arc<FixedClock>,
    heard: Arc<Ear>,
    desk: DeviceDesk,
    alice: Browser,
}

impl House {
    async fn new() -> Self {
        let Person { world, browser } = Person::signed_in().await;
        for id in ["app", "other"] {
            world
                .change(id, |client| {
                    client.grants = vec![GrantType::DeviceCode, GrantType::RefreshToken];
                    client.scope = Scope::parse("openid profile email read:orders write:orders").unwrap();
                })
                .await;
        }
        let authority = Arc::new(world.authority);
        let alice = Browser { address: Some("198.51.100.1".to_owned()), ..browser };
        Self { desk: DeviceDesk::new(authority.clone()), authority, clock: world.clock, heard: world.ear, alice }
    }

    async fn client(&self, id: &str) -> Arc<Client> {
        self.authority.ports.clients.find(&ClientId::new(id)).await.unwrap().unwrap()
    }

    async fn ask_for(&self, scope: Option<&str>, resource: Option<&str>) -> Result<Question, Refusal> {
        let origin = SessionOrigin {
            sign_in: None,
            address: Some("203.0.113.9".to_owned()),
            agent: Some("A television".to_owned()),
        };
        ask(&self.authority, &*self.client("app").await, DeviceRequest { scope, resource, origin }).await
    }

    async fn ask(&self) -> Question {
        self.ask_for(Some("openid read:orders"), None).await.unwrap()
    }

    async fn poll_as(&self, id: &str, question: &Question) -> Result<TokenSet, Refusal> {
        let code = question.device_code.expose().to_owned();
        let request = TokenRequest::DeviceCode(DevicePoll { code, resource: None, key: None });
        exchange(&self.authority, &*self.client(id).await, &Caller::default(), request).await
    }

    async fn poll(&self, question: &Question) -> Result<TokenSet, Refusal> {
        self.poll_as("app", question).await
    }

    async fn approve(&self, question: &Question) {
        self.desk.approve(&question.user_code.to_string(), &self.alice).await.unwrap();
    }

    async fn sessions(&self) -> Vec<Session> {
        let query = SessionQuery { limit: 10, ..Default::default() };
        self.authority.ports.sessions.list_sessions(&query).await.unwrap()
    }
}

#[test]
fn a_user_code_has_eight_consonants_and_is_read_however_it_is_typed() {
    let random = SeededRandom::new(1);
    let code = UserCode::generate(&random);
    let shown = code.to_string();
    let (front, back) = shown.split_once('-').unwrap();

    for typed in [
        shown.clone(),
        shown.to_lowercase(),
        format!("{front}{back}"),
        format!(" {front} {back} "),
        format!("{}–{}", front.to_lowercase(), back),
    ] {
        assert_eq!(UserCode::parse(&typed), Some(code.clone()), "{typed}");
    }

    assert_eq!((front.len(), back.len()), (4, 4));
    for wrong in ["", "BCDF", "BCDFGHJKL", "AEIOUYAE", "BCDF-GHJ0", "BCDF/GHJK", "ВСDF-GHJK", &"B".repeat(100)] {
        assert_eq!(UserCode::parse(wrong), None, "{wrong}");
    }
    assert!(!format!("{code:?}").contains(front), "a log must not hold it");
}

#[test]
fn every_letter_is_drawn_about_as_often_and_no_vowel_or_digit_ever() {
    let random = SeededRandom::new(2);
    let mut counts = std::collections::BTreeMap::<char, u32>::new();

    for _ in 0..5000 {
        for letter in UserCode::generate(&random).letters().chars() {
            *counts.entry(letter).or_default() += 1;
        }
    }

    assert_eq!(counts.keys().collect::<String>(), "BCDFGHJKLMNPQRSTVWXZ");
    assert!(counts.values().all(|count| (1700..2300).contains(count)), "{counts:?}");
}

#[tokio::test]
async fn a_device_waits_for_a_person_and_then_has_its_tokens() {
    let house = House::new().await;
    let question = house.ask().await;

    let waiting = house.poll(&question).await.unwrap_err();
    let shown = house.desk.find(&question.user_code.to_string(), &house.alice).await.unwrap();
    house.approve(&question).await;
    house.clock.advance(5);
    let tokens = house.poll(&question).await.unwrap();

    assert!(matches!(waiting, Refusal::DevicePending));
    assert_eq!(shown.device.origin.address.as_deref(), Some("203.0.113.9"));
    assert_eq!((shown.device.client.as_str(), shown.before), ("app", None));
    assert_eq!(tokens.scope.as_str(), "openid read:orders");
    assert!(tokens.id_token.is_some() && tokens.refresh_token.is_some());
    let session = &house.sessions().await[0];
    assert_eq!(session.subject, house.alice.sign_in.as_ref().unwrap().user.to_string());
    assert_eq!(session.origin.agent.as_deref(), Some("A television"), "the device, and not the browser");
    assert_eq!(session.origin.sign_in, None, "it outlives the browser");
    let consent = house.authority.ports.consents.find_consent(&session.subject, &session.client).await.unwrap();
    assert_eq!(consent.unwrap().scope.as_str(), "openid read:orders");
}

#[tokio::test]
async fn the_answer_names_where_to_go_and_how_long_it_is_good() {
    let house = House::new().await;

    let question = house.ask().await;

    let code = question.user_code.to_string();
    assert!(question.device_code.expose().starts_with("vk_dc_"));
    assert_eq!(question.page, "https://auth.example/device");
    assert_eq!(question.complete_page, format!("https://auth.example/device?user_code={code}"));
    assert_eq!(question.picture, format!("https://auth.example/device/qr?user_code={code}"));
    assert_eq!((question.expires_in, question.interval), (600, 5));
}

#[tokio::test]
async fn the_store_does_not_hold_the_code_nor_a_digest_that_anyone_can_make() {
    let house = House::new().await;
    let question = house.ask().await;

    let waiting = house.desk.find(&question.user_code.to_string(), &house.alice).await.unwrap();

    for guess in [question.user_code.to_string(), question.user_code.letters().to_owned()] {
        let plain = SecretDigest::of(&guess);
        assert!(!waiting.device.user_code.matches(&plain));
    }
}

#[tokio::test]
async fn a_client_asks_only_for_what_it_may() {
    let house = House::new().await;
    let bare = build::client("bare");
    house.authority.ports.clients.register(&bare).await.unwrap();
    let request = DeviceRequest { scope: None, resource: None, origin: SessionOrigin::default() };

    let refusals = [
        house.ask_for(Some("openid admin"), None).await.unwrap_err(),
        house.ask_for(Some("a\"b"), None).await.unwrap_err(),
        house.ask_for(None, Some("https://elsewhere.example")).await.unwrap_err(),
        ask(&house.authority, &bare, request).await.unwrap_err(),
    ];

    assert!(matches!(&refusals[0], Refusal::ScopeNotRegistered(name) if name == "admin"));
    assert!(matches!(refusals[1], Refusal::ScopeMalformed(_)));
    assert!(matches!(refusals[2], Refusal::ResourceUnknown));
    assert!(matches!(refusals[3], Refusal::GrantNotRegistered));
    let all = house.ask_for(None, Some("https://auth.example/api")).await.unwrap();
    house.approve(&all).await;
    assert_eq!(house.poll(&all).await.unwrap().scope, house.client("app").await.scope);
}

#[tokio::test]
async fn a_second_redemption_ends_the_session_of_the_first() {
    let house = House::new().await;
    let question = house.ask().await;
    house.approve(&question).await;
    let first = house.poll(&question).await.unwrap();

    let second = house.poll(&question).await.unwrap_err();

    assert!(matches!(second, Refusal::DeviceCodeReplayed(_)));
    assert_eq!(house.sessions().await[0].state, SessionState::Ended(SessionEnd::CodeReplayed));
    let renewal = Renewal { token: refresh_token(&first), scope: None, resource: None, key: None };
    let client = house.client("app").await;
    let refreshed = exchange(&house.authority, &client, &Caller::default(), TokenRequest::RefreshToken(renewal)).await;
    assert!(matches!(refreshed, Err(Refusal::SessionOver)));
    assert!(valetkey_oauth::tokens::verify(&house.authority, first.access_token.expose()).await.unwrap().is_none());
    assert!(house.heard.heard().iter().any(|event| event.contains("SessionEnded") && event.contains("code_replayed")));
}

#[tokio::test]
async fn another_client_learns_nothing_and_harms_nothing() {
    let house = House::new().await;
    let question = house.ask().await;
    house.approve(&question).await;

    let foreign = house.poll_as("other", &question).await.unwrap_err();
    let code = "vk_dc_AAAAAAAAAAAAAAAAAAAAAAAAAAAA".to_owned();
    let nonsense = TokenRequest::DeviceCode(DevicePoll { code, resource: None, key: None });
    let made_up = exchange(&house.authority, &*house.client("app").await, &Caller::default(), nonsense).await;

    assert!(matches!(foreign, Refusal::DeviceCodeOfAnotherClient));
    assert!(matches!(made_up, Err(Refusal::DeviceCodeUnknown)));
    assert!(house.poll(&question).await.is_ok(), "the device's own poll is the first");
}

#[tokio::test]
async fn haste_makes_a_device_wait_longer_and_never_brings_tokens() {
    let house = House::new().await;
    let question = house.ask().await;
    assert!(matches!(house.poll(&question).await, Err(Refusal::DevicePending)));
    house.approve(&question).await;

    for more in 1..=3 {
        house.clock.advance(4);
        let told = house.poll(&question).await.unwrap_err();
        assert!(matches!(told, Refusal::DeviceTooSoon { interval } if interval == 5 + 5 * more), "{told}");
    }

    house.clock.advance(20);
    assert!(house.poll(&question).await.is_ok());
}

#[tokio::test]
async fn after_ten_minutes_there_is_nothing_to_decide_and_nothing_to_get() {
    let house = House::new().await;
    let (late, approved) = (house.ask().await, house.ask().await);
    house.approve(&approved).await;

    house.clock.advance(600);
    let shown = house.desk.find(&late.user_code.to_string(), &house.alice).await.unwrap_err();
    let polls = [house.poll(&late).await.unwrap_err(), house.poll(&approved).await.unwrap_err()];
    house.authority.ports.sweeping.sweep(house.authority.now(), 100).await.unwrap();
    let swept = house.poll(&late).await.unwrap_err();

    assert!(matches!(shown, DeskRefusal::Unknown));
    assert!(polls.iter().all(|poll| matches!(poll, Refusal::DeviceCodeExpired)));
    assert!(matches!(swept, Refusal::DeviceCodeExpired), "swept or not, the answer is the same");
    assert!(house.sessions().await.is_empty());
}

#[tokio::test]
async fn a_no_is_final_and_is_no_consent() {
    let house = House::new().await;
    let question = house.ask().await;
    let code = question.user_code.to_string();

    house.desk.deny(&code, &house.alice).await.unwrap();
    let changed = house.desk.approve(&code, &house.alice).await.unwrap_err();

    assert!(matches!(changed, DeskRefusal::Unknown));
    assert!(matches!(house.poll(&question).await, Err(Refusal::DeviceDenied)));
    let subject = house.alice.sign_in.as_ref().unwrap().user.to_string();
    assert!(house.authority.ports.consents.consents_of(&subject).await.unwrap().is_empty());
}

#[tokio::test]
async fn whoever_is_not_signed_in_decides_nothing() {
    let house = House::new().await;
    let question = house.ask().await;
    let (code, nobody) = (question.user_code.to_string(), Browser::default());

    assert!(matches!(house.desk.find(&code, &nobody).await, Err(DeskRefusal::Nobody)));
    assert!(matches!(house.desk.approve(&code, &nobody).await, Err(DeskRefusal::Nobody)));
    assert!(matches!(house.desk.deny(&code, &nobody).await, Err(DeskRefusal::Nobody)));
    assert!(matches!(house.poll(&question).await, Err(Refusal::DevicePending)));
}

#[tokio::test]
async fn wrong_codes_cost_a_person_more_and_more_time_at_every_door() {
    let house = House::new().await;
    let question = house.ask().await;
    let right = question.user_code.to_string();

    for _ in 0..11 {
        assert!(matches!(house.desk.find("BBBB-BBBB", &house.alice).await, Err(DeskRefusal::Unknown)));
    }
    let at_once = [
        house.desk.find(&right, &house.alice).await.unwrap_err(),
        house.desk.approve(&right, &house.alice).await.unwrap_err(),
        house.desk.deny(&right, &house.alice).await.unwrap_err(),
    ];
    house.clock.advance(1);
    assert!(matches!(house.desk.find("BBBB-BBBC", &house.alice).await, Err(DeskRefusal::Unknown)));
    let longer = house.desk.find(&right, &house.alice).await.unwrap_err();

    assert!(at_once.iter().all(|refusal| matches!(refusal, DeskRefusal::Throttled(wait) if wait.as_secs() == 1)));
    assert!(matches!(longer, DeskRefusal::Throttled(wait) if wait.as_secs() == 2));
    let elsewhere = Browser { address: Some("198.51.100.2".to_owned()), ..house.alice.clone() };
    assert!(matches!(house.desk.find(&right, &elsewhere).await, Err(DeskRefusal::Throttled(_))), "the person counts");
    house.clock.advance(2);
    assert!(house.desk.find(&right, &house.alice).await.is_ok());
    assert!(house.desk.approve(&right, &house.alice).await.is_ok(), "who found it need not wait to decide");
    assert!(house.heard.heard().iter().any(|event| event.contains("UserCodeWrong") && event.contains("failures: 11")));
}

#[tokio::test]
async fn a_right_code_now_and_then_does_not_buy_more_guesses() {
    let house = House::new().await;
    let own = house.ask().await.user_code.to_string();

    for _ in 0..11 {
        assert!(matches!(house.desk.find("BBBB-BBBB", &house.alice).await, Err(DeskRefusal::Unknown)));
        let _ = house.desk.find(&own, &house.alice).await;
    }

    assert!(matches!(house.desk.find("BBBB-BBBB", &house.alice).await, Err(DeskRefusal::Throttled(_))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_guesses_at_once_are_no_more_than_many_in_a_row() {
    let house = House::new().await;

    let guesses: Vec<_> = (0..64)
        .map(|_| {
            let (desk, alice) = (house.desk.clone(), house.alice.clone());
            tokio::spawn(async move { desk.find("BBBB-BBBB", &alice).await })
        })
        .collect();
    let mut looked = 0;
    for guess in guesses {
        looked += u32::from(matches!(guess.await.unwrap(), Err(DeskRefusal::Unknown)));
    }

    assert_eq!(looked, 11);
}

#[tokio::test]
async fn one_address_slows_down_whoever_guesses_from_there() {
    let house = House::new().await;
    let from = |user: u128| {
        let sign_in = SignIn { user: UserId(build::id(user)), ..build::sign_in(user) };
        Browser { sign_in: Some(sign_in), address: Some("198.51.100.7".to_owned()), ..Browser::default() }
    };

    let mut looked = 0;
    for guess in 0..60 {
        if matches!(house.desk.find("BBBB-BBBB", &from(guess)).await, Err(DeskRefusal::Unknown)) {
            looked += 1;
        }
    }

    assert_eq!(looked, 51);
}

#[tokio::test]
async fn a_flood_of_questions_from_one_address_has_an_end() {
    let house = House::new().await;
    for _ in 0..500 {
        house.ask().await;
    }

    let one_more = house.ask_for(None, None).await.unwrap_err();
    house.clock.advance(600);

    assert!(matches!(one_more, Refusal::TooManyDevices));
    assert!(house.ask_for(None, None).await.is_ok(), "and passes");
}

#[tokio::test]
async fn what_is_taken_from_a_client_is_not_in_what_its_device_gets() {
    let house = House::new().await;
    let question = house.ask().await;
    let less = Client { scope: Scope::parse("openid").unwrap(), ..(*house.client("app").await).clone() };
    house.authority.ports.clients.update(&less).await.unwrap();

    house.approve(&question).await;

    assert_eq!(house.poll(&question).await.unwrap().scope.as_str(), "openid");
}
