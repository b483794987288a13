//! The edge: sockets, TLS, limits on slow and large clients, trusted proxies, graceful drain. Knows nothing of OAuth.
//!
//! ```no_run
//! # async fn run() -> Result<(), valetkey::app::edge::EdgeError> {
//! use valetkey::app::edge::{Edge, Halls, bind, serve};
//! use valetkey::config::Config;
//!
//! let config = Config::default();
//! let listener = bind(config.listen)?;
//! serve(vec![listener], axum::Router::new(), Edge::new(&config), Halls::open()?, std::future::pending()).await
//! # }
//! ```
//!
//! Every request that reaches the router carries [`ClientAddress`] in its extensions, and [`PeerCertificate`] if its sender
//! proved one, here or to a trusted proxy. Headers of proxies are read here and then removed, so that nothing behind the edge
//! can believe them by accident.

mod accept;
mod bind;
mod body;
mod connection;
mod drain;
mod event;
mod forwarded;
mod halls;
mod pulse;
mod refusal;
mod request;
mod seldom;
mod tls;
mod turns;
mod unreadable;

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::config::{Config, Limits, Origin, Tls};

pub use accept::serve;
pub use bind::{EdgeError, Reserved, bind, reserve};
pub use event::{EdgeEvent, Observer};
pub use forwarded::{ClientAddress, Scheme};
pub use halls::Halls;
pub use refusal::{Asked, Refusal, Renderer};
pub use request::Serve;
pub use tls::{PeerCertificate, TlsError};

/// Can the certificate and its key be used? Asked before anything is made or told.
pub fn check_tls(config: &Config) -> Result<(), EdgeError> {
    if let Some(credentials) = tls::credentials(&config.tls)? {
        credentials.acceptor(&config.tls)?;
    }
    Ok(())
}

/// How the edge behaves.
#[derive(Clone)]
pub struct Edge {
    /// How much a client may send, and how long it may take.
    pub limits: Limits,
    /// Certificates; without one the edge speaks plain HTTP.
    pub tls: Tls,
    /// Peers whose `Forwarded`, `X-Forwarded-*` and, with `tls.client_certificates`, `Client-Cert` are believed.
    pub trusted_proxies: Vec<ipnet::IpNet>,
    /// The origin that clients use.
    pub public: Origin,
    /// Paths that anyone may ask in the clear: those that watch a server are no proxies, and what they read tells nothing.
    pub open: &'static [&'static str],
    /// How often the certificate files are looked at.
    pub reload_every: Duration,
    /// Told of everything worth counting.
    pub observer: Observer,
    /// Makes the answer when the edge itself refuses a request.
    pub renderer: Renderer,
    /// Cancelled by the edge once it was told to stop: readiness ends here, before anything else does.
    pub leaving: CancellationToken,
}

impl Edge {
    /// What the settings ask for, with nobody watching and bare answers.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        Self {
            limits: config.limits.clone(),
            tls: config.tls.clone(),
            trusted_proxies: config.trusted_proxies.clone(),
            public: config.origin(),
            open: &[],
            reload_every: Duration::from_secs(1),
            observer: Arc::new(|_| {}),
            renderer: Arc::new(refusal::bare),
            leaving: CancellationToken::new(),
        }
    }
}
