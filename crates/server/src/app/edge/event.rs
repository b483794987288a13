//! Everything at the edge that is worth observing. Logs and metrics choose from it; the edge itself writes neither.

use std::net::SocketAddr;
use std::sync::Arc;

/// Told of each event as it happens; it must not block.
pub type Observer = Arc<dyn Fn(&EdgeEvent) + Send + Sync>;

/// Something that happened at the edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EdgeEvent {
    /// A listener is served from now on; certificates have been loaded.
    Listening {
        /// Where.
        address: SocketAddr,
    },
    /// A connection was accepted, before any handshake.
    ConnectionOpened {
        /// Who connected.
        peer: SocketAddr,
    },
    /// A connection is gone, for whatever reason.
    ConnectionClosed {
        /// Who was connected.
        peer: SocketAddr,
    },
    /// A connection was closed because its client was too slow.
    ConnectionCut {
        /// Who was connected.
        peer: SocketAddr,
        /// What took too long.
        reason: &'static str,
    },
    /// A connection broke, or what came over it was not HTTP.
    ConnectionFailed {
        /// Who was connected.
        peer: SocketAddr,
        /// What was wrong.
        reason: String,
    },
    /// A request takes too long. What works on it is dropped next, on this thread, and it is answered by the renderer.
    RequestGivenUp,
    /// A TLS handshake did not succeed in time.
    HandshakeFailed {
        /// Who tried.
        peer: SocketAddr,
        /// What was wrong.
        reason: String,
    },
    /// The system could not hand over a connection, for instance because too many files are open.
    AcceptFailed {
        /// What the system says.
        reason: String,
    },
    /// A trusted proxy passed on something that is no certificate; the request goes on without one.
    ForwardedCertificateRefused {
        /// The proxy.
        peer: SocketAddr,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// New certificate files are in use.
    CertificateReloaded,
    /// New certificate files cannot be used; the old ones stay in use.
    CertificateRefused {
        /// What is wrong with them.
        reason: String,
    },
    /// The edge stops accepting and lets running requests finish.
    Draining {
        /// How many connections are open.
        connections: usize,
    },
    /// Time to finish is over; what is left is closed.
    DrainExpired {
        /// How many connections are still open.
        connections: usize,
    },
}
