//! Signing in with a password: the same words and the same time for a wrong password and a name nobody has.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::{PasswordError, PasswordHasher, Throttle, sign_out};
use crate::model::{AlertKind, Secret, SignIn, SignInId, User};
use crate::moment::later;
use crate::ports::{SignInRenewal, SignInStart, StoreError};
use crate::{Authority, Event, Refusal};

/// A hash of no password: checked when there is no user, so that the answer takes as long.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5IG5vYm9keSE$VGhpcyBpcyBubyBoYXNoIG9mIGFueXRoaW5nIQAAAAA";

/// Where people sign in.
#[derive(Clone)]
pub struct SignInDesk {
    authority: Arc<Authority>,
    hasher: PasswordHasher,
    throttle: Arc<Throttle>,
}

/// What someone typed, and from where.
#[derive(Debug)]
pub struct Attempt {
    /// The name.
    pub username: String,
    /// The password.
    pub password: Secret,
    /// The address it came from.
    pub address: Option<String>,
    /// What the browser calls itself.
    pub agent: Option<String>,
    /// Who was signed in in this browser before.
    pub before: Option<SignIn>,
}

/// Someone who has proven who they are, and how.
#[derive(Debug)]
pub(crate) struct Arrival {
    /// The address they came from.
    pub address: Option<String>,
    /// What the browser calls itself.
    pub agent: Option<String>,
    /// Who was signed in in this browser before.
    pub before: Option<SignIn>,
    /// When they proved it.
    pub authenticated_at: Timestamp,
    /// How, as `amr` words.
    pub methods: Vec<String>,
}

/// Someone is in.
#[derive(Debug)]
pub struct SignedIn {
    /// The sign-in.
    pub sign_in: SignIn,
    /// Its cookie: new at each sign-in, so that one planted before is worth nothing.
    pub cookie: Secret,
    /// The user.
    pub user: User,
}

/// Why someone is not in.
#[derive(Debug, thiserror::Error)]
pub enum SignInRefusal {
    /// Name or password is wrong. Which one is not said.
    #[error("name or password is wrong")]
    Wrong,
    /// Too many mistakes; this long to wait.
    #[error("too many mistakes")]
    Throttled(Duration),
    /// The password could not be checked.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// Whoever was signed in before could not be signed out.
    #[error(transparent)]
    Before(#[from] Refusal),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl SignInDesk {
    /// A desk that checks at most `at_once` passwords at the same time.
    pub fn new(authority: Arc<Authority>, at_once: usize) -> Self {
        Self { authority, hasher: PasswordHasher::new(at_once), throttle: Arc::default() }
    }

    /// The authority behind it.
    pub fn authority(&self) -> &Arc<Authority> {
        &self.authority
    }

    /// Lets someone in.
    pub async fn sign_in(&self, attempt: Attempt) -> Result<SignedIn, SignInRefusal> {
        let (name, address) = (&attempt.username, attempt.address.as_deref());
        self.wait(name, address)?;
        let user = self.authority.ports.users.find_by_username(name).await?;
        self.judge(name, user.as_ref(), attempt.password.clone(), address).await?;
        let user = user.ok_or(SignInRefusal::Wrong)?;
        let typed = name.clone();
        let arrival = Arrival {
            address: attempt.address,
            agent: attempt.agent,
            before: attempt.before,
            authenticated_at: self.authority.now(),
            methods: vec!["pwd".to_owned()],
        };
        let signed_in = self.begin(user, arrival).await?;
        let address = signed_in.sign_in.address.as_deref();
        self.throttle.succeeded(&typed, address, self.authority.now());
        self.authority.observer.observe(&Event::SignedIn { user: signed_in.user.id, address });
        Ok(signed_in)
    }

    /// Lets someone who is in prove it once more. Mistakes count as they do at sign-in.
    pub(super) async fn prove(
        &self,
        user: &User,
        password: Secret,
        address: Option<&str>,
    ) -> Result<(), SignInRefusal> {
        self.wait(&user.username, address)?;
        self.judge(&user.username, Some(user), password, address).await?;
        self.throttle.succeeded(&user.username, address, self.authority.now());
        Ok(())
    }

    /// Hashes a new password.
    pub(super) async fn hash(&self, password: Secret) -> Result<String, PasswordError> {
        let mut salt = [0; 16];
        self.authority.random.fill(&mut salt);
        self.hasher.hash(password, salt).await
    }

    fn wait(&self, username: &str, address: Option<&str>) -> Result<(), SignInRefusal> {
        let wait = self.throttle.wait(username, address, self.authority.now());
        wait.map_or(Ok(()), |wait| Err(SignInRefusal::Throttled(wait)))
    }

    /// Is this the password? A mistake is noted within its turn: of many guesses at once, those that wait for theirs find
    /// out that they came too often.
    async fn judge(
        &self,
        username: &str,
        user: Option<&User>,
        password: Secret,
        address: Option<&str>,
    ) -> Result<(), SignInRefusal> {
        let turn = self.hasher.turn().await?;
        self.wait(username, address)?;
        // Who comes in through another provider alone has no password, and takes as long to refuse.
        let with_password = user.filter(|user| user.has_password());
        let hash = with_password.map_or(NOBODY, |user| &user.password_hash);
        let is_right = match turn.verify(password, hash).await {
            Ok(is_right) => is_right && with_password.is_some(),
            Err(PasswordError::TooLong | PasswordError::Empty) => false,
            Err(error) => return Err(error.into()),
        };
        if is_right {
            return Ok(());
        }
        let now = self.authority.now();
        let failures = self.throttle.failed(username, address, now);
        self.warn(user, address, failures, 5);
        if let Some(user) = user {
            // Many addresses with a few guesses each: none of them is worth an alert, all together are.
            let anywhere = self.throttle.failed_anywhere(user.id, now);
            if anywhere != failures {
                self.warn(Some(user), address, anywhere, 10);
            }
        }
        self.authority.observer.observe(&Event::SignInFailed { address, failures });
        Err(SignInRefusal::Wrong)
    }

    /// Tells of the `first` mistake in a row (say the fifth), the tenth, twentieth, fortieth … Beside the answer, whose
    /// time must not say whether the account exists.
    fn warn(&self, user: Option<&User>, address: Option<&str>, failures: u32, first: u32) {
        if !is_worth_an_alert(failures, first) {
            return;
        }
        let (user, address) = (user.map(|user| user.id), address.map(str::to_owned));
        self.authority.alarm.raise_aside(AlertKind::SignInFailures, move |alert| {
            alert.subject = user.map(|user| user.to_string());
            alert.address = address;
            alert.failures = Some(failures);
        });
    }

    /// A new sign-in, or the one of the same user in this browser renewed. Another user's ends. A password that was
    /// changed since it was loaded is a wrong one: whoever waited for a turn meanwhile must not come in with it.
    pub(crate) async fn begin(&self, user: User, arrival: Arrival) -> Result<SignedIn, SignInRefusal> {
        let authority = &self.authority;
        let now = authority.now();
        let cookie = Secret::generate("vk_si_", &*authority.random);
        let sign_in = SignIn {
            id: SignInId(authority.random.uuid_at(now)),
            user: user.id,
            cookie: cookie.digest(),
            authenticated_at: arrival.authenticated_at,
            methods: arrival.methods,
            seen_at: now,
            created_at: now,
            expires_at: later(now, authority.policy.sign_in_lifetime),
            address: arrival.address,
            agent: arrival.agent.map(|agent| agent.chars().take(200).collect()),
        };
        if let Some(before) = arrival.before {
            if before.user == user.id {
                let renewed = SignIn { id: before.id, created_at: before.created_at, ..sign_in.clone() };
                match authority.ports.sign_ins.renew(&renewed, &user.password_hash).await? {
                    SignInRenewal::Renewed => return Ok(SignedIn { sign_in: renewed, cookie, user }),
                    SignInRenewal::Gone => {}
                    SignInRenewal::PasswordChanged => return Err(SignInRefusal::Wrong),
                }
            } else {
                sign_out(authority, &before).await?;
            }
        }
        match authority.ports.sign_ins.begin(&sign_in, &user.password_hash).await? {
            SignInStart::Begun => Ok(SignedIn { sign_in, cookie, user }),
            SignInStart::PasswordChanged => Err(SignInRefusal::Wrong),
        }
    }
}

/// The first, and whenever it has doubled: 5, 10, 20, 40 and so on.
fn is_worth_an_alert(failures: u32, first: u32) -> bool {
    failures.is_multiple_of(first) && (failures / first).is_power_of_two()
}
