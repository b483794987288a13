//! Links to people at other providers, in memory.

use async_trait::async_trait;
use jiff::Timestamp;
use valetkey_oauth::model::{Link, SecretDigest, User, UserId};
use valetkey_oauth::ports::{Admission, Keep, LinkAddition, Links, StoreError, Unlinking};

use super::{Memory, State};

impl State {
    fn put_link(&mut self, link: &Link) -> LinkAddition {
        if self.links.iter().any(|known| known.issuer == link.issuer && known.subject == link.subject) {
            LinkAddition::SubjectTaken
        } else if self.links.iter().any(|known| known.issuer == link.issuer && known.user == link.user) {
            LinkAddition::AccountLinked
        } else if self.users.values().all(|user| user.id != link.user) {
            LinkAddition::AccountGone
        } else {
            self.links.push(link.clone());
            self.links.sort_by(|one, other| one.issuer.cmp(&other.issuer));
            LinkAddition::Linked
        }
    }
}

#[async_trait]
impl Links for Memory {
    async fn link(&self, link: &Link) -> Result<LinkAddition, StoreError> {
        Ok(self.state().put_link(link))
    }

    async fn admit(&self, user: &User, link: &Link) -> Result<Admission, StoreError> {
        let (mut state, key) = (self.state(), user.username.to_ascii_lowercase());
        if state.links.iter().any(|known| known.issuer == link.issuer && known.subject == link.subject) {
            return Ok(Admission::SubjectTaken);
        }
        if state.users.contains_key(&key) {
            return Ok(Admission::NameTaken);
        }
        state.users.insert(key, user.clone());
        state.put_link(link);
        Ok(Admission::Admitted)
    }

    async fn find_link(&self, issuer: &str, subject: &str) -> Result<Option<Link>, StoreError> {
        let state = self.state();
        Ok(state.links.iter().find(|known| known.issuer == issuer && known.subject == subject).cloned())
    }

    async fn links_of(&self, user: UserId) -> Result<Vec<Link>, StoreError> {
        Ok(self.state().links.iter().filter(|known| known.user == user).cloned().collect())
    }

    async fn note_link_used(&self, link: &Link, at: Timestamp, renewed: Option<&User>) -> Result<(), StoreError> {
        let mut state = self.state();
        let same = |known: &&mut Link| known.issuer == link.issuer && known.subject == link.subject;
        if let Some(known) = state.links.iter_mut().find(same) {
            known.used_at = known.used_at.max(Some(at));
        }
        if let Some(new) = renewed
            && let Some(user) = state.users.values_mut().find(|user| user.id == new.id)
        {
            (user.email, user.name, user.profile) = (new.email.clone(), new.name.clone(), new.profile.clone());
        }
        Ok(())
    }

    async fn unlink(&self, user: UserId, issuer: &str, subject: &str, keep: &Keep) -> Result<Unlinking, StoreError> {
        let mut state = self.state();
        let own: Vec<_> = state.links.iter().filter(|known| known.user == user).cloned().collect();
        let (going, staying): (Vec<_>, Vec<_>) =
            own.iter().partition(|known| known.issuer == issuer && known.subject == subject);
        let has_password = state.users.values().any(|known| known.id == user && known.has_password());
        if going.is_empty() {
            return Ok(Unlinking::Unknown);
        }
        if !keep.is_met(has_password, staying.iter().map(|known| known.issuer.as_str())) {
            return Ok(Unlinking::LastWay);
        }
        state.links.retain(|known| known.issuer != issuer || known.subject != subject);
        Ok(Unlinking::Unlinked)
    }

    async fn spend(&self, answer: &SecretDigest, until: Timestamp, now: Timestamp) -> Result<bool, StoreError> {
        let mut state = self.state();
        state.spent.retain(|_, end| now < *end);
        Ok(state.spent.insert(*answer.as_bytes(), until).is_none())
    }
}
