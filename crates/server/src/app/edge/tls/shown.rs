//! What a client showed at its handshake. Judged again when the authorities change, because connections between
//! services last for days.

use std::sync::Arc;

use arc_swap::ArcSwap;
use rustls::pki_types::CertificateDer;

use super::files::Material;
use super::{Credentials, PeerCertificate};

/// A chain whose first key the client has proven to hold.
pub(in crate::app::edge) struct Shown {
    chain: Vec<CertificateDer<'static>>,
    credentials: Credentials,
    verdict: ArcSwap<Verdict>,
}

struct Verdict {
    by: Arc<Material>,
    certificate: Option<PeerCertificate>,
}

impl Verdict {
    fn on(chain: &[CertificateDer<'_>], by: Arc<Material>) -> Self {
        Self { certificate: PeerCertificate::judge(chain, Some(&by)), by }
    }
}

impl Shown {
    pub(super) fn new(chain: &[CertificateDer<'_>], credentials: Credentials) -> Self {
        let verdict = ArcSwap::from_pointee(Verdict::on(chain, credentials.material.load_full()));
        Self { chain: chain.iter().map(|certificate| certificate.clone().into_owned()).collect(), credentials, verdict }
    }

    /// The certificate, as the authorities of this moment see it.
    pub fn certificate(&self) -> Option<PeerCertificate> {
        let material = self.credentials.material.load();
        if !Arc::ptr_eq(&material, &self.verdict.load().by) {
            self.verdict.store(Arc::new(Verdict::on(&self.chain, Arc::clone(&material))));
        }
        self.verdict.load().certificate.clone()
    }
}
