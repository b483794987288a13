//! Sessions from the outside: ending one kills every token of it, here at once and elsewhere within a second.

use jiff::Timestamp;

use crate::model::{Revocation, RevocationTarget, SessionEnd, SessionId};
use crate::moment::later;
use crate::policy::LONGEST_ACCESS_LIFETIME;
use crate::ports::Ending;
use crate::{Authority, Event, Refusal};

/// Ends a session.
pub async fn end(authority: &Authority, id: SessionId, why: SessionEnd) -> Result<Ending, Refusal> {
    let now = authority.now();
    let tokens_until = later(now, LONGEST_ACCESS_LIFETIME);
    let ending = authority.ports.sessions.end(id, why, now, tokens_until).await?;
    note(authority, &ending, why, tokens_until);
    Ok(ending)
}

/// Forgets the tokens of a session that the store has ended, and tells whoever observes.
pub(crate) fn note(authority: &Authority, ending: &Ending, why: SessionEnd, tokens_until: Timestamp) {
    if let Ending::Ended(session) = ending {
        let (id, client) = (session.id, &session.client);
        authority.window.add(&Revocation { target: RevocationTarget::Session(id), expires_at: tokens_until });
        authority.observer.observe(&Event::SessionEnded { session: id, client, why: why.as_str() });
    }
}
