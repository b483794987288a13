//! The error words of RFC 6749 and its family. Which rule uses which word is decided where rules meet the wire.

/// An error word that OAuth clients understand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    /// A parameter is missing, repeated or malformed.
    InvalidRequest,
    /// The client did not prove who it is.
    InvalidClient,
    /// The code, refresh token or other grant is not good (any more).
    InvalidGrant,
    /// The client is known, but may not do this.
    UnauthorizedClient,
    /// No such grant is offered.
    UnsupportedGrantType,
    /// No such response type is offered.
    UnsupportedResponseType,
    /// The scope is malformed or exceeds what is registered.
    InvalidScope,
    /// The `resource` names something this server does not guard (RFC 8707).
    InvalidTarget,
    /// The user has not decided about the device yet (RFC 8628).
    AuthorizationPending,
    /// The device polls too fast (RFC 8628).
    SlowDown,
    /// The device code is void (RFC 8628).
    ExpiredToken,
    /// The user said no.
    AccessDenied,
    /// Nobody is signed in, and nobody may be asked.
    LoginRequired,
    /// The user would have to agree first, and may not be asked.
    ConsentRequired,
    /// The app insists on a sign-in that is not offered (OpenID Connect Core, unmet authentication requirements).
    UnmetAuthenticationRequirements,
    /// Request objects are not offered.
    RequestNotSupported,
    /// Request objects by reference are not offered.
    RequestUriNotSupported,
    /// The access token is not good (RFC 6750).
    InvalidToken,
    /// The access token does not allow this (RFC 6750).
    InsufficientScope,
    /// The server could not answer; nothing was changed.
    ServerError,
    /// The server cannot answer now; trying again later helps.
    TemporarilyUnavailable,
}

impl ErrorCode {
    /// The word as it stands on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidClient => "invalid_client",
            Self::InvalidGrant => "invalid_grant",
            Self::UnauthorizedClient => "unauthorized_client",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::UnsupportedResponseType => "unsupported_response_type",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidTarget => "invalid_target",
            Self::AuthorizationPending => "authorization_pending",
            Self::SlowDown => "slow_down",
            Self::ExpiredToken => "expired_token",
            Self::AccessDenied => "access_denied",
            Self::LoginRequired => "login_required",
            Self::ConsentRequired => "consent_required",
            Self::UnmetAuthenticationRequirements => "unmet_authentication_requirements",
            Self::RequestNotSupported => "request_not_supported",
            Self::RequestUriNotSupported => "request_uri_not_supported",
            Self::InvalidToken => "invalid_token",
            Self::InsufficientScope => "insufficient_scope",
            Self::ServerError => "server_error",
            Self::TemporarilyUnavailable => "temporarily_unavailable",
        }
    }
}
