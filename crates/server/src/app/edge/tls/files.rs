//! The certificate files on disk: reads them, checks that they fit together, and notices when they change.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use rustls::RootCertStore;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::ClientCertVerifier;
use rustls::sign::CertifiedKey;

use super::TlsError;
use crate::config::Tls;

/// What the files hold.
pub(super) struct Material {
    pub certified: Arc<CertifiedKey>,
    /// Judges whether a client certificate chains to `tls.client_ca`.
    pub authorities: Option<Arc<dyn ClientCertVerifier>>,
}

/// Which files there are.
pub(super) struct Files {
    certificate: PathBuf,
    key: PathBuf,
    client_ca: Option<PathBuf>,
    provider: Arc<CryptoProvider>,
}

/// How the files look from outside. A different look means that it is worth reading them again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Look(Vec<Option<(SystemTime, u64)>>);

impl Files {
    /// The files that the settings name, if they name any.
    pub fn of(tls: &Tls, provider: Arc<CryptoProvider>) -> Result<Option<Self>, TlsError> {
        let Some(certificate) = tls.certificate.clone() else { return Ok(None) };
        let key = tls.key.clone().ok_or(TlsError::KeyMissing)?;
        Ok(Some(Self { certificate, key, client_ca: tls.client_ca.clone(), provider }))
    }

    /// Looks at the files without reading them.
    pub fn look(&self) -> Look {
        let paths = [Some(&self.certificate), Some(&self.key), self.client_ca.as_ref()];
        let look = |path: &PathBuf| std::fs::metadata(path).and_then(|meta| Ok((meta.modified()?, meta.len()))).ok();
        Look(paths.into_iter().flatten().map(look).collect())
    }

    /// Reads the files and checks that they can be used together.
    pub fn load(&self) -> Result<Material, TlsError> {
        let chain = certificates("tls.certificate", &self.certificate)?;
        let key = PrivateKeyDer::from_pem_slice(&read("tls.key", &self.key)?)
            .map_err(|_| unusable("tls.key", &self.key, "holds no private key in PEM form"))?;
        let certified = CertifiedKey::from_der(chain, key, &self.provider).map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => {
                unusable("tls.key", &self.key, format!("is not the key of {}", self.certificate.display()))
            }
            other => unusable("tls.certificate", &self.certificate, format!("cannot be used: {other}")),
        })?;
        let authorities = self.client_ca.as_ref().map(|path| self.authorities(path)).transpose()?;
        Ok(Material { certified: Arc::new(certified), authorities })
    }

    fn authorities(&self, path: &Path) -> Result<Arc<dyn ClientCertVerifier>, TlsError> {
        let mut roots = RootCertStore::empty();
        for certificate in certificates("tls.client_ca", path)? {
            roots
                .add(certificate)
                .map_err(|error| unusable("tls.client_ca", path, format!("cannot be used: {error}")))?;
        }
        WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&self.provider))
            .build()
            .map_err(|error| unusable("tls.client_ca", path, format!("cannot be used: {error}")))
    }
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
