//! The problem types of OAuth: one for each error word, with words for the page behind the link.

use http::StatusCode;
use valetkey_oauth::protocol::ErrorCode;
use valetkey_rest::problem::{ProblemType, catalogue};

macro_rules! problem_types {
    ($($name:ident = $slug:literal, $status:ident, $title:literal, $meaning:literal, $remedy:literal;)+) => {
        $(#[doc = $meaning]
        pub static $name: ProblemType = ProblemType {
            slug: $slug,
            title: $title,
            status: StatusCode::$status,
            meaning: $meaning,
            remedy: $remedy,
        };)+
        /// All of them.
        pub static ALL: &[&ProblemType] = &[$(&$name),+];
    };
}

problem_types! {
    INVALID_REQUEST = "invalid-request", BAD_REQUEST, "The request is not well formed",
        "A parameter is missing, given twice, or cannot be read.",
        "Read `detail`: it names the parameter. Send each parameter once, as a form in the body of a POST.";
    INVALID_CLIENT = "invalid-client", UNAUTHORIZED, "The client could not be authenticated",
        "The client id is unknown, or the secret is missing, wrong or expired. Which one is not said, so that ids cannot be guessed.",
        "Check the id and the secret, sent either by HTTP Basic or in the form. An operator makes a new secret with `valetkey client rotate-secret ID`.";
    INVALID_GRANT = "invalid-grant", BAD_REQUEST, "The grant is not valid",
        "The code or token is unknown, expired, used before, or was issued to another client.",
        "Start again from the beginning of the flow, and use the credentials of the client that received the grant.";
    UNAUTHORIZED_CLIENT = "unauthorized-client", BAD_REQUEST, "The client may not do this",
        "The client proved who it is, but is not registered for this grant.",
        "An operator can allow it with `valetkey client edit ID --grant …`. The flag replaces the whole list: give it once for each grant that the client shall have, those of today too.";
    UNSUPPORTED_GRANT_TYPE = "unsupported-grant-type", BAD_REQUEST, "The grant type is not supported",
        "This server does not offer that way to get tokens. The password and implicit grants do not exist here, because they hand secrets to the wrong party.",
        "Use one of `grant_types_supported` in the metadata at `/.well-known/oauth-authorization-server`.";
    UNSUPPORTED_RESPONSE_TYPE = "unsupported-response-type", BAD_REQUEST, "The response type is not supported",
        "The authorization endpoint does not hand out tokens, and does not answer that response type.",
        "Use one of `response_types_supported` in the metadata at `/.well-known/oauth-authorization-server`.";
    INVALID_SCOPE = "invalid-scope", BAD_REQUEST, "The scope is not valid",
        "The scope cannot be read, or names something the client is not registered for.",
        "Ask only for scopes of this client, with single spaces between them. An operator can allow others with `valetkey client edit ID --scope …`. The flag replaces the whole list: name every scope that the client shall have, those of today too.";
    AUTHORIZATION_PENDING = "authorization-pending", BAD_REQUEST, "The user has not decided yet",
        "The device asks for its tokens, and nobody has typed its code and agreed so far.",
        "Wait for `interval` seconds and ask again, until `expires_in` is over.";
    SLOW_DOWN = "slow-down", BAD_REQUEST, "The device asks too often",
        "The device does not leave enough time between two polls, or too many devices of one app wait at one address.",
        "Add five seconds to the interval, for this and all later polls. Nothing is lost by waiting.";
    EXPIRED_TOKEN = "expired-token", BAD_REQUEST, "The device code has expired",
        "Nobody agreed in time, and the code cannot be used any more.",
        "Ask for a new code at `/device/code` once someone is there to type it.";
    ACCESS_DENIED = "access-denied", BAD_REQUEST, "The user gives no access",
        "The user was asked and did not agree, or the user's account may give none of what was asked for. `error_description` says which.",
        "Respect a no. The app may explain why it asks, and ask again later for less. Where the account may give nothing, an operator can let it give more with `valetkey user edit NAME --scope …`, which replaces the whole list, or with `--any-scope`.";
    LOGIN_REQUIRED = "login-required", BAD_REQUEST, "Someone must sign in",
        "The app asked not to disturb the user, and nobody is signed in.",
        "Send the authorization request again without `prompt=none`.";
    CONSENT_REQUIRED = "consent-required", BAD_REQUEST, "The user must agree first",
        "The app asked not to disturb the user, and the user has not agreed to this yet.",
        "Send the authorization request again without `prompt=none`.";
    UNMET_AUTHENTICATION = "unmet-authentication-requirements", BAD_REQUEST, "No such sign-in is offered",
        "The app insists on a kind of sign-in (`acr`) that this server does not have.",
        "Send the authorization request again with a value from `acr_values_supported`, or without `essential`.";
    REQUEST_NOT_SUPPORTED = "request-not-supported", BAD_REQUEST, "Request objects are not supported",
        "The authorization request came inside a signed object, which is not offered here.",
        "Send the parameters plainly, in the query or in a form.";
    INVALID_TOKEN = "invalid-token", UNAUTHORIZED, "The access token is not valid",
        "The access token is missing, unknown, expired or revoked.",
        "Get a new one with the refresh token, or start the flow again.";
    INSUFFICIENT_SCOPE = "insufficient-scope", FORBIDDEN, "The access token does not allow this",
        "The access token is good, but was not granted the scope that this needs.",
        "Ask for the scope in a new authorization request.";
    INVALID_TARGET = "invalid-target", BAD_REQUEST, "The resource is not served here",
        "The `resource` parameter names an API that this server does not guard.",
        "Send the address from `/.well-known/oauth-protected-resource`, or leave the parameter out.";
}

/// The problem type of an error word.
pub fn of(code: ErrorCode) -> &'static ProblemType {
    match code {
        ErrorCode::InvalidRequest => &INVALID_REQUEST,
        ErrorCode::InvalidClient => &INVALID_CLIENT,
        ErrorCode::InvalidGrant => &INVALID_GRANT,
        ErrorCode::UnauthorizedClient => &UNAUTHORIZED_CLIENT,
        ErrorCode::UnsupportedGrantType => &UNSUPPORTED_GRANT_TYPE,
        ErrorCode::UnsupportedResponseType => &UNSUPPORTED_RESPONSE_TYPE,
        ErrorCode::InvalidScope => &INVALID_SCOPE,
        ErrorCode::InvalidTarget => &INVALID_TARGET,
        ErrorCode::AuthorizationPending => &AUTHORIZATION_PENDING,
        ErrorCode::SlowDown => &SLOW_DOWN,
        ErrorCode::ExpiredToken => &EXPIRED_TOKEN,
        ErrorCode::AccessDenied => &ACCESS_DENIED,
        ErrorCode::LoginRequired => &LOGIN_REQUIRED,
        ErrorCode::ConsentRequired => &CONSENT_REQUIRED,
        ErrorCode::UnmetAuthenticationRequirements => &UNMET_AUTHENTICATION,
        ErrorCode::RequestNotSupported | ErrorCode::RequestUriNotSupported => &REQUEST_NOT_SUPPORTED,
        ErrorCode::InvalidToken => &INVALID_TOKEN,
        ErrorCode::InsufficientScope => &INSUFFICIENT_SCOPE,
        ErrorCode::ServerError => &catalogue::INTERNAL_ERROR,
        ErrorCode::TemporarilyUnavailable => &catalogue::UNAVAILABLE,
    }
}
