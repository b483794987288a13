//! Ceilings: what a person may let apps do at most, and what becomes of what went beyond.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde_json::Value;
use valetkey_oauth::authorize::{Refused, Step};
use valetkey_oauth::devices::{self, DeskRefusal, DeviceDesk, DeviceRequest};
use valetkey_oauth::grants::{Caller, DevicePoll, TokenRequest, TokenSet, exchange};
use valetkey_oauth::model::{ClientId, Consent, Revocation, SessionOrigin, User};
use valetkey_oauth::openid::userinfo;
use valetkey_oauth::ports::{Consents, Ports, StoreError};
use valetkey_oauth::protocol::{GrantType, Scope};
use valetkey_oauth::{Refusal, accounts, tokens};
use valetkey_testkit::authority::policy;
use valetkey_testkit::build;
use valetkey_testkit::clock::moment;
use valetkey_testkit::memory::Memory;

use crate::person::{CALLBACK, Person, VERIFIER, parameter, refresh_token};
use crate::world::World;

const BOTH: &str = "openid read:orders write:orders";

/// What happens beside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meddling {
    /// An operator takes everything from alice right before she agrees.
    TakenBefore,
    /// The same right after it, with what stands on her consent.
    TakenAfter,
    /// The store is away for a moment when something is withdrawn.
    Away,
}

/// Consents in a store where something happens beside, once.
struct Meddled {
    store: Ports,
    next: Mutex<Option<Meddling>>,
}

impl Meddled {
    fn ports(store: &Ports, next: Meddling) -> Ports {
        let consents = Self { store: store.clone(), next: Mutex::new(Some(next)) };
        Ports { consents: Arc::new(consents), ..store.clone() }
    }

    fn happens(&self, meddling: Meddling) -> bool {
        let mut next = self.next.lock().unwrap();
        let happens = *next == Some(meddling);
        next.take_if(|_| happens);
        happens
    }

    async fn take_from_alice(&self) -> Result<bool, StoreError> {
        self.store.users.update_user(&User { scope: Some(Scope::empty()), ..build::user(1, "alice") }).await
    }
}

#[async_trait]
impl Consents for Meddled {
    async fn find_consent(&self, subject: &str, client: &ClientId) -> Result<Option<Consent>, StoreError> {
        self.store.consents.find_consent(subject, client).await
    }

    async fn agree(&self, consent: &Consent) -> Result<Consent, StoreError> {
        if self.happens(Meddling::TakenBefore) {
            self.take_from_alice().await?;
        }
        let agreed = self.store.consents.agree(consent).await?;
        if self.happens(Meddling::TakenAfter) {
            self.take_from_alice().await?;
            self.store.consents.withdraw(&consent.subject, &consent.client, moment(0), moment(900)).await?;
        }
        Ok(agreed)
    }

    async fn consents_of(&self, subject: &str) -> Result<Vec<Consent>, StoreError> {
        self.store.consents.consents_of(subject).await
    }

    async fn withdraw(
        &self,
        subject: &str,
        client: &ClientId,
        now: Timestamp,
        tokens_until: Timestamp,
    ) -> Result<Vec<Revocation>, StoreError> {
        if self.happens(Meddling::Away) {
            return Err(StoreError::Unavailable("no answer".to_owned()));
        }
        self.store.consents.withdraw(subject, client, now, tokens_until).await
    }
}

/// An operator sets what alice may let apps do.
async fn limit(person: &Person, scope: Option<&str>) {
    let user = User { scope: scope.map(|scope| Scope::parse(scope).unwrap()), ..build::user(1, "alice") };
    assert!(accounts::update(&person.world.authority, &user).await.unwrap());
}

#[tokio::test]
async fn a_person_gives_no_more_than_they_have() {
    let person = Person::signed_in().await;
    limit(&person, Some("read:orders")).await;

    let asked = person.ask(|request| request.scope = Some(BOTH)).await.unwrap();
    let Step::Consent(shown, None) = person.decide(asked.clone()).await.unwrap() else { panic!("not asked") };
    let code = parameter(&person.approve(&asked).await.unwrap(), "code");
    let tokens = person.redeem("app", &code, VERIFIER, CALLBACK).await.unwrap();

    assert_eq!(shown.scope.as_str(), "openid read:orders", "who they are is always theirs to tell");
    assert_eq!(tokens.scope.as_str(), "openid read:orders");
    let silent = person.ask(|request| (request.scope, request.prompt) = (Some(BOTH), Some("none"))).await.unwrap();
    assert!(matches!(person.decide(silent).await, Ok(Step::Respond(_))), "what they can give is agreed to");
}

#[tokio::test]
async fn an_app_that_asks_only_for_what_a_person_has_not_is_turned_away() {
    let person = Person::signed_in().await;
    limit(&person, Some("")).await;

    let asked = person.ask(|request| request.scope = Some("read:orders")).await.unwrap();
    let decided = person.decide(asked.clone()).await;
    let approved = person.approve(&asked).await;

    assert!(matches!(decided, Err(Refused::Respond(_, Refusal::ScopeBeyondUser))));
    assert!(matches!(approved, Err(Refused::Respond(_, Refusal::ScopeBeyondUser))));
}

#[tokio::test]
async fn a_lower_ceiling_takes_back_what_went_beyond_and_nothing_else() {
    let person = Person::signed_in().await;
    let tokens = person.tokens().await;
    let pending = person.code().await;
    limit(&person, Some("read:orders more:orders")).await;
    assert!(tokens::verify(&person.world.authority, tokens.access_token.expose()).await.unwrap().is_some());

    limit(&person, Some("write:orders")).await;

    assert!(tokens::verify(&person.world.authority, tokens.access_token.expose()).await.unwrap().is_none());
    assert!(matches!(person.refresh(&refresh_token(&tokens)).await, Err(Refusal::SessionOver)));
    let late = person.redeem("app", &pending, VERIFIER, CALLBACK).await;
    assert!(matches!(late, Err(Refusal::CodeUnfounded)));
}

#[tokio::test]
async fn an_old_code_brings_no_more_than_a_new_consent() {
    let person = Person::signed_in().await;
    let old = person.code_for(|request| request.scope = Some(BOTH)).await;
    limit(&person, Some("read:orders")).await;
    person.code_for(|request| request.scope = Some("openid read:orders")).await;

    let late = person.redeem("app", &old, VERIFIER, CALLBACK).await;

    assert!(matches!(late, Err(Refusal::CodeUnfounded)));
}

#[tokio::test]
async fn a_removed_person_is_nobody_and_their_apps_have_nothing() {
    let person = Person::signed_in().await;
    let tokens = person.tokens().await;
    let pending = person.code().await;

    assert!(accounts::remove(&person.world.authority, build::user(1, "alice").id).await.unwrap());

    assert!(tokens::verify(&person.world.authority, tokens.access_token.expose()).await.unwrap().is_none());
    assert!(person.refresh(&refresh_token(&tokens)).await.is_err());
    assert!(person.redeem("app", &pending, VERIFIER, CALLBACK).await.is_err());
    let asked = person.ask(|_| {}).await.unwrap();
    assert!(matches!(person.decide(asked.clone()).await, Ok(Step::SignIn(_))), "an old page knows nobody");
    assert!(matches!(person.approve(&asked).await, Err(Refused::Page(Refusal::InteractionExpired))));
    assert!(!accounts::remove(&person.world.authority, build::user(1, "alice").id).await.unwrap());
}

#[tokio::test]
async fn whoever_agrees_while_the_ceiling_sinks_has_agreed_to_nothing() {
    let store = Memory::ports();
    let ports = Meddled::ports(&store, Meddling::TakenBefore);
    let person = Person::in_world(World::with(ports, policy()).await).await;

    let asked = person.ask(|_| {}).await.unwrap();
    let answer = person.approve(&asked).await;

    assert!(matches!(answer, Err(Refused::Respond(_, Refusal::ScopeBeyondUser))));
    let subject = build::user(1, "alice").id.to_string();
    assert!(store.consents.consents_of(&subject).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_device_let_in_while_everything_is_taken_back_stays_outside() {
    let store = Memory::ports();
    let ports = Meddled::ports(&store, Meddling::TakenAfter);
    let Person { world, browser } = Person::in_world(World::with(ports, policy()).await).await;
    world.change("app", |client| client.grants = vec![GrantType::DeviceCode]).await;
    let (client, authority) = (world.client("app").await, Arc::new(world.authority));
    let origin = SessionOrigin::default();
    let request = DeviceRequest { scope: Some("read:orders"), resource: None, origin };
    let question = devices::ask(&authority, &client, request).await.unwrap();

    let let_in = DeviceDesk::new(authority.clone()).approve(&question.user_code.to_string(), &browser).await;

    assert!(matches!(let_in, Err(DeskRefusal::Refused(Refusal::ScopeBeyondUser))), "{let_in:?}");
    let code = question.device_code.expose().to_owned();
    let poll = TokenRequest::DeviceCode(DevicePoll { code, resource: None, key: None });
    let polled = exchange(&authority, &client, &Caller::default(), poll).await;
    assert!(matches!(polled, Err(Refusal::DeviceCodeExpired)), "{polled:?}");
}

#[tokio::test]
async fn a_removal_that_was_interrupted_is_done_again() {
    let store = Memory::ports();
    let ports = Meddled::ports(&store, Meddling::Away);
    let person = Person::in_world(World::with(ports, policy()).await).await;
    let (tokens, alice) = (person.tokens().await, build::user(1, "alice").id);

    assert!(accounts::remove(&person.world.authority, alice).await.is_err());
    assert!(store.users.find_by_username("alice").await.unwrap().is_some(), "an operator finds who is left");
    assert!(accounts::remove(&person.world.authority, alice).await.unwrap());

    assert!(person.refresh(&refresh_token(&tokens)).await.is_err());
}

#[tokio::test]
async fn claims_that_an_app_asked_for_one_by_one_go_with_their_scope() {
    let person = Person::signed_in().await;
    let asked = r#"{"id_token":{"email":null},"userinfo":{"email":null}}"#;
    let code = person.code_for(|request| request.claims = Some(asked)).await;
    let tokens = person.redeem("app", &code, VERIFIER, CALLBACK).await.unwrap();
    let told = async |tokens: &TokenSet| {
        let payload = tokens.id_token.as_ref().unwrap().expose().split('.').nth(1).unwrap().to_owned();
        let signed: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).unwrap()).unwrap();
        let access = tokens::verify(&person.world.authority, tokens.access_token.expose()).await.unwrap().unwrap();
        let info = userinfo(&person.world.authority, &access, None).await.unwrap();
        (signed.get("email").is_some(), info.contains_key("email"))
    };
    assert_eq!(told(&tokens).await, (true, true));

    person.world.change("app", |client| client.scope = Scope::parse("openid read:orders").unwrap()).await;
    let renewed = person.refresh(&refresh_token(&tokens)).await.unwrap();

    assert_eq!(told(&renewed).await, (false, false));
}

#[tokio::test]
async fn what_is_taken_from_an_app_is_not_in_its_next_code() {
    let person = Person::signed_in().await;
    let code = person.code_for(|request| request.scope = Some(BOTH)).await;
    person.world.change("app", |client| client.scope = Scope::parse("openid read:orders").unwrap()).await;

    let tokens = person.redeem("app", &code, VERIFIER, CALLBACK).await.unwrap();

    assert_eq!(tokens.scope.as_str(), "openid read:orders");
}
