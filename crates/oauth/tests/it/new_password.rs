//! Changing a password, and who must not come in while it changes.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use valetkey_oauth::accounts::{
    Attempt, NewPassword, NewPasswordRefusal, PasswordHasher, SignInDesk, SignInRefusal, SignedIn, recognise,
};
use valetkey_oauth::model::{
    AlertKind, Secret, SecretDigest, SessionEnd, SessionState, SignIn, SignInId, User, UserId,
};
use valetkey_oauth::ports::{AlertQuery, PasswordChange, Ports, StoreError, UserAddition, Users};
use valetkey_testkit::authority::policy;
use valetkey_testkit::build;
use valetkey_testkit::clock::moment;
use valetkey_testkit::memory::Memory;

use crate::world::World;

const OLD: &str = "the old password";
const NEW: &str = "quite another one";

/// What happens at the worst moment.
enum Meddling {
    /// Right after the account was looked up, its password changes in this browser.
    ChangesAfterLook(SignInId),
    /// Right before the password changes, someone comes in with the old one.
    SlipsIn(Box<SignIn>),
    /// The store does not answer when the password changes.
    Fails,
}

/// Accounts in a store with which someone meddles once.
struct Meddled {
    store: Ports,
    next: Arc<Mutex<Option<Meddling>>>,
}

impl Meddled {
    fn take(&self) -> Option<Meddling> {
        self.next.lock().unwrap().take()
    }
}

#[async_trait]
impl Users for Meddled {
    async fn add(&self, user: &User) -> Result<UserAddition, StoreError> {
        self.store.users.add(user).await
    }

    async fn find_by_username(&self, username: &str) -> Result<Option<User>, StoreError> {
        let found = self.store.users.find_by_username(username).await?;
        if let (Some(user), Some(Meddling::ChangesAfterLook(keep))) = (&found, self.take()) {
            let cookie = Secret::new("of the owner").digest();
            let change = self.store.users.change_password(user.id, &user.password_hash, "new", keep, cookie);
            assert_eq!(change.await?, PasswordChange::Changed);
        }
        Ok(found)
    }

    async fn reset_password(&self, id: UserId, after: &str) -> Result<bool, StoreError> {
        self.store.users.reset_password(id, after).await
    }

    async fn find_by_email(&self, email: &str) -> Result<Vec<User>, StoreError> {
        self.store.users.find_by_email(email).await
    }

    async fn change_password(
        &self,
        id: UserId,
        before: &str,
        after: &str,
        keep: SignInId,
        cookie: SecretDigest,
    ) -> Result<PasswordChange, StoreError> {
        match self.take() {
            Some(Meddling::Fails) => return Err(StoreError::Unavailable("no answer".to_owned())),
            Some(Meddling::SlipsIn(thief)) => drop(self.store.sign_ins.begin(&thief, before).await?),
            Some(Meddling::ChangesAfterLook(_)) | None => {}
        }
        self.store.users.change_password(id, before, after, keep, cookie).await
    }

    async fn find_user(&self, id: UserId) -> Result<Option<User>, StoreError> {
        self.store.users.find_user(id).await
    }

    async fn list_users(&self, after: Option<&str>, limit: u32) -> Result<Vec<User>, StoreError> {
        self.store.users.list_users(after, limit).await
    }

    async fn update_user(&self, user: &User) -> Result<bool, StoreError> {
        self.store.users.update_user(user).await
    }

    async fn remove_user(&self, id: UserId) -> Result<bool, StoreError> {
        self.store.users.remove_user(id).await
    }
}

struct House {
    desk: SignInDesk,
    next: Arc<Mutex<Option<Meddling>>>,
}

impl House {
    async fn with_alice() -> Self {
        let (store, next) = (Memory::ports(), Arc::default());
        let mut alice = build::user(1, "alice");
        alice.password_hash = PasswordHasher::new(1).hash(Secret::new(OLD), [7; 16]).await.unwrap();
        store.users.add(&alice).await.unwrap();
        let meddled = Meddled { store: store.clone(), next: Arc::clone(&next) };
        let world = World::with(Ports { users: Arc::new(meddled), ..store }, policy()).await;
        Self { desk: SignInDesk::new(Arc::new(world.authority), 2), next }
    }

    fn meddle(&self, meddling: Meddling) {
        *self.next.lock().unwrap() = Some(meddling);
    }

    async fn sign_in(&self, password: &str, before: Option<SignIn>) -> Result<SignedIn, SignInRefusal> {
        let attempt = Attempt {
            username: "alice".to_owned(),
            password: Secret::new(password),
            address: Some("192.0.2.1".to_owned()),
            agent: None,
            before,
        };
        self.desk.sign_in(attempt).await
    }

    async fn change(&self, sign_in: &SignIn) -> Result<Secret, NewPasswordRefusal> {
        let typed = NewPassword {
            current: Secret::new(OLD),
            new: Secret::new(NEW),
            again: Secret::new(NEW),
            address: Some("192.0.2.1".to_owned()),
        };
        self.desk.change_password(sign_in, typed).await
    }

    async fn knows(&self, cookie: &Secret) -> bool {
        recognise(self.desk.authority(), cookie.expose()).await.unwrap().is_some()
    }

    async fn told(&self) -> Vec<AlertKind> {
        let query = AlertQuery { limit: 10, ..AlertQuery::default() };
        let alerts = self.desk.authority().ports.alerts.list_alerts(&query).await.unwrap();
        alerts.into_iter().map(|alert| alert.kind).collect()
    }

    async fn browsers(&self) -> usize {
        let authority = self.desk.authority();
        authority.ports.sign_ins.sign_ins_of(UserId(build::id(1)), authority.now(), 99).await.unwrap().len()
    }
}

#[tokio::test]
async fn who_waits_with_the_old_password_while_it_changes_does_not_come_in() {
    let house = House::with_alice().await;
    let owner = house.sign_in(OLD, None).await.unwrap();

    house.meddle(Meddling::ChangesAfterLook(owner.sign_in.id));
    let thief = house.sign_in(OLD, None).await;

    assert!(matches!(thief, Err(SignInRefusal::Wrong)), "{thief:?}");
    assert_eq!(house.browsers().await, 1);
}

#[tokio::test]
async fn who_renews_with_the_old_password_while_it_changes_does_not_come_in() {
    let house = House::with_alice().await;
    let owner = house.sign_in(OLD, None).await.unwrap();

    house.meddle(Meddling::ChangesAfterLook(owner.sign_in.id));
    let thief = house.sign_in(OLD, Some(owner.sign_in)).await;

    assert!(matches!(thief, Err(SignInRefusal::Wrong)), "{thief:?}");
    assert!(house.knows(&Secret::new("of the owner")).await, "the owner's browser stays");
}

#[tokio::test]
async fn a_new_password_leaves_one_browser_with_a_new_cookie_and_is_told() {
    let house = House::with_alice().await;
    let (owner, other) = (house.sign_in(OLD, None).await.unwrap(), house.sign_in(OLD, None).await.unwrap());

    let cookie = house.change(&owner.sign_in).await.unwrap();

    assert!(house.knows(&cookie).await);
    assert!(!house.knows(&owner.cookie).await && !house.knows(&other.cookie).await);
    assert_eq!(house.told().await, [AlertKind::PasswordChanged]);
    assert!(house.sign_in(OLD, None).await.is_err());
    assert!(house.sign_in(NEW, None).await.is_ok());
}

#[tokio::test]
async fn a_new_password_ends_what_apps_had_while_the_other_browsers_were_signed_in() {
    let house = House::with_alice().await;
    let (owner, other) = (house.sign_in(OLD, None).await.unwrap(), house.sign_in(OLD, None).await.unwrap());
    let ports = &house.desk.authority().ports;
    let mut app = build::client("app");
    app.backchannel_logout_uri = Some("https://app.example/out".to_owned());
    ports.clients.update(&app).await.unwrap();
    for (number, sign_in) in [(1, &owner.sign_in), (2, &other.sign_in)] {
        let mut session = build::session(number);
        (session.subject, session.origin.sign_in) = (sign_in.user.to_string(), Some(sign_in.id.0));
        ports.sessions.open(&session, &build::opening()).await.unwrap();
    }

    house.change(&owner.sign_in).await.unwrap();

    let state = async |number| ports.sessions.find_session(build::session(number).id).await.unwrap().unwrap().state;
    assert_eq!(state(1).await, SessionState::Active);
    assert_eq!(state(2).await, SessionState::Ended(SessionEnd::SignedOut));
    assert_eq!(ports.deliveries.claim_due(moment(60), moment(90), 9).await.unwrap().len(), 1, "the app is told once");
}

#[tokio::test]
async fn who_slips_in_right_before_the_change_is_out_after_it() {
    let house = House::with_alice().await;
    let owner = house.sign_in(OLD, None).await.unwrap();
    let stolen = Secret::new("vk_si_thief");

    house.meddle(Meddling::SlipsIn(Box::new(SignIn { cookie: stolen.digest(), ..build::sign_in(9) })));
    let cookie = house.change(&owner.sign_in).await.unwrap();

    assert!(house.knows(&cookie).await && !house.knows(&stolen).await);
    assert_eq!(house.browsers().await, 1);
}

#[tokio::test]
async fn a_change_that_the_store_refuses_leaves_password_and_cookie_as_they_were() {
    let house = House::with_alice().await;
    let owner = house.sign_in(OLD, None).await.unwrap();

    house.meddle(Meddling::Fails);
    let refusal = house.change(&owner.sign_in).await.unwrap_err();

    assert!(matches!(refusal, NewPasswordRefusal::Refused(_)), "{refusal:?}");
    assert!(house.knows(&owner.cookie).await);
    assert_eq!(house.told().await, []);
    assert!(house.sign_in(OLD, None).await.is_ok());
}

#[tokio::test]
async fn a_browser_that_was_signed_out_changes_no_password() {
    let house = House::with_alice().await;
    let owner = house.sign_in(OLD, None).await.unwrap();
    valetkey_oauth::accounts::sign_out(house.desk.authority(), &owner.sign_in).await.unwrap();

    let refusal = house.change(&owner.sign_in).await.unwrap_err();

    assert!(matches!(refusal, NewPasswordRefusal::Overtaken), "{refusal:?}");
    assert!(house.sign_in(OLD, None).await.is_ok());
}
