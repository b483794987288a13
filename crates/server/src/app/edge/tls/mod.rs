//! TLS: which certificate we show, which one the client shows, and how both change without a restart.

mod client;
mod files;
mod reload;
mod revoked;
mod shown;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use arc_swap::ArcSwap;
use rustls::ServerConfig;
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::version::{TLS12, TLS13};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use crate::config::{ClientCertificates, Tls};
use files::{Files, Look, Material};

pub use client::PeerCertificate;
pub(super) use shown::Shown;

/// Why certificate files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("{setting}: {} cannot be read: {source}", path.display())]
    Unreadable {
        /// The setting that names it.
        setting: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file holds something else than it should.
    #[error("{setting}: {} {wrong}", path.display())]
    Unusable {
        /// The setting that names it.
        setting: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        wrong: String,
    },
    /// A certificate is set without a key.
    #[error("tls.key: a certificate needs its key; set both")]
    KeyMissing,
    /// The files are fine, but TLS cannot be set up with them.
    #[error("TLS cannot be set up: {0}")]
    Setup(#[from] rustls::Error),
}

/// The files in use: our own certificate, and the authorities for those of clients.
#[derive(Clone)]
pub(super) struct Credentials {
    files: Arc<Files>,
    /// How the files looked when the server started.
    look: Look,
    material: Arc<ArcSwap<Material>>,
}

/// Performs handshakes with whatever certificate is current.
#[derive(Clone)]
pub(super) struct TlsAcceptor {
    inner: tokio_rustls::TlsAcceptor,
    credentials: Credentials,
}

/// Loads the files, if any are set.
pub(super) fn credentials(tls: &Tls) -> Result<Option<Credentials>, TlsError> {
    let Some(files) = Files::of(tls, Arc::new(aws_lc_rs::default_provider()))? else { return Ok(None) };
    // Looked at before they are read: a change in between is then noticed later rather than never.
    let look = files.look();
    let material = Arc::new(ArcSwap::from_pointee(files.load()?));
    Ok(Some(Credentials { files: Arc::new(files), look, material }))
}

impl Credentials {
    /// Makes an acceptor, if there is a certificate to show.
    pub fn acceptor(&self, tls: &Tls) -> Result<Option<TlsAcceptor>, TlsError> {
        if tls.certificate.is_none() {
            return Ok(None);
        }
        let mut config = server_config(tls, Arc::new(aws_lc_rs::default_provider()), &self.material)?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Some(TlsAcceptor { inner: Arc::new(config).into(), credentials: self.clone() }))
    }
}

fn server_config(
    tls: &Tls,
    provider: Arc<CryptoProvider>,
    material: &Arc<ArcSwap<Material>>,
) -> Result<ServerConfig, TlsError> {
    let versions =
        ServerConfig::builder_with_provider(Arc::clone(&provider)).with_protocol_versions(&[&TLS13, &TLS12])?;
    let clients = match tls.client_certificates {
        ClientCertificates::Off => versions.with_no_client_auth(),
        ClientCertificates::Optional => versions.with_client_cert_verifier(Arc::new(client::Possession::new(provider))),
    };
    Ok(clients.with_cert_resolver(Arc::new(reload::Current(Arc::clone(material)))))
}

impl TlsAcceptor {
    /// Performs one handshake and says what the client proved.
    pub async fn accept(&self, stream: TcpStream) -> io::Result<(TlsStream<TcpStream>, Option<Shown>)> {
        let stream = self.inner.accept(stream).await?;
        // Judged by today's authorities also when the session was resumed, so that neither an expired certificate
        // nor an authority that was taken away lives on in a ticket.
        let shown = stream.get_ref().1.peer_certificates();
        let shown = shown.map(|chain| Shown::new(chain, self.credentials.clone()));
        Ok((stream, shown))
    }
}
