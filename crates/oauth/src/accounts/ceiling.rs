//! What a person can give: no app gets more from anyone than an operator lets that person have.
//!
//! A ceiling may be lowered while someone agrees. Whoever agrees looks again afterwards, and whoever lowers a ceiling
//! takes back what was agreed to before: in either order one of them sees the other.

use super::withdraw;
use crate::model::{ClientId, UserId};
use crate::ports::StoreError;
use crate::protocol::Scope;
use crate::{Authority, Refusal};

/// The part of a scope that a person can give; none if there is no such person any more.
pub(crate) async fn grantable(authority: &Authority, user: UserId, asked: &Scope) -> Result<Option<Scope>, StoreError> {
    let person = authority.ports.users.find_user(user).await?;
    Ok(person.map(|person| asked.filter(|name| person.may_give(name))))
}

/// Has someone just agreed to more than they can give by now? Then all of it is taken back.
pub(crate) async fn is_kept(
    authority: &Authority,
    user: UserId,
    client: &ClientId,
    given: &Scope,
) -> Result<bool, Refusal> {
    let is_within = grantable(authority, user, given).await?.is_some_and(|part| given.is_within(&part));
    if !is_within {
        withdraw(authority, user, client).await?;
    }
    Ok(is_within)
}
