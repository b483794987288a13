//! What is read from certificates, sound and not.

use rcgen::string::Ia5String;
use rcgen::{CertificateParams, DistinguishedName as Names, DnType, KeyPair, SanType};

use super::*;

fn made(change: impl FnOnce(&mut CertificateParams)) -> Vec<u8> {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    change(&mut params);
    params.self_signed(&KeyPair::generate().unwrap()).unwrap().der().to_vec()
}

fn text(text: &str) -> Ia5String {
    text.try_into().unwrap()
}

#[test]
fn the_subject_reads_as_rfc_4514_writes_it() {
    let der = made(|params| {
        params.distinguished_name = Names::new();
        for (kind, value) in
            [(DnType::CountryName, "DE"), (DnType::OrganizationName, "Example, Inc."), (DnType::CommonName, "till 7")]
        {
            params.distinguished_name.push(kind, value);
        }
    });

    let subject = read(&der).unwrap().subject.unwrap();

    assert_eq!(subject.to_string(), "CN=till 7,O=Example\\, Inc.,C=DE");
    assert_eq!(DistinguishedName::parse("CN=till 7, O=Example\\, Inc., C=DE"), Some(subject));
}

#[test]
fn an_empty_subject_is_no_name() {
    assert_eq!(read(&made(|params| params.distinguished_name = Names::new())).unwrap().subject, None);
}

#[test]
fn each_kind_of_other_name_is_told_from_the_rest() {
    let der = made(|params| {
        params.subject_alt_names = vec![
            SanType::DnsName(text("till.example")),
            SanType::URI(text("spiffe://example/till")),
            SanType::Rfc822Name(text("till@example")),
            SanType::IpAddress("10.0.0.7".parse().unwrap()),
            SanType::IpAddress("2001:db8::7".parse().unwrap()),
        ];
    });

    let expected = [
        CertificateName::Dns("till.example".to_owned()),
        CertificateName::Uri("spiffe://example/till".to_owned()),
        CertificateName::Email("till@example".to_owned()),
        CertificateName::Ip("10.0.0.7".parse().unwrap()),
        CertificateName::Ip("2001:db8::7".parse().unwrap()),
    ];
    assert_eq!(read(&der).unwrap().names, expected);
}

#[test]
fn what_is_cut_off_lengthened_or_garbage_is_no_certificate() {
    let der = made(|_| {});
    let longer = [&der[..], b"more"].concat();

    assert!(read(&der).is_some());
    for end in (0..der.len()).step_by(7) {
        assert_eq!(read(&der[..end]), None, "cut at {end}");
    }
    assert_eq!(read(&longer), None);
    assert_eq!(read(b"garbage"), None);
}
