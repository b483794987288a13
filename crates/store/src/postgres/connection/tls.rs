//! TLS to the server: rustls, trusting what the system trusts and a CA of the operator's own.

use std::path::Path;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use rustls_platform_verifier::Verifier;
use tokio_postgres::Config;
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;
use valetkey_oauth::ports::StoreError;

/// What makes TLS connections as the URL's `sslmode` asks.
pub(super) fn connector(config: &Config, extra_ca: Option<&Path>) -> Result<MakeRustlsConnect, StoreError> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let verifier: Arc<dyn ServerCertVerifier> = match config.get_ssl_mode() {
        SslMode::Disable | SslMode::Prefer => Arc::new(Unverified(provider.clone())),
        _ => verifier(extra_ca, provider.clone())?,
    };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| StoreError::Failed(error.to_string()))?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn verifier(extra_ca: Option<&Path>, provider: Arc<CryptoProvider>) -> Result<Arc<dyn ServerCertVerifier>, StoreError> {
    let Some(path) = extra_ca else {
        let system = Verifier::new(provider).map_err(|error| StoreError::Failed(error.to_string()))?;
        return Ok(Arc::new(system));
    };
    let unreadable = |error: &dyn std::fmt::Display| {
        StoreError::Failed(format!("the certificates in {} are not usable: {error}", path.display()))
    };
    let certificates = CertificateDer::pem_file_iter(path)
        .and_then(|found| found.collect::<Result<Vec<_>, _>>())
        .map_err(|error| unreadable(&error))?;
    if certificates.is_empty() {
        return Err(unreadable(&"no certificate found"));
    }
    let extended = Verifier::new_with_extra_roots(certificates, provider).map_err(|error| unreadable(&error))?;
    Ok(Arc::new(extended))
}

/// For `sslmode=prefer`, which would go on in plain text if the server asked for that: whoever can stand in the middle
/// can ask. A certificate that nobody vouches for is therefore no reason to stop, as in PostgreSQL's own clients.
#[derive(Debug)]
struct Unverified(Arc<CryptoProvider>);

impl ServerCertVerifier for Unverified {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
