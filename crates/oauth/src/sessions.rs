//! Sessions from the outside: ending one kills every token of it, here at once and elsewhere within a second.

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
    if let Ending::Ended(session) = &ending {
        authority.window.add(&Revocation { target: RevocationTarget::Session(id), expires_at: tokens_until });
        authority.observer.observe(&Event::SessionEnded { session: id, client: &session.client, why: why.as_str() });
    }
    Ok(ending)
}
