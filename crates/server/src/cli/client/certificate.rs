//! The certificate that a client proves itself with, as flags name it.

use std::fs;

use clap::Args;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use valetkey_oauth::model::{DistinguishedName, TlsIdentity};

use super::words;
use crate::bridge::certificate;
use crate::cli::Failure;

/// What a client does with certificates.
#[derive(Debug, Args)]
pub(in crate::cli) struct CertificateTerms {
    #[command(flatten)]
    identity: Identity,
    /// Whether its access tokens are good only together with the certificate it asked for them with (RFC 8705): on or off
    /// [default: off]
    #[arg(long, value_name = "SWITCH", num_args = 0..=1, default_missing_value = "on")]
    bind_tokens: Option<String>,
}

/// At most one of them (RFC 8705 §2.1.2).
#[derive(Debug, Args)]
#[group(multiple = false)]
struct Identity {
    /// It proves itself by a certificate of an authority in tls.client_ca with this subject, such as CN=till,O=Example,
    /// and has no secret
    #[arg(long, value_name = "NAME")]
    tls_subject_dn: Option<String>,
    /// The same, with this host among the certificate's names
    #[arg(long, value_name = "HOST")]
    tls_san_dns: Option<String>,
    /// The same, with this URI among the certificate's names
    #[arg(long, value_name = "URI")]
    tls_san_uri: Option<String>,
    /// The same, with this IP address among the certificate's names
    #[arg(long, value_name = "ADDRESS")]
    tls_san_ip: Option<String>,
    /// The same, with this e-mail address among the certificate's names
    #[arg(long, value_name = "EMAIL")]
    tls_san_email: Option<String>,
    /// It proves itself by the certificate in this PEM file and no other, which may be self-signed, and has no secret;
    /// `none` for a client that is to use a secret again
    #[arg(long, value_name = "FILE")]
    tls_certificate: Option<String>,
}

impl CertificateTerms {
    /// What it is to be known by; `Some(None)` for no certificate any more.
    pub(super) fn identity(&self) -> Result<Option<Option<TlsIdentity>>, Failure> {
        self.identity.read()
    }

    /// Whether its tokens are to be bound.
    pub(super) fn binds_tokens(&self) -> Result<Option<bool>, Failure> {
        words::switch("--bind-tokens", self.bind_tokens.as_deref())
    }
}

impl Identity {
    fn read(&self) -> Result<Option<Option<TlsIdentity>>, Failure> {
        let Self { tls_subject_dn, tls_san_dns, tls_san_uri, tls_san_ip, tls_san_email, tls_certificate } = self;
        if tls_certificate.as_deref() == Some("none") {
            return Ok(Some(None));
        }
        let identity = if let Some(name) = tls_subject_dn {
            Some(TlsIdentity::SubjectDn(subject(name)?))
        } else if let Some(address) = tls_san_ip {
            let bad = |_| Failure::Usage(format!("--tls-san-ip {address}: this is no IP address"));
            Some(TlsIdentity::SanIp(address.parse().map_err(bad)?))
        } else if let Some(path) = tls_certificate {
            Some(TlsIdentity::Thumbprint(thumbprint(path)?))
        } else {
            tls_san_dns
                .clone()
                .map(TlsIdentity::SanDns)
                .or_else(|| tls_san_uri.clone().map(TlsIdentity::SanUri))
                .or_else(|| tls_san_email.clone().map(TlsIdentity::SanEmail))
        };
        Ok(identity.map(Some))
    }
}

fn subject(name: &str) -> Result<DistinguishedName, Failure> {
    DistinguishedName::parse(name).ok_or_else(|| {
        Failure::Usage(format!(
            "--tls-subject-dn {name}: write the name as `openssl x509 -noout -subject -nameopt RFC2253` prints it, \
             such as CN=till,O=Example"
        ))
    })
}

fn thumbprint(path: &str) -> Result<String, Failure> {
    let bad = |why: String| Failure::Usage(format!("--tls-certificate {path}: {why}"));
    let pem = fs::read(path).map_err(|error| bad(format!("it cannot be read: {error}")))?;
    let der =
        CertificateDer::from_pem_slice(&pem).map_err(|_| bad("it holds no certificate in PEM form".to_owned()))?;
    let read = certificate::read(&der).ok_or_else(|| bad("it holds no sound certificate".to_owned()))?;
    Ok(read.thumbprint)
}
