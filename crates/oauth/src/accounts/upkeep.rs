//! What an operator does to accounts: changing and removing them. What apps have beyond that is taken back.

use super::{sign_out, withdraw};
use crate::model::{User, UserId};
use crate::{Authority, Refusal};

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
    for sign_in in authority.ports.sign_ins.sign_ins_of(user, authority.now()).await? {
        sign_out(authority, &sign_in).await?;
    }
    for consent in authority.ports.consents.consents_of(&user.to_string()).await? {
        withdraw(authority, user, &consent.client).await?;
    }
    Ok(())
}
