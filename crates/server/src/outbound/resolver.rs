//! Names become addresses here, and only those that may be called leave. The connection is made to what was checked, so
//! a name that points elsewhere a moment later changes nothing.

use std::net::SocketAddr;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::lookup_host;

use super::address::Reach;

/// A name that leads to no address that may be called.
#[derive(Debug, thiserror::Error)]
#[error("{name} has no address that may be called")]
pub(super) struct NoneLeft {
    pub(super) name: String,
    pub(super) secure: bool,
}

/// Asks the system, and checks what it says.
pub(super) struct Checked {
    reach: Arc<Reach>,
    secure: bool,
}

impl Checked {
    /// For connections over TLS.
    pub(super) fn secure(reach: Arc<Reach>) -> Self {
        Self { reach, secure: true }
    }

    /// For connections in the clear.
    pub(super) fn plain(reach: Arc<Reach>) -> Self {
        Self { reach, secure: false }
    }
}

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let (reach, secure) = (self.reach.clone(), self.secure);
        Box::pin(async move {
            // Port 0 is replaced by the port of the URL.
            let found = lookup_host((name.as_str(), 0)).await?;
            let left = keep(&reach, secure, found);
            if left.is_empty() {
                return Err(NoneLeft { name: name.as_str().to_owned(), secure }.into());
            }
            Ok(Box::new(left.into_iter()) as Addrs)
        })
    }
}

/// Those that may be called, in their order.
pub(super) fn keep(reach: &Reach, secure: bool, found: impl Iterator<Item = SocketAddr>) -> Vec<SocketAddr> {
    let may = |address: &SocketAddr| match secure {
        true => reach.may_call(address.ip()),
        false => reach.may_call_in_the_clear(address.ip()),
    };
    found.filter(may).collect()
}
