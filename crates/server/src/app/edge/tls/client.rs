//! Client certificates. Any certificate is accepted whose key the client holds, as RFC 8705 needs for self-signed ones;
//! whether it also chains to `tls.client_ca` is recorded beside it and must be asked by whoever relies on an authority.

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{CertificateError, DigitallySignedStruct, DistinguishedName, Error, SignatureScheme};

use super::Credentials;
use super::files::Material;

/// A certificate whose key the client has proven to hold. In the extensions of its requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeerCertificate {
    /// The certificate itself.
    pub der: Arc<[u8]>,
    /// Its SHA-256, for `x5t#S256`.
    pub sha256: [u8; 32],
    /// Whether an authority in `tls.client_ca` vouches for it, it is valid today, and no list in `tls.client_crl` has it.
    pub chains_to_ca: bool,
    /// Whether a list in `tls.client_crl` has it. Then it proves nothing any more, not even that it is itself.
    pub is_revoked: bool,
}

impl PeerCertificate {
    /// Judges what a client has shown to a proxy, by the authorities that are trusted now.
    pub(in crate::app::edge) fn forwarded(
        chain: &[CertificateDer<'_>],
        credentials: Option<&Credentials>,
    ) -> Option<Self> {
        Self::judge(chain, credentials.map(|credentials| credentials.material.load_full()).as_deref())
    }

    /// Judges what a client has shown.
    pub(super) fn judge(chain: &[CertificateDer<'_>], material: Option<&Material>) -> Option<Self> {
        let (own, others) = chain.split_first()?;
        let authorities = material.and_then(|material| material.authorities.as_deref());
        let judged = authorities.map(|judge| judge.verify_client_cert(own, others, UnixTime::now()));
        Some(Self {
            der: own.as_ref().into(),
            sha256: digest(&SHA256, own).as_ref().try_into().ok()?,
            chains_to_ca: matches!(judged, Some(Ok(_))),
            // An authority between may be revoked, too. What the client sends of the chain can only hide that one.
            is_revoked: material.is_some_and(|material| material.revoked.lists(own))
                || matches!(judged, Some(Err(Error::InvalidCertificate(CertificateError::Revoked)))),
        })
    }
}

/// Demands proof of the key and nothing else.
#[derive(Debug)]
pub(super) struct Possession(Arc<CryptoProvider>);

impl Possession {
    pub fn new(provider: Arc<CryptoProvider>) -> Self {
        Self(provider)
    }
}

impl ClientCertVerifier for Possession {
    fn client_auth_mandatory(&self) -> bool {
        false
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        // Hints would keep clients with self-signed certificates from showing them.
        &[]
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        ParsedCertificate::try_from(end_entity)?;
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
