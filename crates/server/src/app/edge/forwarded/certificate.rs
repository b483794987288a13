//! `Client-Cert` and `Client-Cert-Chain` (RFC 9440): the certificate that a client showed to the proxy. Reads them, and
//! leaves it to the caller whether the proxy is to be believed.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use http::HeaderMap;
use rustls::pki_types::CertificateDer;
use rustls::server::ParsedCertificate;

pub(in crate::app::edge) const CLIENT_CERT: &str = "client-cert";
pub(in crate::app::edge) const CLIENT_CERT_CHAIN: &str = "client-cert-chain";

/// A certificate is two or three kilobytes.
const LONGEST: usize = 8 * 1024;
/// No client needs more steps to its authority.
const MOST: usize = 8;

/// RFC 8941 §4.2.7: a byte sequence is read with its padding and without.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The chain that the headers hold, the client's own certificate first; empty if it showed none.
pub(in crate::app::edge) fn chain(headers: &HeaderMap) -> Result<Vec<CertificateDer<'static>>, &'static str> {
    let mut values = headers.get_all(CLIENT_CERT).iter();
    let own = match (values.next(), values.next()) {
        (None, _) => return Ok(Vec::new()),
        (Some(_), Some(_)) => return Err("Client-Cert came more than once"),
        (Some(value), None) => value.to_str().map_err(|_| "Client-Cert is not ASCII")?.trim(),
    };
    // A proxy that fills in a template writes this for a client that showed none.
    if own.is_empty() || own == "::" {
        return Ok(Vec::new());
    }
    let mut chain = vec![certificate(own)?];
    for value in headers.get_all(CLIENT_CERT_CHAIN) {
        let value = value.to_str().map_err(|_| "Client-Cert-Chain is not ASCII")?;
        for member in value.split(',').map(str::trim).filter(|member| !member.is_empty() && *member != "::") {
            if chain.len() > MOST {
                return Err("Client-Cert-Chain is too long");
            }
            chain.push(certificate(member)?);
        }
    }
    Ok(chain)
}

fn certificate(text: &str) -> Result<CertificateDer<'static>, &'static str> {
    if text.len() > LONGEST {
        return Err("a forwarded certificate is too large");
    }
    let inner = text.strip_prefix(':').and_then(|rest| rest.strip_suffix(':'));
    let inner = inner.ok_or("a forwarded certificate does not stand between colons, as RFC 9440 asks")?;
    let der = CertificateDer::from(BASE64.decode(inner).map_err(|_| "a forwarded certificate is not base64")?);
    match ParsedCertificate::try_from(&der) {
        Ok(_) => Ok(der),
        Err(_) => Err("a forwarded certificate is none"),
    }
}

#[cfg(test)]
mod tests;
