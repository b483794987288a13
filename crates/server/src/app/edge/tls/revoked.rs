//! Which certificates `tls.client_crl` lists. Looked up by issuer and number alone: whether a certificate is listed must not
//! depend on what else its holder sends along.

use std::collections::HashSet;

use rustls::pki_types::CertificateRevocationListDer;
use x509_parser::certificate::X509Certificate;
use x509_parser::prelude::FromDer as _;
use x509_parser::revocation_list::CertificateRevocationList;

/// Who issued it, and under which number.
type Listed = (Box<[u8]>, Vec<u8>);

/// All that is listed. The lists are the operator's own files: they are believed.
#[derive(Default)]
pub(super) struct Revoked(HashSet<Listed>);

impl Revoked {
    /// Reads the lists. `None` if one cannot be read.
    pub(super) fn read(lists: &[CertificateRevocationListDer<'_>]) -> Option<Self> {
        let mut listed = HashSet::new();
        for list in lists {
            let (_, list) = CertificateRevocationList::from_der(list).ok()?;
            let issuer = list.issuer().as_raw();
            listed.extend(list.iter_revoked_certificates().map(|entry| (issuer.into(), entry.serial().to_bytes_be())));
        }
        Some(Self(listed))
    }

    /// Is this certificate listed?
    pub(super) fn lists(&self, certificate: &[u8]) -> bool {
        !self.0.is_empty()
            && X509Certificate::from_der(certificate).is_ok_and(|(_, certificate)| {
                self.0.contains(&(certificate.issuer().as_raw().into(), certificate.serial.to_bytes_be()))
            })
    }
}
