//! Signing out: what it costs, and that it ends all it should.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;
use valetkey_oauth::accounts;
use valetkey_oauth::keys::rotate;
use valetkey_oauth::model::{
    Algorithm, ClientId, Delivery, KeyPurpose, Session, SessionEnd, SessionId, SessionState, SignIn, SignInId, UserId,
};
use valetkey_oauth::openid::{LogoutError, logout_form};
use valetkey_oauth::ports::{
    Ending, Opening, OpeningRules, Ports, Rotation, RotationRules, SessionQuery, Sessions, StoreError,
};
use valetkey_testkit::authority::policy;
use valetkey_testkit::build;
use valetkey_testkit::clock::moment;
use valetkey_testkit::memory::Memory;

use crate::world::World;

/// Sessions in a store, with a count of the pages that were read and of the turns in which many ended.
struct Counted {
    store: Ports,
    pages: Arc<AtomicUsize>,
    turns: Arc<AtomicUsize>,
}

#[async_trait]
impl Sessions for Counted {
    async fn open(&self, session: &Session, rules: &OpeningRules) -> Result<Opening, StoreError> {
        self.store.sessions.open(session, rules).await
    }

    async fn rotate(&self, id: SessionId, generation: u32, rules: &RotationRules) -> Result<Rotation, StoreError> {
        self.store.sessions.rotate(id, generation, rules).await
    }

    async fn end(
        &self,
        id: SessionId,
        why: SessionEnd,
        now: Timestamp,
        tokens_until: Timestamp,
    ) -> Result<Ending, StoreError> {
        self.store.sessions.end(id, why, now, tokens_until).await
    }

    async fn end_together(&self, ids: &[SessionId], why: SessionEnd, until: Timestamp) -> Result<(), StoreError> {
        assert!(ids.len() <= 200, "{} in one turn", ids.len());
        self.turns.fetch_add(1, Ordering::Relaxed);
        self.store.sessions.end_together(ids, why, until).await
    }

    async fn kept_answer(&self, id: &[u8; 32], now: Timestamp) -> Result<Option<Vec<u8>>, StoreError> {
        self.store.sessions.kept_answer(id, now).await
    }

    async fn find_session(&self, id: SessionId) -> Result<Option<Session>, StoreError> {
        self.store.sessions.find_session(id).await
    }

    async fn list_sessions(&self, query: &SessionQuery) -> Result<Vec<Session>, StoreError> {
        self.pages.fetch_add(1, Ordering::Relaxed);
        self.store.sessions.list_sessions(query).await
    }
}

struct House {
    world: World,
    pages: Arc<AtomicUsize>,
    turns: Arc<AtomicUsize>,
}

impl House {
    /// Alice is here, and `app` wants to be told of sign-outs.
    async fn new() -> Self {
        let (store, pages, turns) = (Memory::ports(), Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
        store.users.add(&build::user(1, "alice")).await.unwrap();
        let counted = Counted { store: store.clone(), pages: pages.clone(), turns: turns.clone() };
        let world = World::with(Ports { sessions: Arc::new(counted), ..store }, policy()).await;
        world.change("app", |client| client.backchannel_logout_uri = Some("https://app.example/out".to_owned())).await;
        Self { world, pages, turns }
    }

    async fn begin(&self, number: u128) -> SignIn {
        let sign_in = build::sign_in(number);
        self.world.authority.ports.sign_ins.begin(&sign_in, &build::user(1, "alice").password_hash).await.unwrap();
        sign_in
    }

    /// A session of alice in `app` that began so many seconds after all began.
    async fn open(&self, number: u64, sign_in: SignInId, second: i64) -> SessionId {
        let id = SessionId(at(second, number));
        let mut session = Session { id, subject: UserId(build::id(1)).to_string(), ..build::session(1) };
        session.origin.sign_in = Some(sign_in.0);
        session.client = ClientId::new("app");
        self.world.authority.ports.sessions.open(&session, &build::opening()).await.unwrap();
        id
    }

    async fn lives(&self, id: SessionId) -> bool {
        let found = self.world.authority.ports.sessions.find_session(id).await.unwrap().unwrap();
        found.state == SessionState::Active
    }

    async fn messages(&self) -> Vec<Delivery> {
        let due = self.world.authority.now();
        self.world.authority.ports.deliveries.claim_due(due, moment(9_000_000), 9_999).await.unwrap()
    }

    async fn posted(&self) -> usize {
        self.messages().await.len()
    }
}

/// Header and claims of the token in a form.
fn token(form: &[u8]) -> [Value; 2] {
    let token = std::str::from_utf8(form).unwrap().strip_prefix("logout_token=").unwrap();
    let parts: Vec<&str> = token.split('.').collect();
    [parts[0], parts[1]].map(|part| serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap())
}

/// An id of that moment.
fn at(second: i64, number: u64) -> Uuid {
    let mut rest = [0; 10];
    rest[2..].copy_from_slice(&number.to_be_bytes());
    let millis = u64::try_from(moment(second).as_millisecond()).unwrap();
    uuid::Builder::from_unix_timestamp_millis(millis, &rest).into_uuid()
}

#[tokio::test]
async fn signing_out_everywhere_reads_the_sessions_once_however_many_sign_ins_there_are() {
    let house = House::new().await;
    let current = house.begin(1000).await;
    let mut sessions = Vec::new();
    for number in 1..=60 {
        let sign_in = house.begin(number).await;
        for copy in 0..10 {
            sessions.push(house.open(u64::try_from(number).unwrap() * 100 + copy, sign_in.id, 60).await);
        }
    }
    let kept = house.open(1, current.id, 60).await;
    house.world.clock.advance(86_000);

    accounts::end_others(&house.world.authority, &current).await.unwrap();

    assert_eq!(house.pages.load(Ordering::Relaxed), 4 + 1, "all pages once, and the newest for what began meanwhile");
    for session in sessions {
        assert!(!house.lives(session).await);
    }
    assert!(house.lives(kept).await);
    assert_eq!(house.posted().await, 60, "one for each sign-in");
}

#[tokio::test]
async fn a_sign_out_reads_no_sessions_from_before_its_sign_in() {
    let house = House::new().await;
    let sign_in = house.begin(1).await;
    for number in 0..1_000 {
        house.open(number, SignInId(build::id(77)), -86_400).await;
    }
    let own = house.open(5_000, sign_in.id, 1).await;

    accounts::sign_out(&house.world.authority, &sign_in).await.unwrap();

    assert_eq!(house.pages.load(Ordering::Relaxed), 2);
    assert!(!house.lives(own).await);
}

#[tokio::test]
async fn a_sign_out_of_many_sessions_ends_all_of_them_a_few_in_each_turn() {
    let house = House::new().await;
    let sign_in = house.begin(1).await;
    let mut sessions = Vec::new();
    for number in 0..650 {
        sessions.push(house.open(number, sign_in.id, 1).await);
    }

    accounts::sign_out(&house.world.authority, &sign_in).await.unwrap();

    for session in sessions {
        assert!(!house.lives(session).await);
    }
    assert_eq!(house.turns.load(Ordering::Relaxed), 3, "and the last two hundred with the sign-in");
    assert_eq!(house.posted().await, 1);
}

#[tokio::test]
async fn of_many_browsers_the_newest_hundred_are_shown_and_any_can_be_signed_out() {
    let house = House::new().await;
    let (user, oldest) = (UserId(build::id(1)), house.begin(1).await);
    for number in 2..=101 {
        house.begin(number).await;
    }

    let crowded = accounts::overview(&house.world.authority, user).await.unwrap();
    accounts::end_sign_in(&house.world.authority, user, oldest.id).await.unwrap();
    let all = accounts::overview(&house.world.authority, user).await.unwrap();

    assert!(crowded.has_more_sign_ins && !all.has_more_sign_ins);
    assert_eq!((crowded.sign_ins.len(), all.sign_ins.len()), (100, 100));
    assert!(crowded.sign_ins.iter().all(|shown| shown.id != oldest.id));
}

#[tokio::test]
async fn a_logout_token_is_signed_when_it_is_sent_and_says_when_the_user_left() {
    let house = House::new().await;
    let authority = &house.world.authority;
    let sign_in = house.begin(1).await;
    house.open(1, sign_in.id, 1).await;
    accounts::sign_out(authority, &sign_in).await.unwrap();
    let left = authority.now();
    house.world.clock.advance(60);
    let made = rotate(authority, KeyPurpose::Sign(Algorithm::Rs256), true).await.unwrap();

    let [message] = house.messages().await.try_into().unwrap();
    let [head, first] = token(&logout_form(authority, &message).unwrap());
    let [_, second] = token(&logout_form(authority, &message).unwrap());

    assert_eq!((&head["kid"], &head["typ"]), (&Value::from(made.id.as_str()), &Value::from("logout+jwt")));
    assert_eq!((first["iat"].as_i64(), first["exp"].as_i64()), (Some(left.as_second()), Some(left.as_second() + 600)));
    assert_eq!(first, second, "another attempt tells the same");
}

#[tokio::test]
async fn whoever_writes_into_the_store_has_no_logout_token_signed() {
    let house = House::new().await;
    let (sign_in, other) = (house.begin(1).await, house.begin(2).await);
    house.open(1, sign_in.id, 1).await;
    house.open(2, other.id, 1).await;
    accounts::sign_out(&house.world.authority, &sign_in).await.unwrap();
    accounts::sign_out(&house.world.authority, &other).await.unwrap();
    let [message, another] = house.messages().await.try_into().unwrap();
    let form = |message: &Delivery| logout_form(&house.world.authority, message);
    let plain = br#"{"algorithm":"RS256","aud":"app","sub":"alice"}"#.to_vec();

    assert!(form(&message).is_ok());
    for changed in [
        Delivery { url: "https://mallory.example/out".to_owned(), ..message.clone() },
        Delivery { body: another.body.clone(), ..message.clone() },
        Delivery { body: plain, ..message.clone() },
        Delivery { body: b"logout_token=a.b.c".to_vec(), ..message.clone() },
        Delivery { body: vec![0xff; 40], ..message.clone() },
    ] {
        assert!(matches!(form(&changed), Err(LogoutError::Unreadable)), "{changed:?}");
    }
    let late = Delivery { expires_at: moment(9_000_000), created_at: moment(8_000_000), ..message.clone() };
    assert_eq!(token(&form(&late).unwrap())[1]["exp"], token(&form(&message).unwrap())[1]["exp"]);
}
