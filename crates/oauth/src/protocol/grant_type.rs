//! The ways a client may ask for tokens. Implicit and password have no variant: they cannot be registered.

use serde::{Deserialize, Serialize};

/// A `grant_type` value of the token endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum GrantType {
    /// A code from the authorization endpoint, with PKCE.
    #[serde(rename = "authorization_code")]
    AuthorizationCode,
    /// The client speaks for itself.
    #[serde(rename = "client_credentials")]
    ClientCredentials,
    /// Renewal of a session.
    #[serde(rename = "refresh_token")]
    RefreshToken,
    /// A device without a keyboard (RFC 8628).
    #[serde(rename = "urn:ietf:params:oauth:grant-type:device_code")]
    DeviceCode,
}

impl GrantType {
    /// Every grant type a client can be registered for.
    pub const ALL: [Self; 4] = [Self::AuthorizationCode, Self::ClientCredentials, Self::RefreshToken, Self::DeviceCode];

    /// The value on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AuthorizationCode => "authorization_code",
            Self::ClientCredentials => "client_credentials",
            Self::RefreshToken => "refresh_token",
            Self::DeviceCode => "urn:ietf:params:oauth:grant-type:device_code",
        }
    }

    /// Reads the wire value. `device_code` is accepted as the short form people type.
    pub fn parse(value: &str) -> Option<Self> {
        if value == "device_code" {
            return Some(Self::DeviceCode);
        }
        Self::ALL.into_iter().find(|grant| grant.as_str() == value)
    }
}
