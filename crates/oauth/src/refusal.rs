//! Why a request was refused: one variant for each rule. The wire words are chosen elsewhere, in one place.

use crate::keys::KeyError;
use crate::model::SessionId;
use crate::ports::StoreError;
use crate::protocol::ScopeError;

/// A broken rule.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Refusal {
    /// A required parameter is missing.
    #[error("parameter {0} is missing")]
    Missing(&'static str),
    /// A parameter stands twice.
    #[error("a parameter is given more than once")]
    Repeated(String),
    /// The form cannot be read.
    #[error("the form is malformed: {0}")]
    Malformed(&'static str),
    /// Credentials came in the header and in the body.
    #[error("client credentials came twice, in the header and in the body")]
    TwoAuthentications,
    /// The Authorization header cannot be read.
    #[error("the Authorization header is malformed")]
    MalformedAuthorization,
    /// No client credentials at all.
    #[error("no client credentials")]
    NoClient,
    /// No client has this id.
    #[error("unknown client")]
    ClientUnknown,
    /// The secret is wrong or expired.
    #[error("wrong client secret")]
    ClientSecretWrong,
    /// A confidential client sent no secret.
    #[error("client secret missing")]
    ClientSecretMissing,
    /// The certificate is missing, expired or another's, or a secret came in its place.
    #[error("client certificate missing or wrong")]
    ClientCertificateWrong,
    /// Tokens are to be bound to a certificate, and none came.
    #[error("no client certificate to bind the tokens to")]
    NoCertificateToBind,
    /// A public client cannot prove itself, and this needs proof.
    #[error("public clients cannot do this")]
    ClientIsPublic,
    /// The authorization endpoint knows no such client.
    #[error("authorization request names an unknown client")]
    AuthorizingClientUnknown,
    /// The redirect URI is not one of the client's.
    #[error("redirect URI is not registered for the client")]
    RedirectUriUnregistered,
    /// The browser may not be sent there after a sign-out.
    #[error("post-logout redirect URI is not registered for the client")]
    LogoutUriUnregistered,
    /// Codes are the only response there is.
    #[error("response type is not supported")]
    ResponseTypeUnsupported,
    /// A parameter has a value that means nothing here.
    #[error("parameter {0} has a value that is not understood")]
    BadValue(&'static str),
    /// A parameter does not fit.
    #[error("parameter {0} is too long")]
    TooLong(&'static str),
    /// PKCE is required of everyone.
    #[error("code_challenge is missing")]
    ChallengeMissing,
    /// Only S256 is offered.
    #[error("code_challenge_method is not S256")]
    ChallengeMethod,
    /// Request objects are not offered.
    #[error("request objects are not supported")]
    RequestObject,
    /// Nor by reference.
    #[error("request objects by reference are not supported")]
    RequestUri,
    /// Nobody is signed in, and nobody may be asked.
    #[error("sign-in is required and prompt is none")]
    LoginRequired,
    /// The user has not agreed, and may not be asked.
    #[error("consent is required and prompt is none")]
    ConsentRequired,
    /// The app insists on a kind of sign-in that is not offered.
    #[error("no sign-in of the demanded acr is offered")]
    AcrUnknown,
    /// The user said no.
    #[error("the user denied the request")]
    Denied,
    /// The user may give none of what the app asks for.
    #[error("the scope is beyond what the user may give")]
    ScopeBeyondUser,
    /// The request waited too long on a page, or was not made by us.
    #[error("the authorization request is unknown or expired")]
    InteractionExpired,
    /// The code is none of ours.
    #[error("authorization code is unknown")]
    CodeUnknown,
    /// Codes live for a minute.
    #[error("authorization code has expired")]
    CodeExpired,
    /// The user took back what the code stands for, or left, before it was redeemed.
    #[error("consent or sign-in behind the authorization code is gone")]
    CodeUnfounded,
    /// The code belongs to another client.
    #[error("authorization code was issued to another client")]
    CodeOfAnotherClient,
    /// The redirect URI is not the one of the authorization request.
    #[error("redirect URI differs from the authorization request")]
    RedirectUriDiffers,
    /// The verifier has a wrong form.
    #[error("code_verifier is malformed")]
    VerifierMalformed,
    /// The verifier does not belong to the challenge.
    #[error("code_verifier does not match the challenge")]
    VerifierWrong,
    /// The code came a second time.
    #[error("authorization code was used before; session {0} is ended")]
    CodeReplayed(SessionId),
    /// The device code is none of ours.
    #[error("device code is unknown")]
    DeviceCodeUnknown,
    /// The device code belongs to another client.
    #[error("device code was issued to another client")]
    DeviceCodeOfAnotherClient,
    /// Nobody has decided yet.
    #[error("nobody has decided about the device yet")]
    DevicePending,
    /// The device does not wait between its polls.
    #[error("the device polls too fast; it has to leave {interval} seconds")]
    DeviceTooSoon {
        /// Seconds to leave from now on.
        interval: u32,
    },
    /// Nobody said yes in time.
    #[error("device code has expired")]
    DeviceCodeExpired,
    /// Someone said no.
    #[error("the device was denied")]
    DeviceDenied,
    /// The device code came again after it was redeemed.
    #[error("device code was used before; session {0} is ended")]
    DeviceCodeReplayed(SessionId),
    /// Too many codes of one client wait for people, all from one address.
    #[error("too many devices of this client wait, all from one address")]
    TooManyDevices,
    /// The refresh token is none of ours.
    #[error("refresh token is unknown")]
    RefreshUnknown,
    /// It belongs to another client.
    #[error("refresh token was issued to another client")]
    RefreshOfAnotherClient,
    /// It is bound to another certificate than the one that came, or none came.
    #[error("refresh token is bound to another certificate")]
    RefreshOfAnotherKey,
    /// Its session is over.
    #[error("session is over")]
    SessionOver,
    /// It came a second time, or too late.
    #[error("refresh token was used before or has expired; session {0} is ended")]
    RefreshReused(SessionId),
    /// More than was agreed to.
    #[error("scope exceeds what was granted")]
    ScopeNotGranted,
    /// Two access tokens came.
    #[error("more than one access token")]
    TwoTokens,
    /// No access token came.
    #[error("no access token")]
    NoToken,
    /// The access token is not good.
    #[error("access token is not valid")]
    TokenInvalid,
    /// The access token is good, but not for whoever brought it.
    #[error("access token is bound to another certificate")]
    TokenOfAnotherKey,
    /// The access token does not allow this.
    #[error("access token lacks scope {0}")]
    TokenScope(&'static str),
    /// The grant is not offered by this server.
    #[error("grant type is not supported")]
    GrantUnsupported,
    /// The client is not registered for the grant.
    #[error("client is not registered for this grant")]
    GrantNotRegistered,
    /// The scope cannot be read.
    #[error(transparent)]
    ScopeMalformed(#[from] ScopeError),
    /// The scope exceeds what is registered.
    #[error("scope is not registered for the client")]
    ScopeNotRegistered(String),
    /// The scope speaks of a user where there is none.
    #[error("scope needs a user")]
    ScopeNeedsUser(String),
    /// The `resource` is not guarded here.
    #[error("resource is not served here")]
    ResourceUnknown,
    /// The `resource` is guarded here, but something else was agreed on.
    #[error("resource differs from the one that was agreed on")]
    ResourceDiffers,
    /// The token belongs to another client.
    #[error("token was issued to another client")]
    TokenOfAnotherClient,
    /// The key ring has no key for this.
    #[error(transparent)]
    Keys(#[from] KeyError),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}
