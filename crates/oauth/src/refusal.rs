//! Why a request was refused: one variant for each rule. The wire words are chosen elsewhere, in one place.

use crate::keys::KeyError;
use crate::ports::StoreError;
use crate::protocol::ScopeError;

/// A broken rule.
#[derive(Debug, thiserror::Error)]
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
    /// A public client cannot prove itself, and this needs proof.
    #[error("public clients cannot do this")]
    ClientIsPublic,
    /// The authorization endpoint knows no such client.
    #[error("authorization request names an unknown client")]
    AuthorizingClientUnknown,
    /// The redirect URI is not one of the client's.
    #[error("redirect URI is not registered for the client")]
    RedirectUriUnregistered,
    /// Codes are the only response there is.
    #[error("response type is not supported")]
    ResponseTypeUnsupported,
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
