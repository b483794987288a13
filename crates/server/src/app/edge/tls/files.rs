//! The certificate files on disk: reads them, checks that they fit together, and notices when they change.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use rustls::RootCertStore;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::ClientCertVerifier;
use rustls::sign::CertifiedKey;

use super::TlsError;
use super::revoked::Revoked;
use crate::config::Tls;

type List = CertificateRevocationListDer<'static>;

/// What the files hold.
pub(super) struct Material {
    /// Our own certificate with its key; none where a proxy ends TLS.
    pub certified: Option<Arc<CertifiedKey>>,
    /// Judges whether a client certificate chains to `tls.client_ca`.
    pub authorities: Option<Arc<dyn ClientCertVerifier>>,
    /// What `tls.client_crl` lists.
    pub revoked: Revoked,
}

/// Which files there are.
pub(super) struct Files {
    own: Option<(PathBuf, PathBuf)>,
    client_ca: Option<PathBuf>,
    client_crl: Option<PathBuf>,
    provider: Arc<CryptoProvider>,
}

/// How the files look from outside. A different look means that it is worth reading them again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Look(Vec<Option<(SystemTime, u64)>>);

impl Files {
    /// The files that the settings name, if they name any.
    pub fn of(tls: &Tls, provider: Arc<CryptoProvider>) -> Result<Option<Self>, TlsError> {
        let own = match tls.certificate.clone() {
            None => None,
            Some(certificate) => Some((certificate, tls.key.clone().ok_or(TlsError::KeyMissing)?)),
        };
        let (client_ca, client_crl) = (tls.client_ca.clone(), tls.client_crl.clone());
        Ok((own.is_some() || client_ca.is_some()).then_some(Self { own, client_ca, client_crl, provider }))
    }

    /// Looks at the files without reading them.
    pub fn look(&self) -> Look {
        let own = self.own.as_ref();
        let paths = [own.map(|own| &own.0), own.map(|own| &own.1), self.client_ca.as_ref(), self.client_crl.as_ref()];
        let look = |path: &PathBuf| std::fs::metadata(path).and_then(|meta| Ok((meta.modified()?, meta.len()))).ok();
        Look(paths.into_iter().flatten().map(look).collect())
    }

    /// Reads the files and checks that they can be used together.
    pub fn load(&self) -> Result<Material, TlsError> {
        let own = self.own.as_ref();
        let certified = own.map(|(certificate, key)| self.certified(certificate, key)).transpose()?;
        let lists = self.client_crl.as_ref().map(|path| lists(path)).transpose()?;
        let (lists, revoked) = lists.unwrap_or_default();
        let authorities = self.client_ca.as_ref().map(|path| self.authorities(path, lists)).transpose()?;
        Ok(Material { certified: certified.map(Arc::new), authorities, revoked })
    }

    fn certified(&self, certificate: &Path, key_path: &Path) -> Result<CertifiedKey, TlsError> {
        let chain = certificates("tls.certificate", certificate)?;
        let key = PrivateKeyDer::from_pem_slice(&read("tls.key", key_path)?)
            .map_err(|_| unusable("tls.key", key_path, "holds no private key in PEM form"))?;
        CertifiedKey::from_der(chain, key, &self.provider).map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => {
                unusable("tls.key", key_path, format!("is not the key of {}", certificate.display()))
            }
            other => unusable("tls.certificate", certificate, format!("cannot be used: {other}")),
        })
    }

    fn authorities(&self, path: &Path, lists: Vec<List>) -> Result<Arc<dyn ClientCertVerifier>, TlsError> {
        let mut roots = RootCertStore::empty();
        for certificate in certificates("tls.client_ca", path)? {
            roots
                .add(certificate)
                .map_err(|error| unusable("tls.client_ca", path, format!("cannot be used: {error}")))?;
        }
        WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&self.provider))
            .with_crls(lists)
            // An authority that publishes no list is trusted none the less: its certificates are listed nowhere.
            .allow_unknown_revocation_status()
            .build()
            .map_err(|error| unusable("tls.client_ca", path, format!("cannot be used: {error}")))
    }
}

/// The lists, and what they list.
fn lists(path: &Path) -> Result<(Vec<List>, Revoked), TlsError> {
    let setting = "tls.client_crl";
    let pem = read(setting, path)?;
    let lists = match List::pem_slice_iter(&pem).collect::<Result<Vec<_>, _>>() {
        Ok(lists) if !lists.is_empty() => lists,
        Ok(_) => return Err(unusable(setting, path, "holds no revocation list in PEM form")),
        Err(error) => return Err(unusable(setting, path, format!("is not sound PEM: {error}"))),
    };
    let revoked = Revoked::read(&lists).ok_or_else(|| unusable(setting, path, "holds a list that cannot be read"))?;
    Ok((lists, revoked))
}

fn certificates(setting: &'static str, path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let pem = read(setting, path)?;
    match CertificateDer::pem_slice_iter(&pem).collect::<Result<Vec<_>, _>>() {
        Ok(chain) if !chain.is_empty() => Ok(chain),
        Ok(_) => Err(unusable(setting, path, "holds no certificate in PEM form")),
        Err(error) => Err(unusable(setting, path, format!("is not sound PEM: {error}"))),
    }
}

fn read(setting: &'static str, path: &Path) -> Result<Vec<u8>, TlsError> {
    std::fs::read(path).map_err(|source| TlsError::Unreadable { setting, path: path.to_owned(), source })
}

fn unusable(setting: &'static str, path: &Path, wrong: impl Into<String>) -> TlsError {
    TlsError::Unusable { setting, path: path.to_owned(), wrong: wrong.into() }
}
