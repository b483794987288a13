//! Certificates made for a test and written where a server finds them.

use std::path::{Path, PathBuf};

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CertifiedIssuer, ExtendedKeyUsagePurpose,
    IsCa, KeyIdMethod, KeyPair, KeyUsagePurpose, RevokedCertParams, date_time_ymd,
};

/// An authority that lives as long as its test.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A certificate with its key, both in PEM form.
#[derive(Clone)]
pub struct Issued {
    pub certificate: String,
    pub key: String,
    pub der: Vec<u8>,
}

impl Authority {
    pub fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    pub fn pem(&self) -> String {
        self.0.pem()
    }

    pub fn issue(&self, name: &str, usage: ExtendedKeyUsagePurpose) -> Issued {
        self.issue_with(params(name, usage))
    }

    fn issue_with(&self, params: CertificateParams) -> Issued {
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        Issued { certificate: certificate.pem(), key: key.serialize_pem(), der: certificate.der().to_vec() }
    }

    pub fn server(&self) -> Issued {
        self.issue("localhost", ExtendedKeyUsagePurpose::ServerAuth)
    }

    pub fn client(&self) -> Issued {
        self.client_with(|_| {})
    }

    /// The same, with something changed.
    pub fn client_with(&self, change: impl FnOnce(&mut CertificateParams)) -> Issued {
        let mut params = params("client", ExtendedKeyUsagePurpose::ClientAuth);
        change(&mut params);
        self.issue_with(params)
    }

    /// The list of what this authority has revoked.
    pub fn revoked(&self, serials: &[u64]) -> String {
        let revoked = |serial: &u64| RevokedCertParams {
            serial_number: (*serial).into(),
            revocation_time: date_time_ymd(2025, 1, 1),
            reason_code: None,
            invalidity_date: None,
        };
        let list = CertificateRevocationListParams {
            this_update: date_time_ymd(2025, 1, 1),
            next_update: date_time_ymd(2090, 1, 1),
            crl_number: 1u64.into(),
            issuing_distribution_point: None,
            revoked_certs: serials.iter().map(revoked).collect(),
            key_identifier_method: KeyIdMethod::Sha256,
        };
        list.signed_by(&self.0).unwrap().pem().unwrap()
    }

    /// As a client that trusts this authority and no other.
    pub fn trust(&self) -> reqwest::Certificate {
        reqwest::Certificate::from_pem(self.pem().as_bytes()).unwrap()
    }
}

impl Issued {
    pub fn self_signed() -> Self {
        Self::self_signed_with(|_| {})
    }

    /// The same, with something changed.
    pub fn self_signed_with(change: impl FnOnce(&mut CertificateParams)) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = params("client", ExtendedKeyUsagePurpose::ClientAuth);
        change(&mut params);
        let certificate = params.self_signed(&key).unwrap();
        Self { certificate: certificate.pem(), key: key.serialize_pem(), der: certificate.der().to_vec() }
    }

    pub fn identity(&self) -> reqwest::Identity {
        reqwest::Identity::from_pem(format!("{}{}", self.certificate, self.key).as_bytes()).unwrap()
    }

    /// Writes both files, the certificate first, as renewal does.
    pub fn write(&self, folder: &Path) -> (PathBuf, PathBuf) {
        let (certificate, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
        std::fs::write(&certificate, &self.certificate).unwrap();
        std::fs::write(&key, &self.key).unwrap();
        (certificate, key)
    }
}

fn params(name: &str, usage: ExtendedKeyUsagePurpose) -> CertificateParams {
    let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
    params.extended_key_usages = vec![usage];
    params
}
