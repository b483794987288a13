//! What was used up is answered, also if the accounts cannot be asked at that moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use valetkey_oauth::model::{SecretDigest, SignInId, User, UserId};
use valetkey_oauth::ports::{PasswordChange, Ports, StoreError, UserAddition, Users};
use valetkey_testkit::authority::policy;
use valetkey_testkit::memory::Memory;

use crate::person::{CALLBACK, Person, VERIFIER, refresh_token};
use crate::world::World;

/// Accounts that cannot be looked up for a while.
struct Away {
    store: Ports,
    is_away: Arc<AtomicBool>,
}

#[async_trait]
impl Users for Away {
    async fn find_user(&self, id: UserId) -> Result<Option<User>, StoreError> {
        if self.is_away.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable("all connections are busy".to_owned()));
        }
        self.store.users.find_user(id).await
    }

    async fn add(&self, user: &User) -> Result<UserAddition, StoreError> {
        self.store.users.add(user).await
    }

    async fn find_by_username(&self, username: &str) -> Result<Option<User>, StoreError> {
        self.store.users.find_by_username(username).await
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
        self.store.users.change_password(id, before, after, keep, cookie).await
    }

    async fn reset_password(&self, id: UserId, after: &str) -> Result<bool, StoreError> {
        self.store.users.reset_password(id, after).await
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

#[tokio::test]
async fn claims_that_cannot_be_looked_up_cost_nobody_a_code_or_a_refresh_token() {
    let (store, is_away) = (Memory::ports(), Arc::new(AtomicBool::new(false)));
    let users = Away { store: store.clone(), is_away: is_away.clone() };
    let ports = Ports { users: Arc::new(users), ..store };
    let person = Person::in_world(World::with(ports, policy()).await).await;
    let code = person.code_for(|request| request.claims = Some(r#"{"id_token":{"email":null}}"#)).await;

    is_away.store(true, Ordering::SeqCst);
    let redeemed = person.redeem("app", &code, VERIFIER, CALLBACK).await.unwrap();
    let renewed = person.refresh(&refresh_token(&redeemed)).await.unwrap();

    assert!(redeemed.id_token.is_some() && renewed.id_token.is_some());
    assert!(person.refresh(&refresh_token(&renewed)).await.is_ok(), "and the session goes on");
}
