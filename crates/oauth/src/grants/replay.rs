//! A code that comes again when it is good for nothing any more: two hold it all the same.

use super::Caller;
use crate::alerts::to_its_end;
use crate::model::{AlertKind, SessionEnd, SessionId, SessionState};
use crate::moment::later;
use crate::policy::LONGEST_ACCESS_LIFETIME;
use crate::ports::Ending;
use crate::{Authority, Refusal, sessions};

/// Ends the session that a code was redeemed for, and raises the alarm. Answers whether there is one.
pub(super) async fn end(authority: &Authority, caller: &Caller, id: SessionId) -> Result<bool, Refusal> {
    let (now, why) = (authority.now(), SessionEnd::CodeReplayed);
    let tokens_until = later(now, LONGEST_ACCESS_LIFETIME);
    let (store, alarm, caller) = (authority.ports.sessions.clone(), authority.alarm.clone(), caller.clone());
    let ending = to_its_end(async move {
        let ending = store.end(id, why, now, tokens_until).await?;
        let ended = match &ending {
            Ending::Ended(session) => Some((**session).clone()),
            // Perhaps by one whose alarm was lost. What is on the record is not told again.
            Ending::EndedBefore => store.find_session(id).await?,
            Ending::Unknown => None,
        };
        if let Some(ended) = ended.filter(|ended| ended.state == SessionState::Ended(why)) {
            let raised = alarm.raise(AlertKind::CodeReplayed, |alert| {
                alert.concerns(&ended);
                alert.generation = Some(0);
                alert.address = caller.address_text();
            });
            raised.await;
        }
        Ok(ending)
    })
    .await?;
    sessions::note(authority, &ending, why, tokens_until);
    Ok(ending != Ending::Unknown)
}
