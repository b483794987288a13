//! What an operator does to accounts: changing and removing them. What apps have beyond that is taken back.

use super::sign_out::{sign_out_all, wind_up};
use super::{AccountError, PasswordHasher, withdraw};
use crate::alerts::to_its_end;
use crate::model::{AlertKind, Secret, User, UserId};
use crate::{Authority, Refusal};

/// Why someone has no new password.
#[derive(Debug, thiserror::Error)]
pub enum ResetRefusal {
    /// It cannot be used.
    #[error(transparent)]
    Password(#[from] AccountError),
    /// Something else went wrong.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// Gives someone a new password. They are signed out everywhere in the same step, as when they change it themselves; then
/// their apps are told, however many there are. Answers whether there is such an account.
pub async fn reset_password(
    authority: &Authority,
    hasher: &PasswordHasher,
    user: UserId,
    password: Secret,
) -> Result<bool, ResetRefusal> {
    let mut salt = [0; 16];
    authority.random.fill(&mut salt);
    let hash = hasher.hash(password, salt).await.map_err(AccountError::from)?;
    let gone = authority.ports.sign_ins.sign_ins_of(user, authority.now(), u32::MAX).await.map_err(Refusal::from)?;
    let (users, alarm) = (authority.ports.users.clone(), authority.alarm.clone());
    let reset = to_its_end(async move {
        let is_changed = users.reset_password(user, &hash).await?;
        if is_changed {
            alarm.raise(AlertKind::PasswordChanged, |alert| alert.subject = Some(user.to_string())).await;
        }
        Ok(is_changed)
    });
    let is_changed = reset.await?;
    wind_up(authority, &gone).await?;
    Ok(is_changed)
}

/// Writes what an operator changed: the name, the address, claims, rights, the ceiling. Apps that were given more than
/// the ceiling lose all they had, at once, and ask again. Answers whether there is such an account.
pub async fn update(authority: &Authority, user: &User) -> Result<bool, Refusal> {
    if !authority.ports.users.update_user(user).await? {
        return Ok(false);
    }
    for consent in authority.ports.consents.consents_of(&user.id.to_string()).await? {
        if !consent.scope.names().all(|name| user.may_give(name)) {
            withdraw(authority, user.id, &consent.client).await?;
        }
    }
    Ok(true)
}

/// Removes an account. It is signed out everywhere, and no app has access any more. Answers whether it was there.
pub async fn remove(authority: &Authority, user: UserId) -> Result<bool, Refusal> {
    // First, so that whoever is interrupted finds the account still there, and does it again.
    end_all(authority, user).await?;
    let was_there = authority.ports.users.remove_user(user).await?;
    // Nothing begins for someone who is gone, so that what began meanwhile is all there is.
    end_all(authority, user).await?;
    Ok(was_there)
}

/// Signs someone out everywhere, and takes back what apps may do.
async fn end_all(authority: &Authority, user: UserId) -> Result<(), Refusal> {
    end_sign_ins(authority, user).await?;
    for consent in authority.ports.consents.consents_of(&user.to_string()).await? {
        withdraw(authority, user, &consent.client).await?;
    }
    Ok(())
}

async fn end_sign_ins(authority: &Authority, user: UserId) -> Result<(), Refusal> {
    sign_out_all(authority, &authority.ports.sign_ins.sign_ins_of(user, authority.now(), u32::MAX).await?).await
}
