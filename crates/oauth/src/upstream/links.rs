//! Links, as people and operators see and remove them.

use jiff::Timestamp;

use super::UpstreamDesk;
use crate::model::{AlertKind, Link, UserId};
use crate::ports::{Keep, StoreError, Unlinking};
use crate::{Authority, Event};

/// A link, as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkRow {
    /// What people call the provider; its issuer, if it is not in the settings any more.
    pub name: String,
    /// The provider.
    pub issuer: String,
    /// The person there.
    pub subject: String,
    /// Since when.
    pub made_at: Timestamp,
    /// When it was last used.
    pub used_at: Option<Timestamp>,
}

impl UpstreamDesk {
    /// The links of an account.
    pub async fn links_of(&self, user: UserId) -> Result<Vec<LinkRow>, StoreError> {
        let links = self.authority().ports.links.links_of(user).await?;
        let named = |link: Link| LinkRow {
            name: self.name_of(&link.issuer).unwrap_or(&link.issuer).to_owned(),
            issuer: link.issuer,
            subject: link.subject,
            made_at: link.made_at,
            used_at: link.used_at,
        };
        Ok(links.into_iter().map(named).collect())
    }

    /// Removes the link of this account at an issuer, unless nobody could sign in to the account then.
    pub async fn unlink(&self, user: UserId, issuer: &str, by_password: bool) -> Result<Unlinking, StoreError> {
        let authority = self.authority();
        let links = authority.ports.links.links_of(user).await?;
        let Some(link) = links.iter().find(|link| link.issuer == issuer) else { return Ok(Unlinking::Unknown) };
        let keep = Keep::AWayIn { by_password, issuers: self.issuers().map(str::to_owned).collect() };
        let outcome = authority.ports.links.unlink(user, issuer, &link.subject, &keep).await?;
        if outcome == Unlinking::Unlinked {
            removed(authority, link).await;
        }
        Ok(outcome)
    }
}

/// Tells of a new link. An account that was made with it has nobody to be told.
pub async fn made(authority: &Authority, link: &Link, address: Option<&str>) {
    let event = Event::LinkMade { user: link.user, issuer: &link.issuer, maker: link.maker.as_str() };
    authority.observer.observe(&event);
    raise(authority, AlertKind::LinkMade, link.user, address).await;
}

/// Tells of a link that is gone.
pub async fn removed(authority: &Authority, link: &Link) {
    authority.observer.observe(&Event::LinkRemoved { user: link.user, issuer: &link.issuer });
    raise(authority, AlertKind::LinkRemoved, link.user, None).await;
}

async fn raise(authority: &Authority, kind: AlertKind, user: UserId, address: Option<&str>) {
    let address = address.map(str::to_owned);
    let raised = authority.alarm.raise(kind, |alert| {
        alert.subject = Some(user.to_string());
        alert.address = address;
    });
    raised.await;
}
