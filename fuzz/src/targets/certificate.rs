//! Certificates of clients and the names in them: read or refused, and a name that was read is written and read again.

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use valetkey::bridge::certificate::read;
use valetkey_oauth::model::DistinguishedName;

pub const WORDS: &[&str] =
    &["\x30\x03", "\x06\x03\x55\x04\x03", "\x0c\x01", "CN=", "+O=", "2.5.4.3=", "\\2C", "#0c0141", ","];

pub fn check(data: &[u8]) {
    if let Some(certificate) = read(data) {
        assert_eq!(certificate.thumbprint, URL_SAFE_NO_PAD.encode(digest(&SHA256, data)));
        assert!(!certificate.is_vouched_for, "reading vouches for nobody");
        assert_eq!(read(&[data, b"\0"].concat()), None, "nothing may follow");
        // Nobody registers a name as long as a certificate can have one.
        if let Some(subject) = certificate.subject.filter(|subject| subject.to_string().len() <= 2048) {
            is_written_and_read(&subject);
        }
    }
    if let Some(name) = std::str::from_utf8(data).ok().and_then(DistinguishedName::parse) {
        is_written_and_read(&name);
    }
}

fn is_written_and_read(name: &DistinguishedName) {
    let written = name.to_string();
    assert_eq!(DistinguishedName::parse(&written).as_ref(), Some(name), "{written:?}");
}
