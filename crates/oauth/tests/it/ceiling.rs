//! Ceilings: what a person may let apps do at most, and what becomes of what went beyond.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use valetkey_oauth::authorize::{Refused, Step};
use valetkey_oauth::model::{ClientId, Consent, Revocation, User};
use valetkey_oauth::ports::{Consents, Ports, StoreError};
use valetkey_oauth::protocol::Scope;
use valetkey_oauth::{Refusal, accounts, tokens};
use valetkey_testkit::authority::policy;
use valetkey_testkit::build;
use valetkey_testkit::memory::Memory;

use crate::person::{CALLBACK, Person, VERIFIER, parameter, refresh_token};
use crate::world::World;

const BOTH: &str = "openid read:orders write:orders";

/// Consents in a store where an operator takes everything from alice right before she agrees.
struct Overtaken(Ports);

#[async_trait]
impl Consents for Overtaken {
    async fn find_consent(&self, subject: &str, client: &ClientId) -> Result<Option<Consent>, StoreError> {
        self.0.consents.find_consent(subject, client).await
    }

    async fn agree(&self, consent: &Consent) -> Result<Consent, StoreError> {
        self.0.users.update_user(&User { scope: Some(Scope::empty()), ..build::user(1, "alice") }).await?;
        self.0.consents.agree(consent).await
    }

    async fn consents_of(&self, subject: &str) -> Result<Vec<Consent>, StoreError> {
        self.0.consents.consents_of(subject).await
    }

    async fn withdraw(
        &self,
        subject: &str,
        client: &ClientId,
        now: Timestamp,
        tokens_until: Timestamp,
    ) -> Result<Vec<Revocation>, StoreError> {
        self.0.consents.withdraw(subject, client, now, tokens_until).await
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
    let ports = Ports { consents: Arc::new(Overtaken(store.clone())), ..store.clone() };
    let person = Person::in_world(World::with(ports, policy()).await).await;

    let asked = person.ask(|_| {}).await.unwrap();
    let answer = person.approve(&asked).await;

    assert!(matches!(answer, Err(Refused::Respond(_, Refusal::ScopeBeyondUser))));
    let subject = build::user(1, "alice").id.to_string();
    assert!(store.consents.consents_of(&subject).await.unwrap().is_empty());
}
