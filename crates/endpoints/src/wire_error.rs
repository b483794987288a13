//! The one place where a broken rule becomes an OAuth word, a problem type and a sentence for the developer.

use std::borrow::Cow;

use axum::response::{IntoResponse, Response};
use http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, StatusCode};
use valetkey_oauth::ports::StoreError;
use valetkey_oauth::protocol::ErrorCode;
use valetkey_oauth::{Authority, Event, Refusal};
use valetkey_rest::form::FormError;
use valetkey_rest::problem::{Problem, catalogue};

use crate::problems;

/// Why a request is answered with an error.
#[derive(Debug)]
pub(crate) enum WireError {
    /// A rule of OAuth was broken.
    Refused(Refusal),
    /// The body is no form.
    NotAForm,
    /// The body could not be read: too large, or cut off.
    Unreadable(StatusCode),
}

impl From<Refusal> for WireError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<StoreError> for WireError {
    fn from(error: StoreError) -> Self {
        Self::Refused(error.into())
    }
}

impl From<FormError> for WireError {
    fn from(error: FormError) -> Self {
        Self::Refused(match error {
            FormError::Duplicate(name) => Refusal::Repeated(name),
            FormError::Malformed { .. } => Refusal::Malformed("a parameter cannot be decoded"),
            FormError::TooMany => Refusal::Malformed("it has too many parameters"),
        })
    }
}

impl WireError {
    /// The answer, after it was told to whoever listens.
    pub(crate) fn answer(self, authority: &Authority) -> Response {
        // RFC 6750 §3.1: who brings nothing is asked for a token, and told of no error.
        let is_bare = matches!(self, Self::Refused(Refusal::NoToken));
        let mut needed = None;
        let (code, problem) = match self {
            Self::NotAForm => (ErrorCode::InvalidRequest, not_a_form()),
            Self::Unreadable(status) => {
                (ErrorCode::InvalidRequest, Problem::new(valetkey_rest::problem::for_status(status)))
            }
            Self::Refused(refusal) => {
                if let Refusal::TokenScope(name) = refusal {
                    needed = Some(name);
                }
                let (code, detail) = word(&refusal);
                authority.observer.observe(&Event::Refused { code, why: &refusal.to_string() });
                (code, Problem::new(problems::of(code)).detail(detail))
            }
        };
        let problem = problem.error_code(code.as_str());
        match code {
            ErrorCode::InvalidClient => problem
                .header(WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"valetkey\", charset=\"UTF-8\"")),
            ErrorCode::InvalidToken if is_bare => {
                problem.header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"valetkey\""))
            }
            ErrorCode::InvalidToken | ErrorCode::InsufficientScope => {
                let scope = needed.map(|name| format!(", scope=\"{name}\"")).unwrap_or_default();
                let challenge = format!("Bearer realm=\"valetkey\", error=\"{}\"{scope}", code.as_str());
                match HeaderValue::try_from(challenge) {
                    Ok(challenge) => problem.header(WWW_AUTHENTICATE, challenge),
                    Err(_) => problem,
                }
            }
            ErrorCode::TemporarilyUnavailable => problem.header(RETRY_AFTER, HeaderValue::from_static("2")),
            _ => problem,
        }
        .into_response()
    }
}

fn not_a_form() -> Problem {
    Problem::new(&catalogue::UNSUPPORTED_MEDIA_TYPE)
        .detail("Send the parameters as a form: Content-Type: application/x-www-form-urlencoded.")
}

/// A broken rule's word on the wire, and what to do about it. No registered value is ever told.
pub(crate) fn word(refusal: &Refusal) -> (ErrorCode, Cow<'static, str>) {
    use ErrorCode::{
        AccessDenied, AuthorizationPending, ConsentRequired, ExpiredToken, InsufficientScope, InvalidClient,
        InvalidGrant, InvalidRequest, InvalidScope, InvalidTarget, InvalidToken, LoginRequired, RequestNotSupported,
        RequestUriNotSupported, ServerError, SlowDown, TemporarilyUnavailable, UnauthorizedClient,
        UnmetAuthenticationRequirements, UnsupportedGrantType, UnsupportedResponseType,
    };
    match refusal {
        Refusal::Missing(name) => {
            (InvalidRequest, format!("The parameter {name} is missing. Send it once, with a value.").into())
        }
        Refusal::Repeated(name) => {
            (InvalidRequest, format!("The parameter {} is given more than once. Send it once.", shown(name)).into())
        }
        Refusal::Malformed(what) => (InvalidRequest, format!("The form cannot be read: {what}.").into()),
        Refusal::TwoAuthentications => (
            InvalidRequest,
            "The client authenticates in the Authorization header and in the form, or names two ids. Use one way."
                .into(),
        ),
        Refusal::MalformedAuthorization => (
            InvalidClient,
            "The Authorization header cannot be read. Send Basic and base64 of client_id:client_secret.".into(),
        ),
        Refusal::NoClient => (
            InvalidClient,
            "No client credentials came. Send client_id and client_secret by HTTP Basic or in the form.".into(),
        ),
        // One sentence for all of them: which one it was would let a stranger collect ids.
        Refusal::ClientUnknown
        | Refusal::ClientSecretWrong
        | Refusal::ClientSecretMissing
        | Refusal::ClientCertificateWrong => (
            InvalidClient,
            "The client id is unknown, or its secret or certificate is missing, wrong or expired. Check both.".into(),
        ),
        Refusal::NoCertificateToBind => (
            InvalidRequest,
            "The tokens of this client are bound to its certificate, and none came that is valid. Send the request over TLS with it."
                .into(),
        ),
        Refusal::ClientIsPublic => (
            InvalidClient,
            "This needs a client that can prove who it is. Register a confidential client and send its secret.".into(),
        ),
        Refusal::AuthorizingClientUnknown => {
            (InvalidRequest, "No app is registered under this client_id. Check the link that brought you here.".into())
        }
        Refusal::RedirectUriUnregistered => (
            InvalidRequest,
            "The redirect_uri is not registered for this client. Send one of the registered values, byte for byte."
                .into(),
        ),
        Refusal::LogoutUriUnregistered => (
            InvalidRequest,
            "The post_logout_redirect_uri is not registered for this client. Send one of the registered values, byte for byte."
                .into(),
        ),
        Refusal::BadValue(name) => (
            InvalidRequest,
            format!("The value of {name} is not understood here. See the metadata for what is.").into(),
        ),
        Refusal::TooLong(name) => {
            (InvalidRequest, format!("The value of {name} is too long. Send a shorter one.").into())
        }
        Refusal::ChallengeMissing => (
            InvalidRequest,
            "code_challenge is missing. PKCE is required: send base64url of the SHA-256 of a fresh verifier.".into(),
        ),
        Refusal::ChallengeMethod => {
            (InvalidRequest, "code_challenge_method must be S256. The method plain is not offered.".into())
        }
        Refusal::RequestObject => {
            (RequestNotSupported, "Request objects are not offered. Send plain parameters.".into())
        }
        Refusal::RequestUri => (RequestUriNotSupported, "request_uri is not offered. Send plain parameters.".into()),
        Refusal::LoginRequired => {
            (LoginRequired, "Nobody is signed in, and prompt=none forbids to ask. Try again without it.".into())
        }
        Refusal::ConsentRequired => {
            (ConsentRequired, "The user has not agreed to this yet, and prompt=none forbids to ask.".into())
        }
        Refusal::AcrUnknown => (
            UnmetAuthenticationRequirements,
            "No sign-in of this acr is offered. See acr_values_supported in the metadata, or do not insist on it.".into(),
        ),
        Refusal::ScopeBeyondUser => (AccessDenied, "The user's account may give none of what was asked for.".into()),
        Refusal::Denied => (AccessDenied, "The user said no.".into()),
        Refusal::InteractionExpired => (
            InvalidRequest,
            "This page was open for too long, or belongs to another sign-in. Go back to the app and start again."
                .into(),
        ),
        Refusal::CodeUnfounded | Refusal::CodeUnknown | Refusal::CodeExpired | Refusal::CodeOfAnotherClient | Refusal::CodeReplayed(_) => (
            InvalidGrant,
            "The code is unknown, older than a minute, used before, or another client's. Start the flow again.".into(),
        ),
        Refusal::RedirectUriDiffers => (
            InvalidGrant,
            "The redirect_uri differs from the one of the authorization request. Send the same value.".into(),
        ),
        Refusal::VerifierMalformed => (
            InvalidRequest,
            "The code_verifier must have 43 to 128 letters, digits, dots, dashes, underscores or tildes.".into(),
        ),
        Refusal::VerifierWrong => {
            (InvalidGrant, "The code_verifier does not match the code_challenge of this code.".into())
        }
        Refusal::DeviceCodeUnknown | Refusal::DeviceCodeOfAnotherClient | Refusal::DeviceCodeReplayed(_) => (
            InvalidGrant,
            "The device_code is unknown, used before, or another client's. Ask for a new one at /device/code.".into(),
        ),
        Refusal::DevicePending => (
            AuthorizationPending,
            "Nobody has agreed yet. Ask again after the interval, and show the user_code meanwhile.".into(),
        ),
        Refusal::DeviceTooSoon { interval } => {
            (SlowDown, format!("The polls come too fast. Leave {interval} seconds between them from now on.").into())
        }
        Refusal::TooManyDevices => (
            SlowDown,
            "Too many codes of this client wait for people, all from this address. Ask again in a few minutes.".into(),
        ),
        Refusal::DeviceCodeExpired => {
            (ExpiredToken, "The device_code has expired. Ask for a new one at /device/code.".into())
        }
        Refusal::DeviceDenied => (AccessDenied, "The user said no. Stop asking for this code.".into()),
        Refusal::RefreshUnknown
        | Refusal::RefreshOfAnotherKey
        | Refusal::RefreshOfAnotherClient
        | Refusal::SessionOver
        | Refusal::RefreshReused(_) => (
            InvalidGrant,
            "The refresh token is unknown, expired, used before, or another client's. The user must sign in again."
                .into(),
        ),
        Refusal::ScopeNotGranted => (
            InvalidScope,
            "The scope exceeds what the user agreed to. Ask for less, or start a new authorization request.".into(),
        ),
        Refusal::TwoTokens => (
            InvalidRequest,
            "The access token came more than once. Send it once, in the Authorization header or in the form.".into(),
        ),
        Refusal::NoToken => (InvalidToken, "No access token came. Send Authorization: Bearer and the token.".into()),
        Refusal::TokenInvalid | Refusal::TokenOfAnotherKey => (
            InvalidToken,
            "The access token is unknown, expired or revoked, or bound to another certificate. Get a new one.".into(),
        ),
        Refusal::TokenScope(name) => {
            (InsufficientScope, format!("The access token lacks the scope {name}. Ask for it at /authorize.").into())
        }
        Refusal::ResponseTypeUnsupported => (
            UnsupportedResponseType,
            "This response_type is not offered. See response_types_supported in the metadata.".into(),
        ),
        Refusal::GrantUnsupported => {
            (UnsupportedGrantType, "This grant_type is not offered. See grant_types_supported in the metadata.".into())
        }
        Refusal::GrantNotRegistered => (
            UnauthorizedClient,
            "This client is not registered for this grant_type. Ask the operator to add it.".into(),
        ),
        Refusal::ScopeMalformed(_) => (
            InvalidScope,
            "The scope cannot be read. Send names of printable ASCII with single spaces between them.".into(),
        ),
        Refusal::ScopeNotRegistered(name) => (
            InvalidScope,
            format!("The scope {} is not registered for this client. Leave it out, or ask the operator.", shown(name))
                .into(),
        ),
        Refusal::ScopeNeedsUser(name) => (
            InvalidScope,
            format!("The scope {} speaks of a signed-in user, and this grant has none. Leave it out.", shown(name))
                .into(),
        ),
        Refusal::ResourceUnknown => (
            InvalidTarget,
            "The resource is not served here. Send the address from /.well-known/oauth-protected-resource.".into(),
        ),
        Refusal::ResourceDiffers => (
            InvalidTarget,
            "The resource is not the one of the authorization request. Send the same value, or leave it out.".into(),
        ),
        Refusal::TokenOfAnotherClient => (
            InvalidGrant,
            "The token was issued to another client. Only the client that holds it can revoke it.".into(),
        ),
        Refusal::Keys(_) | Refusal::Store(StoreError::Failed(_)) => (ServerError, "".into()),
        Refusal::Store(StoreError::Unavailable(_)) => (TemporarilyUnavailable, "".into()),
    }
}

/// What a stranger sent, harmless in a sentence and in the log: a short name is shown, anything that could be a secret
/// in the wrong place is not.
fn shown(text: &str) -> &str {
    let is_name = text.len() <= 40 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b":._-/".contains(&b));
    if is_name && !text.starts_with("vk_") { text } else { "(not shown)" }
}
