//! Puts new certificate files into use while the server runs. Files that cannot be used change nothing.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio_util::sync::CancellationToken;

use super::Credentials;
use super::files::Material;
use crate::app::edge::event::{EdgeEvent, Observer};

/// Shows each client the certificate that is current when it connects.
pub(super) struct Current(pub Arc<ArcSwap<Material>>);

impl std::fmt::Debug for Current {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Current")
    }
}

impl ResolvesServerCert for Current {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        self.0.load().certified.clone()
    }
}

impl Credentials {
    /// Looks at the files now and then until told to stop.
    pub fn watch(
        &self,
        every: Duration,
        observer: Observer,
        stop: CancellationToken,
    ) -> impl Future<Output = ()> + Send + 'static {
        let Self { files, look: mut in_use, material } = self.clone();
        async move {
            let mut complaint = None;
            while stop.run_until_cancelled(tokio::time::sleep(every)).await.is_some() {
                let look = files.look();
                if look == in_use {
                    continue;
                }
                // Renewal writes two files one after the other, and in between they do not fit. So files that were
                // refused are tried again each time, and a complaint is made only once.
                match files.load() {
                    Ok(loaded) => {
                        material.store(Arc::new(loaded));
                        (in_use, complaint) = (look, None);
                        observer(&EdgeEvent::CertificateReloaded);
                    }
                    Err(error) => {
                        let reason = error.to_string();
                        if complaint.as_ref() != Some(&reason) {
                            observer(&EdgeEvent::CertificateRefused { reason: reason.clone() });
                            complaint = Some(reason);
                        }
                    }
                }
            }
        }
    }
}
