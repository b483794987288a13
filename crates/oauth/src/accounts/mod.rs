//! Accounts: adding people, keeping their passwords as argon2id, and letting them in.

mod alerts;
mod browser;
mod ceiling;
mod form_token;
mod new_password;
mod overview;
mod password;
mod sign_in;
mod sign_out;
mod throttle;
mod upkeep;

pub use alerts::alerts_of;
pub use browser::{Browser, Carried, CarriedChange, SignInChange, client_name, person, recognise};
pub(crate) use ceiling::{grantable, is_kept};
pub use form_token::{form_token, is_form_token};
pub use new_password::{NewPassword, NewPasswordRefusal, SHORTEST};
pub use overview::{AppAccess, Overview, end_others, end_session, end_sign_in, overview, withdraw};
pub use password::{PasswordError, PasswordHasher};
pub(crate) use sign_in::Arrival;
pub use sign_in::{Attempt, SignInDesk, SignInRefusal, SignedIn};
pub use sign_out::sign_out;
pub use throttle::Throttle;
pub use upkeep::{ResetRefusal, remove, reset_password, update};

use crate::model::{Secret, User, UserId};
use crate::ports::{Clock, Random, StoreError, UserAddition, Users};
use crate::protocol::Scope;

/// What a new account needs.
#[derive(Debug)]
pub struct NewUser {
    /// What its owner types at sign-in.
    pub username: String,
    /// The password; only its hash is kept.
    pub password: Secret,
    /// An address, if known.
    pub email: Option<String>,
    /// A full name, if known.
    pub name: Option<String>,
    /// Other standard claims of OpenID Connect.
    pub profile: serde_json::Map<String, serde_json::Value>,
    /// May it administer this server?
    pub admin: bool,
    /// What its owner may let apps do at most; none means whatever they like.
    pub scope: Option<Scope>,
}

/// Why an account was not made.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// Names are typed and shown.
    #[error("a user name has 1 to 100 characters, none of them a space or a control character")]
    BadName,
    /// Not an address.
    #[error("{0:?} is no e-mail address")]
    BadEmail(String),
    /// Someone has it.
    #[error("the user name {0} is taken")]
    NameTaken(String),
    /// The password cannot be used.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes an account.
pub async fn add(
    users: &dyn Users,
    hasher: &PasswordHasher,
    clock: &dyn Clock,
    random: &dyn Random,
    new: NewUser,
) -> Result<User, AccountError> {
    if !is_username(&new.username) {
        return Err(AccountError::BadName);
    }
    if let Some(email) = new.email.as_deref().filter(|email| !is_email(email)) {
        return Err(AccountError::BadEmail(email.to_owned()));
    }
    let mut salt = [0; 16];
    random.fill(&mut salt);
    let now = clock.now();
    let user = User {
        id: UserId(random.uuid_at(now)),
        username: new.username,
        password_hash: hasher.hash(new.password, salt).await?,
        email: new.email,
        name: new.name,
        profile: new.profile,
        admin: new.admin,
        scope: new.scope,
        created_at: now,
    };
    match users.add(&user).await? {
        UserAddition::Added => Ok(user),
        UserAddition::NameTaken => Err(AccountError::NameTaken(user.username)),
    }
}

/// What can be typed and shown: 1 to 100 characters, none of them a space or a control character.
pub(crate) fn is_username(text: &str) -> bool {
    (1..=100).contains(&text.chars().count()) && !text.chars().any(|c| c.is_whitespace() || c.is_control())
}

/// Can this be an e-mail address? One @ with something on both sides and no spaces; only a letter to it can prove more.
pub fn is_email(text: &str) -> bool {
    text.len() <= 254
        && !text.chars().any(|c| c.is_whitespace() || c.is_control())
        && text
            .split_once('@')
            .is_some_and(|(local, host)| !local.is_empty() && !host.is_empty() && !host.contains('@'))
}
