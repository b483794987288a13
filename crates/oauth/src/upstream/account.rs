//! Whose account is it? The linked one; else the one that a rule links; else a new one; else nobody's.

use super::identity::Identity;
use super::{Linking, Provider, UpstreamRefusal, links};
use crate::model::{Link, LinkMaker, NO_PASSWORD, Secret, User, UserId};
use crate::ports::{Admission, LinkAddition};
use crate::{Authority, Event};

/// Finds the account of a person there, or makes it theirs, or makes one.
pub(super) async fn find(
    authority: &Authority,
    provider: &Provider,
    identity: &Identity,
    address: Option<&str>,
) -> Result<(User, Link), UpstreamRefusal> {
    if let Some(known) = linked(authority, provider, identity).await? {
        return Ok(known);
    }
    if !provider.domains.is_empty() && !provider.welcomes(identity.verified_email()) {
        return Err(UpstreamRefusal::NoAccount("no verified address of an allowed domain"));
    }
    let namesakes = match &identity.email {
        Some(email) => holders(authority, email).await?,
        None => Vec::new(),
    };
    match namesakes.as_slice() {
        [] => {}
        // A second account with the address of a first would only wait for a mistake.
        [user] => return by_email(authority, provider, identity, user.clone(), address).await,
        _ => return Err(UpstreamRefusal::NoAccount("several accounts have this address")),
    }
    if provider.makes_accounts {
        return admit(authority, provider, identity).await;
    }
    Err(UpstreamRefusal::NoAccount("nobody is linked, and no rule links or makes anyone"))
}

/// Whose this address is. Whoever only says so, and was never asked to prove it, keeps nobody from coming.
pub(super) async fn holders(authority: &Authority, email: &str) -> Result<Vec<User>, UpstreamRefusal> {
    let mut holders = authority.ports.users.find_by_email(email).await?;
    holders.retain(User::has_verified_email);
    Ok(holders)
}

async fn linked(
    authority: &Authority,
    provider: &Provider,
    identity: &Identity,
) -> Result<Option<(User, Link)>, UpstreamRefusal> {
    let Some(link) = authority.ports.links.find_link(&provider.issuer, &identity.subject).await? else {
        return Ok(None);
    };
    let user = authority.ports.users.find_user(link.user).await?;
    let user = user.ok_or(UpstreamRefusal::NoAccount("the account is gone"))?;
    Ok(Some((user, link)))
}

/// The one account with this address, if both sides have verified it. An administrator's is for operators to link, and
/// whoever is linked already stays who they are: addresses are given to others, subjects are not.
async fn by_email(
    authority: &Authority,
    provider: &Provider,
    identity: &Identity,
    user: User,
    address: Option<&str>,
) -> Result<(User, Link), UpstreamRefusal> {
    let refused = |why| Err(UpstreamRefusal::NoAccount(why));
    if provider.linking != Linking::VerifiedEmail {
        return refused("an account has this address, and operators make the links");
    }
    if !identity.email_verified {
        return refused("an account has this address, and the provider has not verified it");
    }
    if !user.has_verified_email_for(&provider.issuer) {
        return refused("an account has this address, and it is not verified here");
    }
    if user.admin {
        return refused("an administrator has this address, and only operators link those");
    }
    let link = link(authority, provider, identity, user.id, LinkMaker::Email);
    match authority.ports.links.link(&link).await? {
        LinkAddition::Linked => {
            links::made(authority, &link, address).await;
            Ok((user, link))
        }
        // Another tab of the same person was first.
        LinkAddition::SubjectTaken => linked(authority, provider, identity)
            .await?
            .ok_or(UpstreamRefusal::NoAccount("the link was removed in between")),
        LinkAddition::AccountLinked => refused("the account with this address is someone else there"),
        LinkAddition::AccountGone => refused("the account is gone"),
    }
}

/// May an account take over the address that a provider says today? Only a verified one, of an allowed domain, that is
/// nobody else's here: otherwise anyone could sit on anyone's.
pub(super) async fn may_take(
    authority: &Authority,
    provider: &Provider,
    identity: &Identity,
    user: &User,
) -> Result<bool, UpstreamRefusal> {
    let Some(email) = identity.verified_email() else { return Ok(false) };
    if !provider.domains.is_empty() && !provider.welcomes(Some(email)) {
        return Ok(false);
    }
    Ok(holders(authority, email).await?.iter().all(|holder| holder.id == user.id))
}

/// Makes an account under the first name that is free.
async fn admit(
    authority: &Authority,
    provider: &Provider,
    identity: &Identity,
) -> Result<(User, Link), UpstreamRefusal> {
    for username in names(authority, provider, identity) {
        // A name that is someone's address would pass for them.
        let is_address = username.contains('@') && identity.verified_email() != Some(&username);
        if is_address && !authority.ports.users.find_by_email(&username).await?.is_empty() {
            continue;
        }
        let now = authority.now();
        let user = User {
            id: UserId(authority.random.uuid_at(now)),
            username,
            password_hash: NO_PASSWORD.to_owned(),
            email: identity.email.clone(),
            name: identity.name.clone(),
            profile: identity.profile.clone(),
            admin: false,
            scope: None,
            created_at: now,
        };
        let link = link(authority, provider, identity, user.id, LinkMaker::Account);
        match authority.ports.links.admit(&user, &link).await? {
            Admission::Admitted => {
                let maker = link.maker.as_str();
                authority.observer.observe(&Event::LinkMade { user: user.id, issuer: &link.issuer, maker });
                return Ok((user, link));
            }
            // Perhaps by another tab of the same person.
            Admission::NameTaken | Admission::SubjectTaken => {
                if let Some(known) = linked(authority, provider, identity).await? {
                    return Ok(known);
                }
            }
        }
    }
    Err(UpstreamRefusal::NoAccount("every name is taken"))
}

/// Names to try: what the provider says, the address, and one that nobody has.
fn names(authority: &Authority, provider: &Provider, identity: &Identity) -> Vec<String> {
    let unique = Secret::generate("", &*authority.random).expose().chars().take(12).collect::<String>();
    let address = identity.verified_email();
    let said = identity.username.as_deref().filter(|name| is_plain(name));
    let said = said.into_iter().chain(address).map(str::to_owned);
    let all = said.chain([format!("{}-{unique}", provider.id)]);
    all.filter(|name| crate::accounts::is_username(name)).collect()
}

/// Can people tell this name from another one? It has nothing that is not seen.
fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || "._-+@".contains(c))
}

fn link(authority: &Authority, provider: &Provider, identity: &Identity, user: UserId, maker: LinkMaker) -> Link {
    Link {
        user,
        issuer: provider.issuer.clone(),
        subject: identity.subject.clone(),
        maker,
        made_at: authority.now(),
        used_at: None,
    }
}
