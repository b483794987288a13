//! Certificates of clients (RFC 8705): what one says, and which one a client is known by. Never knows how one is encoded.

use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::DistinguishedName;

/// A certificate whose key the caller has proven to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// `x5t#S256`: base64url of its SHA-256.
    pub thumbprint: String,
    /// Its subject; none if that is empty or cannot be read.
    pub subject: Option<DistinguishedName>,
    /// Its other names.
    pub names: Vec<CertificateName>,
    /// From when it holds.
    pub valid_from: Timestamp,
    /// Until when it holds, this moment included.
    pub valid_until: Timestamp,
    /// Does an authority that the operator trusts vouch for it? Anyone can write any name into a certificate of their own.
    pub is_vouched_for: bool,
}

impl Certificate {
    /// Does it hold now?
    pub fn holds_at(&self, now: Timestamp) -> bool {
        (self.valid_from..=self.valid_until).contains(&now)
    }
}

/// A subject alternative name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CertificateName {
    /// A host.
    Dns(String),
    /// An address, such as `spiffe://example/till`.
    Uri(String),
    /// An address of the network.
    Ip(IpAddr),
    /// An e-mail address.
    Email(String),
}

/// By which certificate a client is known. RFC 8705 §2.1.2: by exactly one of these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TlsIdentity {
    /// Vouched for, with this subject.
    SubjectDn(DistinguishedName),
    /// Vouched for, with this host.
    SanDns(String),
    /// Vouched for, with this URI.
    SanUri(String),
    /// Vouched for, with this address.
    SanIp(IpAddr),
    /// Vouched for, with this e-mail address.
    SanEmail(String),
    /// This one and no other, by its thumbprint; whoever signed it.
    Thumbprint(String),
}

impl TlsIdentity {
    /// The name of the method on the wire.
    pub fn method(&self) -> &'static str {
        match self {
            Self::Thumbprint(_) => "self_signed_tls_client_auth",
            _ => "tls_client_auth",
        }
    }

    /// Is this the client's certificate?
    pub fn is_shown_by(&self, certificate: &Certificate, now: Timestamp) -> bool {
        if !certificate.holds_at(now) {
            return false;
        }
        if let Self::Thumbprint(thumbprint) = self {
            return *thumbprint == certificate.thumbprint;
        }
        certificate.is_vouched_for && self.is_named_in(certificate)
    }

    fn is_named_in(&self, certificate: &Certificate) -> bool {
        let has = |fits: &dyn Fn(&CertificateName) -> bool| certificate.names.iter().any(fits);
        match self {
            Self::SubjectDn(name) => certificate.subject.as_ref() == Some(name),
            // Host names know no case. A wildcard is a name like any other here: it stands for itself alone.
            Self::SanDns(host) => {
                has(&|name| matches!(name, CertificateName::Dns(dns) if dns.eq_ignore_ascii_case(host)))
            }
            Self::SanUri(uri) => has(&|name| matches!(name, CertificateName::Uri(other) if other == uri)),
            Self::SanIp(ip) => has(&|name| matches!(name, CertificateName::Ip(other) if other == ip)),
            Self::SanEmail(email) => has(&|name| matches!(name, CertificateName::Email(other) if other == email)),
            Self::Thumbprint(thumbprint) => *thumbprint == certificate.thumbprint,
        }
    }

    /// Could a certificate have it? An empty or unprintable name is a mistake.
    pub fn is_sound(&self) -> bool {
        match self {
            Self::SanDns(text) | Self::SanUri(text) | Self::SanEmail(text) | Self::Thumbprint(text) => {
                (1..=1024).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
            }
            Self::SubjectDn(_) | Self::SanIp(_) => true,
        }
    }
}
