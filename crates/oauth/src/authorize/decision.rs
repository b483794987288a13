//! What must happen next: sign in, ask for consent, or answer.

use jiff::{SignedDuration, Timestamp};

use super::{Answer, AuthorizationResponse, Interaction, Refused};
use crate::accounts::{self, Browser};
use crate::grants::Code;
use crate::model::{Consent, SessionId, SessionOrigin, SignIn};
use crate::protocol::Prompt;
use crate::{Authority, Refusal};

/// The next step of a request.
#[derive(Debug)]
pub enum Step {
    /// Someone must sign in (again).
    SignIn(Interaction),
    /// The user must be asked. What was agreed to before is told, so that only the new stands out.
    Consent(Interaction, Option<Consent>),
    /// All is settled: the answer.
    Respond(AuthorizationResponse),
}

/// Decides, with whoever is signed in.
pub async fn decide(authority: &Authority, interaction: Interaction, browser: &Browser) -> Result<Step, Refused> {
    let silent = interaction.asks(Prompt::None);
    let refuse = |refusal| Err(Refused::Respond(AuthorizationResponse::error(authority, &interaction), refusal));
    let Some(sign_in) = browser.sign_in.as_ref().filter(|sign_in| is_fresh(&interaction, sign_in, authority.now()))
    else {
        return if silent { refuse(Refusal::LoginRequired) } else { Ok(Step::SignIn(interaction)) };
    };
    let interaction = match within_ceiling(authority, interaction.clone(), sign_in).await {
        Ok(Some(interaction)) => interaction,
        // Who is gone is not signed in.
        Ok(None) if silent => return refuse(Refusal::LoginRequired),
        Ok(None) => return Ok(Step::SignIn(interaction)),
        Err(refusal) => return refuse(refusal),
    };
    let refuse = |refusal| Err(Refused::Respond(AuthorizationResponse::error(authority, &interaction), refusal));
    let subject = sign_in.user.to_string();
    let consent = match authority.ports.consents.find_consent(&subject, &interaction.client).await {
        Ok(consent) => consent,
        Err(error) => return refuse(error.into()),
    };
    let agreed = consent.as_ref().is_some_and(|consent| interaction.asked().is_within(&consent.scope));
    let agreed = agreed && !interaction.is_anyones;
    if !agreed && silent {
        return refuse(Refusal::ConsentRequired);
    }
    if !agreed || interaction.asks(Prompt::Consent) {
        return Ok(Step::Consent(interaction, consent));
    }
    respond(authority, &interaction, sign_in, browser).map(Step::Respond)
}

/// The user agreed: that is remembered, and the app gets its code.
pub async fn approve(authority: &Authority, interaction: &Interaction, browser: &Browser) -> Answer {
    // Someone who has to sign in again cannot agree before that: the page may be an old one.
    let fresh = browser.sign_in.as_ref().filter(|sign_in| is_fresh(interaction, sign_in, authority.now()));
    let sign_in = fresh.ok_or(Refused::Page(Refusal::InteractionExpired))?;
    let now = authority.now();
    let refused = |refusal| Refused::Respond(AuthorizationResponse::error(authority, interaction), refusal);
    let narrowed = within_ceiling(authority, interaction.clone(), sign_in).await.map_err(refused)?;
    let interaction = &narrowed.ok_or(Refused::Page(Refusal::InteractionExpired))?;
    let consent = Consent {
        subject: sign_in.user.to_string(),
        client: interaction.client.clone(),
        scope: interaction.asked(),
        given_at: now,
        changed_at: now,
    };
    authority.ports.consents.agree(&consent).await.map_err(|error| refused(error.into()))?;
    match accounts::is_kept(authority, sign_in.user, &consent.client, &consent.scope).await {
        Ok(true) => respond(authority, interaction, sign_in, browser),
        Ok(false) => Err(refused(Refusal::ScopeBeyondUser)),
        Err(refusal) => Err(refused(refusal)),
    }
}

/// The part of a request that this person can give; none if there is no such person any more. An app learns from `scope`
/// beside its token what it got.
async fn within_ceiling(
    authority: &Authority,
    interaction: Interaction,
    sign_in: &SignIn,
) -> Result<Option<Interaction>, Refusal> {
    let Some(scope) = accounts::grantable(authority, sign_in.user, &interaction.scope).await? else { return Ok(None) };
    if scope.is_empty() && !interaction.scope.is_empty() {
        return Err(Refusal::ScopeBeyondUser);
    }
    Ok(Some(Interaction { scope, ..interaction }))
}

/// The user said no.
pub fn deny(authority: &Authority, interaction: &Interaction) -> Answer {
    Err(Refused::Respond(AuthorizationResponse::error(authority, interaction), Refusal::Denied))
}

/// Is this sign-in good enough for the request, or must someone sign in (again)?
fn is_fresh(interaction: &Interaction, sign_in: &SignIn, now: Timestamp) -> bool {
    let since_asked = sign_in.authenticated_at >= interaction.asked_at;
    let asked_again = interaction.asks(Prompt::Login) || interaction.asks(Prompt::SelectAccount);
    // To the nanosecond: then the app never counts more whole seconds from `auth_time` to now than it allows.
    let age = now.duration_since(sign_in.authenticated_at);
    let is_beyond = |most: u64| i64::try_from(most).is_ok_and(|most| age > SignedDuration::from_secs(most));
    // Zero asks for a sign-in after the request (OpenID Connect Core §3.1.2.1), even within the same second.
    let too_old = interaction.max_age.is_some_and(|most| most == 0 || is_beyond(most));
    let someone_else = interaction.hinted.as_ref().is_some_and(|subject| *subject != sign_in.user.to_string());
    !someone_else && (since_asked || !(asked_again || too_old))
}

fn respond(authority: &Authority, interaction: &Interaction, sign_in: &SignIn, browser: &Browser) -> Answer {
    let code = Code {
        session: SessionId(authority.random.uuid_at(authority.now())),
        client: interaction.client.clone(),
        redirect_uri: interaction.redirect_uri.clone(),
        challenge: interaction.challenge.clone(),
        nonce: interaction.nonce.clone(),
        scope: interaction.scope.clone(),
        subject: sign_in.user.to_string(),
        authenticated_at: sign_in.authenticated_at,
        methods: sign_in.methods.clone(),
        resource: interaction.resource.clone(),
        claims: interaction.claims.clone(),
        origin: SessionOrigin {
            sign_in: Some(sign_in.id.0),
            address: browser.address.clone(),
            agent: browser.agent.clone(),
        },
        issued_at: authority.now(),
    };
    match code.seal(authority) {
        Ok(text) => Ok(AuthorizationResponse::code(authority, interaction, text)),
        Err(error) => Err(Refused::Respond(AuthorizationResponse::error(authority, interaction), error.into())),
    }
}
