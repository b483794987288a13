//! Changing a password: the old one is asked for, the new one must not be easy to guess, and other browsers are signed out.

use std::sync::Arc;

use super::overview::others;
use super::sign_out::wind_up;
use super::{PasswordError, SignInDesk, SignInRefusal};
use crate::alerts::to_its_end;
use crate::model::{AlertKind, Secret, SignIn, User};
use crate::ports::PasswordChange;
use crate::{Event, Refusal};

/// A password has at least so many characters.
pub const SHORTEST: usize = 8;

/// What everyone tries first, beside the name itself and what the keyboard offers.
const GUESSED: [&str; 40] = [
    "password",
    "passw0rd",
    "letmein1",
    "iloveyou",
    "princess",
    "sunshine",
    "football",
    "baseball",
    "superman",
    "trustno1",
    "starwars",
    "whatever",
    "computer",
    "michelle",
    "jennifer",
    "corvette",
    "mercedes",
    "maverick",
    "qwertyui",
    "qwerty12",
    "qwerty123",
    "qwertyuiop",
    "1q2w3e4r",
    "1qaz2wsx",
    "zaq12wsx",
    "asdfghjk",
    "asdfghjkl",
    "12345678",
    "123456789",
    "1234567890",
    "87654321",
    "11223344",
    "abcd1234",
    "abc12345",
    "admin123",
    "welcome1",
    "welcome123",
    "changeme",
    "password1",
    "passwort",
];

/// What someone typed to change a password.
#[derive(Debug)]
pub struct NewPassword {
    /// The one they have.
    pub current: Secret,
    /// The one they want.
    pub new: Secret,
    /// The same once more.
    pub again: Secret,
    /// The address it came from.
    pub address: Option<String>,
}

/// Why a password is still the old one.
#[derive(Debug, thiserror::Error)]
pub enum NewPasswordRefusal {
    /// The two new ones differ.
    #[error("the two new passwords differ")]
    Differ,
    /// Too short, too long, or one that everyone tries.
    #[error("the new password is too easy to guess")]
    Weak,
    /// Someone else changed it in between, or signed this browser out.
    #[error("the password was changed in between")]
    Overtaken,
    /// The old one is wrong, or too many were.
    #[error(transparent)]
    Current(#[from] SignInRefusal),
    /// Something else went wrong.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl SignInDesk {
    /// Changes the password of whoever is signed in. All their other browsers are signed out; this one gets a new
    /// cookie, so that a stolen one is worth nothing. The others go in the same step in which the password changes; only
    /// then are their apps told, for that may take long, and nobody must keep a password alive by having many of them.
    pub async fn change_password(&self, sign_in: &SignIn, typed: NewPassword) -> Result<Secret, NewPasswordRefusal> {
        let authority = self.authority();
        let user = authority.ports.users.find_user(sign_in.user).await.map_err(Refusal::from)?;
        let user = user.ok_or(SignInRefusal::Wrong)?;
        self.prove(&user, typed.current.clone(), typed.address.as_deref()).await?;
        if typed.new.expose() != typed.again.expose() {
            return Err(NewPasswordRefusal::Differ);
        }
        if is_weak(&user, &typed.new) {
            return Err(NewPasswordRefusal::Weak);
        }
        let hash = self.hash(typed.new).await.map_err(|error| match error {
            PasswordError::TooLong | PasswordError::Empty => NewPasswordRefusal::Weak,
            error @ PasswordError::Failed => SignInRefusal::from(error).into(),
        })?;
        let gone = others(authority, sign_in).await?;
        let cookie = Secret::generate("vk_si_", &*authority.random);
        let authority = Arc::clone(authority);
        let (keep, digest) = (sign_in.id, cookie.digest());
        let change = to_its_end(async move {
            let users = &authority.ports.users;
            let change = users.change_password(user.id, &user.password_hash, &hash, keep, digest).await?;
            if change == PasswordChange::Changed {
                let raised = authority.alarm.raise(AlertKind::PasswordChanged, |alert| {
                    alert.subject = Some(user.id.to_string());
                    alert.address = typed.address;
                });
                raised.await;
                // The new cookie must reach its browser all the same.
                if let Err(refusal) = wind_up(&authority, &gone).await {
                    let why = &refusal.to_string();
                    authority.observer.observe(&Event::SignOutUnfinished { user: user.id, why });
                }
            }
            Ok(change)
        });
        match change.await? {
            PasswordChange::Changed => Ok(cookie),
            PasswordChange::Overtaken => Err(NewPasswordRefusal::Overtaken),
        }
    }
}

fn is_weak(user: &User, password: &Secret) -> bool {
    let lower = password.expose().to_lowercase();
    let own = [Some(&user.username), user.email.as_ref(), user.name.as_ref()];
    let is_own = own.into_iter().flatten().any(|name| lower == name.to_lowercase());
    let mut symbols: Vec<_> = lower.chars().collect();
    let count = symbols.len();
    symbols.sort_unstable();
    symbols.dedup();
    count < SHORTEST || symbols.len() < 3 || is_own || GUESSED.contains(&lower.as_str())
}
