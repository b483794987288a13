//! Certificates of clients: what the edge saw becomes the `Certificate` that the rules know. The only place that reads
//! names and dates in one.

use std::net::IpAddr;

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::Extensions;
use jiff::Timestamp;
use valetkey_oauth::model::{Certificate, CertificateName, DistinguishedName};
use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::FromDer as _;
use x509_parser::x509::X509Name;

use crate::app::edge::PeerCertificate;

/// The certificate of a request, if its client proved one that can be read and was not revoked.
pub fn of(extensions: &Extensions) -> Option<Certificate> {
    let shown = extensions.get::<PeerCertificate>().filter(|shown| !shown.is_revoked)?;
    let read = read(&shown.der)?;
    Some(Certificate { is_vouched_for: shown.chains_to_ca, ..read })
}

/// What stands in a certificate. Whether anyone vouches for it does not.
pub fn read(der: &[u8]) -> Option<Certificate> {
    let (rest, parsed) = X509Certificate::from_der(der).ok()?;
    let moment = |seconds| Timestamp::from_second(seconds).ok();
    let validity = parsed.validity();
    rest.is_empty().then_some(())?;
    Some(Certificate {
        thumbprint: URL_SAFE_NO_PAD.encode(digest(&SHA256, der)),
        subject: subject(parsed.subject()),
        names: names(&parsed),
        valid_from: moment(validity.not_before.timestamp())?,
        valid_until: moment(validity.not_after.timestamp())?,
        is_vouched_for: false,
    })
}

/// A name with a part that is no text is none: half of it could be anybody's.
fn subject(name: &X509Name<'_>) -> Option<DistinguishedName> {
    let mut parts = Vec::new();
    for part in name.iter_rdn() {
        let attributes = part.iter().map(|attribute| {
            let value = attribute.as_str().ok().filter(|value| !value.is_empty())?;
            Some((attribute.attr_type().to_id_string(), value.to_owned()))
        });
        parts.push(attributes.collect::<Option<Vec<_>>>()?);
    }
    // A certificate begins with the country, RFC 4514 §2.1 with the name itself.
    parts.reverse();
    DistinguishedName::new(parts)
}

fn names(certificate: &X509Certificate<'_>) -> Vec<CertificateName> {
    let Ok(Some(found)) = certificate.subject_alternative_name() else { return Vec::new() };
    let name = |name: &GeneralName<'_>| match name {
        GeneralName::DNSName(host) => Some(CertificateName::Dns((*host).to_owned())),
        GeneralName::URI(uri) => Some(CertificateName::Uri((*uri).to_owned())),
        GeneralName::RFC822Name(email) => Some(CertificateName::Email((*email).to_owned())),
        GeneralName::IPAddress(bytes) => address(bytes).map(CertificateName::Ip),
        _ => None,
    };
    found.value.general_names.iter().filter_map(name).collect()
}

fn address(bytes: &[u8]) -> Option<IpAddr> {
    <[u8; 4]>::try_from(bytes).map(IpAddr::from).or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from)).ok()
}

#[cfg(test)]
mod tests;
