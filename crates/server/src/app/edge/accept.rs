//! The accept loop: takes connections as they come, no more than allowed, until it is told to stop; then drains.

use std::future::Future;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::bind::EdgeError;
use super::connection::{Lobby, Streams};
use super::drain::Drain;
use super::event::EdgeEvent;
use super::forwarded::{Scheme, Trust};
use super::halls::Halls;
use super::request::{Reception, Serve};
use super::tls::{self, Credentials, TlsAcceptor};
use super::{Edge, Observer};
use crate::config::ClientCertificates;

/// How long to wait when the system has no more sockets to give.
const BREATH: Duration = Duration::from_millis(200);

/// Serves on the listeners, in these halls, until `shutdown` ends. Goes on for `limits.notice`, while whoever asks is told that
/// the end is near; then takes no more connections, and lets running requests finish for `limits.drain`.
pub async fn serve(
    listeners: Vec<TcpListener>,
    service: impl Serve,
    edge: Edge,
    halls: Halls,
    shutdown: impl Future<Output = ()>,
) -> Result<(), EdgeError> {
    let drain = Drain::default();
    let close = CancellationToken::new();
    // Whoever drops this future drops the connections too.
    let _close_on_drop = close.clone().drop_guard();
    let _drain_on_drop = drain.on_drop();
    let credentials = tls::credentials(&edge.tls)?;
    let acceptor = credentials.as_ref().map(|credentials| credentials.acceptor(&edge.tls)).transpose()?.flatten();
    if let Some(credentials) = &credentials {
        tokio::spawn(credentials.watch(edge.reload_every, Arc::clone(&edge.observer), drain.token()));
    }
    let connections = TaskTracker::new();
    let room = Arc::new(Semaphore::new(edge.limits.connections.min(Semaphore::MAX_PERMITS)));
    let accepting = TaskTracker::new();
    for listener in listeners {
        let address = listener.local_addr().ok();
        let lobby = lobby(&edge, service.clone(), (credentials.clone(), acceptor.clone()), address, &drain, &close);
        if let Some(address) = address {
            (edge.observer)(&EdgeEvent::Listening { address });
        }
        let house = House { lobby, halls: halls.clone(), connections: connections.clone() };
        accepting.spawn(accept(listener, house, Arc::clone(&room)));
    }

    shutdown.await;
    edge.leaving.cancel();
    sleep(edge.limits.notice.duration()).await;
    drain.begin();
    accepting.close();
    accepting.wait().await;
    connections.close();
    (edge.observer)(&EdgeEvent::Draining { connections: connections.len() });
    if timeout(edge.limits.drain.duration(), connections.wait()).await.is_err() {
        (edge.observer)(&EdgeEvent::DrainExpired { connections: connections.len() });
        close.cancel();
        connections.wait().await;
    }
    Ok(())
}

fn lobby<S>(
    edge: &Edge,
    service: S,
    (credentials, acceptor): (Option<Credentials>, Option<TlsAcceptor>),
    address: Option<SocketAddr>,
    drain: &Drain,
    close: &CancellationToken,
) -> Arc<Lobby<S>> {
    let trust = Trust {
        proxies: edge.trusted_proxies.clone(),
        tls: acceptor.is_some(),
        loopback: address.is_some_and(|address| address.ip().is_loopback()),
        // Plain HTTP counts as intended only where the settings allow it: on loopback.
        public: if !edge.public.is_https() && edge.public.is_loopback() { Scheme::Http } else { Scheme::Https },
    };
    let reception = Reception {
        trust,
        open: edge.open,
        renderer: Arc::clone(&edge.renderer),
        observer: Arc::clone(&edge.observer),
        credentials,
        uses_certificates: edge.tls.client_certificates == ClientCertificates::Optional,
        max_headers: edge.limits.headers,
        request_timeout: edge.limits.request_timeout.duration(),
        drain: drain.clone(),
    };
    Arc::new(Lobby {
        reception,
        service,
        acceptor,
        limits: edge.limits.clone(),
        observer: Arc::clone(&edge.observer),
        drain: drain.clone(),
        close: close.clone(),
        streams: Streams(Handle::current()),
    })
}

/// Where whoever comes in is served.
struct House<S> {
    lobby: Arc<Lobby<S>>,
    halls: Halls,
    connections: TaskTracker,
}

impl<S: Serve> House<S> {
    fn host(&self, (stream, peer): (std::net::TcpStream, SocketAddr), permit: OwnedSemaphorePermit) {
        let lobby = Arc::clone(&self.lobby);
        self.halls.host(&self.connections, async move {
            // Here and not before: the hall that serves a connection is the one that waits for it.
            match TcpStream::from_std(stream) {
                Ok(stream) => lobby.receive(stream, peer).await,
                Err(error) => (lobby.observer)(&EdgeEvent::AcceptFailed { reason: error.to_string() }),
            }
            drop(permit);
        });
    }
}

async fn accept(listener: TcpListener, house: House<impl Serve>, room: Arc<Semaphore>) {
    let drain = house.lobby.drain.clone();
    let arrivals = async {
        loop {
            // Room first: a connection without room waits in the backlog of the system, where it costs nothing.
            let Ok(permit) = Arc::clone(&room).acquire_owned().await else { return };
            house.host(next(&listener, &house.lobby.observer).await, permit);
        }
    };
    tokio::select! {
        () = drain.begun() => {}
        () = arrivals => {}
    }
    for arrived in waiting(listener) {
        let Ok(permit) = Arc::clone(&room).try_acquire_owned() else { return };
        house.host(arrived, permit);
    }
}

/// Closes the port, and answers whoever had already been let in by the system: closing would cut them off with a request on
/// its way. What comes in between the last look and the close is a matter of a microsecond.
fn waiting(listener: TcpListener) -> Vec<(std::net::TcpStream, SocketAddr)> {
    let Ok(listener) = listener.into_std() else { return Vec::new() };
    let mut found = Vec::new();
    while let Ok((stream, peer)) = listener.accept() {
        if stream.set_nonblocking(true).is_ok() {
            found.push((stream, peer));
        }
    }
    found
}

/// The next connection. Failures that concern one connection are skipped; others are waited out.
async fn next(listener: &TcpListener, observer: &Observer) -> (std::net::TcpStream, SocketAddr) {
    loop {
        let accepted = listener.accept().await;
        let error = match accepted.and_then(|(stream, peer)| Ok((stream.into_std()?, peer))) {
            Ok(accepted) => return accepted,
            Err(error) => error,
        };
        let gone = [ErrorKind::ConnectionAborted, ErrorKind::ConnectionReset, ErrorKind::ConnectionRefused];
        if !gone.contains(&error.kind()) {
            // Out of file descriptors or memory: trying again at once would spin until someone else lets go.
            observer(&EdgeEvent::AcceptFailed { reason: error.to_string() });
            sleep(BREATH).await;
        }
    }
}
