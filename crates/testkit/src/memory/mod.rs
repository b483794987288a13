//! An engine without a disk: for tests of the rules, where a database would only be slow. Passes the same suite.

mod api_keys;
mod clients;
mod devices;
mod links;
mod mail;
mod people;
mod sessions;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use jiff::Timestamp;
use uuid::Uuid;
use valetkey_oauth::model::{
    AccessToken, Alert, ApiKey, Client, Consent, Delivery, Device, KeyPurpose, Link, Revocation, SecretDigest, Session,
    SignIn, SignInId, StoredKey, User, UserId,
};
use valetkey_oauth::ports::{
    KeptAnswer, KeyAddition, Keys, PasswordChange, Ports, RevocationCursor, RevocationFeed, Revocations, StoreError,
    Sweeping, Swept, UserAddition, Users,
};

/// Everything in one lock: each method is one transaction.
#[derive(Default)]
pub struct Memory(Mutex<State>);

#[derive(Default)]
struct State {
    clients: BTreeMap<String, Client>,
    api_keys: Vec<ApiKey>,
    users: BTreeMap<String, User>,
    links: Vec<Link>,
    spent: HashMap<[u8; 32], Timestamp>,
    sign_ins: BTreeMap<Uuid, SignIn>,
    consents: BTreeMap<(String, String), Consent>,
    devices: BTreeMap<Uuid, Device>,
    sessions: BTreeMap<Uuid, Session>,
    answers: HashMap<[u8; 32], KeptAnswer>,
    revocations: Vec<Revocation>,
    keys: BTreeMap<(KeyPurpose, u32), StoredKey>,
    alerts: BTreeMap<Uuid, (Alert, Timestamp)>,
    deliveries: BTreeMap<Uuid, Delivery>,
}

impl Memory {
    /// An empty store behind every port.
    pub fn ports() -> Ports {
        Ports::of(Arc::new(Self::default()))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }
}

impl State {
    /// Is this still the user's password hash?
    fn has_password(&self, id: UserId, hash: &str) -> bool {
        self.users.values().any(|user| user.id == id && user.password_hash == hash)
    }
}

#[async_trait]
impl Users for Memory {
    async fn add(&self, user: &User) -> Result<UserAddition, StoreError> {
        let (mut state, key) = (self.state(), user.username.to_ascii_lowercase());
        if state.users.contains_key(&key) {
            return Ok(UserAddition::NameTaken);
        }
        state.users.insert(key, user.clone());
        Ok(UserAddition::Added)
    }

    async fn find_by_username(&self, username: &str) -> Result<Option<User>, StoreError> {
        Ok(self.state().users.get(&username.to_ascii_lowercase()).cloned())
    }

    async fn find_by_email(&self, email: &str) -> Result<Vec<User>, StoreError> {
        let state = self.state();
        let same = |user: &&User| user.email.as_ref().is_some_and(|known| known.eq_ignore_ascii_case(email));
        let mut found: Vec<_> = state.users.values().filter(same).cloned().collect();
        found.sort_by_key(|user| (!user.has_verified_email(), user.id.0));
        found.truncate(2);
        Ok(found)
    }

    async fn change_password(
        &self,
        id: UserId,
        before: &str,
        after: &str,
        keep: SignInId,
        cookie: SecretDigest,
    ) -> Result<PasswordChange, StoreError> {
        let State { users, sign_ins, .. } = &mut *self.state();
        let user = users.values_mut().find(|user| user.id == id && user.password_hash == before);
        let kept = sign_ins.get_mut(&keep.0).filter(|kept| kept.user == id);
        let (Some(user), Some(kept)) = (user, kept) else { return Ok(PasswordChange::Overtaken) };
        user.password_hash = after.to_owned();
        kept.cookie = cookie;
        sign_ins.retain(|_, known| known.user != id || known.id == keep);
        Ok(PasswordChange::Changed)
    }

    async fn reset_password(&self, id: UserId, after: &str) -> Result<bool, StoreError> {
        let State { users, sign_ins, .. } = &mut *self.state();
        let Some(user) = users.values_mut().find(|user| user.id == id) else { return Ok(false) };
        user.password_hash = after.to_owned();
        sign_ins.retain(|_, known| known.user != id);
        Ok(true)
    }

    async fn find_user(&self, id: UserId) -> Result<Option<User>, StoreError> {
        Ok(self.state().users.values().find(|user| user.id == id).cloned())
    }

    async fn list_users(&self, after: Option<&str>, limit: u32) -> Result<Vec<User>, StoreError> {
        let (state, after) = (self.state(), after.unwrap_or_default().to_ascii_lowercase());
        let known = state.users.iter().filter(|(key, _)| **key > after);
        Ok(known.map(|(_, user)| user.clone()).take(limit as usize).collect())
    }

    async fn update_user(&self, user: &User) -> Result<bool, StoreError> {
        let mut state = self.state();
        let Some(known) = state.users.values_mut().find(|known| known.id == user.id) else { return Ok(false) };
        let (username, password_hash) = (known.username.clone(), known.password_hash.clone());
        *known = User { username, password_hash, created_at: known.created_at, ..user.clone() };
        Ok(true)
    }

    async fn remove_user(&self, id: UserId) -> Result<bool, StoreError> {
        let mut state = self.state();
        let before = state.users.len();
        state.users.retain(|_, user| user.id != id);
        state.links.retain(|link| link.user != id);
        Ok(state.users.len() < before)
    }
}

#[async_trait]
impl Revocations for Memory {
    async fn record(&self, revocation: &Revocation) -> Result<(), StoreError> {
        self.state().revocations.push(revocation.clone());
        Ok(())
    }

    async fn feed(&self, after: RevocationCursor, now: Timestamp) -> Result<RevocationFeed, StoreError> {
        let state = self.state();
        let news = state.revocations.iter().skip(usize::try_from(after.0).unwrap());
        let entries = news.filter(|entry| now < entry.expires_at).cloned().collect();
        Ok(RevocationFeed { entries, cursor: RevocationCursor(state.revocations.len() as i64) })
    }

    async fn is_revoked(&self, token: &AccessToken) -> Result<bool, StoreError> {
        Ok(self.state().revocations.iter().any(|entry| entry.target.covers(token)))
    }
}

#[async_trait]
impl Keys for Memory {
    async fn add_key(&self, key: &StoredKey) -> Result<KeyAddition, StoreError> {
        let (mut state, name) = (self.state(), (key.purpose, key.generation));
        if state.keys.contains_key(&name) {
            return Ok(KeyAddition::GenerationTaken);
        }
        state.keys.insert(name, key.clone());
        Ok(KeyAddition::Added)
    }

    async fn all_keys(&self) -> Result<Vec<StoredKey>, StoreError> {
        Ok(self.state().keys.values().cloned().collect())
    }

    async fn remove_key(&self, purpose: KeyPurpose, generation: u32) -> Result<(), StoreError> {
        self.state().keys.remove(&(purpose, generation));
        Ok(())
    }
}

#[async_trait]
impl Sweeping for Memory {
    async fn sweep(&self, now: Timestamp, most: u32) -> Result<Swept, StoreError> {
        let mut state = self.state();
        let mut swept = Swept::default();
        let old: Vec<_> = state.sessions.values().filter(|old| old.expires_at <= now).map(|old| old.id.0).collect();
        for id in old.into_iter().take(most as usize) {
            state.sessions.remove(&id);
            swept.sessions += 1;
        }
        for client in state.clients.values_mut() {
            let before = client.secrets.len();
            client.secrets.retain(|secret| secret.expires_at.is_none_or(|end| now < end));
            swept.secrets += (before - client.secrets.len()) as u64;
        }
        let (sign_ins, answers, devices) = (state.sign_ins.len(), state.answers.len(), state.devices.len());
        state.devices.retain(|_, device| now < device.expires_at);
        swept.devices = (devices - state.devices.len()) as u64;
        state.sign_ins.retain(|_, sign_in| now < sign_in.expires_at);
        state.answers.retain(|_, answer| now < answer.expires_at);
        swept.sign_ins = (sign_ins - state.sign_ins.len()) as u64;
        swept.answers = (answers - state.answers.len()) as u64;
        let (alerts, deliveries) = (state.alerts.len(), state.deliveries.len());
        state.alerts.retain(|_, (_, keep_until)| now < *keep_until);
        swept.alerts = (alerts - state.alerts.len()) as u64;
        state.deliveries.retain(|_, message| now < message.expires_at);
        swept.deliveries = (deliveries - state.deliveries.len()) as u64;
        // Entries keep their place, so that cursors stay true: what has expired is only counted once.
        for entry in state.revocations.iter_mut().filter(|entry| entry.expires_at <= now).take(most as usize) {
            if entry.expires_at != Timestamp::MIN {
                entry.expires_at = Timestamp::MIN;
                swept.revocations += 1;
            }
        }
        Ok(swept)
    }

    async fn ping(&self) -> Result<(), StoreError> {
        Ok(())
    }
}
