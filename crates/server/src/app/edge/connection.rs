//! One connection from handshake to close. Runs in its own task, so that a slow one delays nobody else.

use std::future::pending;
use std::net::SocketAddr;
use std::panic::resume_unwind;
use std::pin::pin;
use std::sync::{Arc, Mutex};

use futures_util::future::Either;
use http::{Request, Version};
use hyper::body::{Body, Incoming};
use hyper::rt::Executor;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::task::JoinError;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::drain::Drain;
use super::event::{EdgeEvent, Observer};
use super::pulse::{Phase, Pulse, Pulsed};
use super::request::{Reception, Serve};
use super::seldom::Seldom;
use super::tls::{Shown, TlsAcceptor};
use super::turns::after_the_others;
use super::unreadable::Dressed;
use crate::config::Limits;

/// Streams that one HTTP/2 connection may have open at once.
const MAX_STREAMS: u32 = 128;

/// Hyper panics below this; `Config::check` refuses it before.
const LEAST_HEADER_BYTES: usize = 8192;

/// The other end of a connection.
pub(super) struct Visitor {
    pub peer: SocketAddr,
    pub shown: Option<Shown>,
}

/// What all connections share.
pub(super) struct Lobby<S> {
    pub reception: Reception,
    /// Answers. Each connection has a clone of its own.
    pub service: S,
    pub acceptor: Option<TlsAcceptor>,
    pub limits: Limits,
    pub observer: Observer,
    /// Finish what is running, begin nothing new.
    pub drain: Drain,
    /// Time to finish is over.
    pub close: CancellationToken,
    /// Where what is too much for one hall is spread among all cores.
    pub streams: Streams,
}

/// What ends a connection, or changes how it ends.
enum Signal {
    Close,
    Drain,
    Expired(Phase),
}

/// A body that is larger than this may take a while to be read and understood.
const HEAVY: u64 = 64 * 1024;

/// An answer that is larger than this is written at once. Of others, there may be one for each connection at a time.
const MAY_WAIT: u64 = 8 * 1024;

/// Would this keep a hall for long? Over HTTP/2 it is not in one.
fn is_heavy(request: &Request<Incoming>) -> bool {
    request.version() != Version::HTTP_2 && !is_at_most(HEAVY, request.body())
}

fn is_at_most(most: u64, body: &impl Body) -> bool {
    body.size_hint().upper().is_some_and(|bytes| bytes <= most)
}

/// Answers that are not left to the hall that reads the connection: to heavy requests, and to those over HTTP/2, since a proxy
/// may send all it has over a single connection.
#[derive(Clone)]
pub(super) struct Streams(pub Handle);

impl Streams {
    async fn answer<T: Send + 'static>(self, answer: impl Future<Output = T> + Send + 'static) -> T {
        match AbortOnDropHandle::new(self.0.spawn(answer)).await.map_err(JoinError::try_into_panic) {
            Ok(answer) => answer,
            Err(Ok(panic)) => resume_unwind(panic),
            // The server ends, and the connection with it.
            Err(Err(_)) => pending().await,
        }
    }
}

impl<F: Future<Output: Send> + Send + 'static> Executor<F> for Streams {
    fn execute(&self, stream: F) {
        self.0.spawn(stream);
    }
}

impl<S: Serve> Lobby<S> {
    /// Serves a connection until either side has had enough.
    pub async fn receive(self: Arc<Self>, stream: TcpStream, peer: SocketAddr) {
        (self.observer)(&EdgeEvent::ConnectionOpened { peer });
        // Answers are small and written whole; waiting for more to send would only delay them.
        let _ = stream.set_nodelay(true);
        match &self.acceptor {
            None => self.talk(stream, Visitor { peer, shown: None }).await,
            Some(acceptor) => self.greet(acceptor, stream, peer).await,
        }
        (self.observer)(&EdgeEvent::ConnectionClosed { peer });
    }

    async fn greet(self: &Arc<Self>, acceptor: &TlsAcceptor, stream: TcpStream, peer: SocketAddr) {
        let failed = |reason: String| (self.observer)(&EdgeEvent::HandshakeFailed { peer, reason });
        let handshake = timeout(self.limits.handshake_timeout.duration(), acceptor.accept(stream));
        tokio::select! {
            biased;
            () = self.drain.begun() => {}
            outcome = handshake => match outcome {
                Ok(Ok((stream, shown))) => self.talk(stream, Visitor { peer, shown }).await,
                Ok(Err(reason)) => failed(reason.to_string()),
                Err(_) => failed("the handshake took too long".to_owned()),
            },
        }
    }

    async fn talk<I>(self: &Arc<Self>, stream: I, visitor: Visitor)
    where
        I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let peer = visitor.peer;
        let pulse = Pulse::new(&self.limits);
        // HTTP/2 answers requests in tasks of their own, so each of them owns what it needs.
        let service = Mutex::new(self.service.clone());
        let context = Arc::new((Arc::clone(self), visitor, Arc::clone(&pulse), service));
        let service = service_fn(move |request: Request<Incoming>| {
            let context = Arc::clone(&context);
            let heavy = is_heavy(&request).then(|| context.0.streams.clone());
            let is_in_hall = heavy.is_none() && request.version() != Version::HTTP_2;
            // It has arrived: no clock waits for its head any more, however long others take.
            let beat = context.2.begin(request.version() == Version::HTTP_2);
            let answer = async move {
                let (lobby, visitor, _, service) = &*context;
                if !is_in_hall {
                    return lobby.reception.answer(service, visitor, beat, request).await;
                }
                after_the_others().await;
                let Ok(answered) = lobby.reception.answer(service, visitor, beat, request).await;
                // What is large is not kept for longer than it has to be.
                if is_at_most(MAY_WAIT, answered.body()) {
                    after_the_others().await;
                }
                Ok(answered)
            };
            match heavy {
                None => Either::Left(answer),
                Some(streams) => Either::Right(streams.answer(answer)),
            }
        });
        let builder = self.protocol();
        let io =
            TokioIo::new(Dressed::new(Pulsed::new(stream, Arc::clone(&pulse)), Arc::clone(&self.reception.renderer)));
        let mut connection = pin!(builder.serve_connection(io, service));
        let mut ending = false;
        loop {
            // Each request wakes this task a few times; a signal comes once in the life of a connection.
            let signal = pin!(self.signal(&pulse, ending));
            let mut signal = Seldom::new(signal);
            let signal = tokio::select! {
                biased;
                ended = connection.as_mut() => {
                    if let Err(error) = ended {
                        (self.observer)(&EdgeEvent::ConnectionFailed { peer, reason: error.to_string() });
                    }
                    return;
                }
                signal = &mut signal => signal,
            };
            match signal {
                Signal::Close => return,
                Signal::Drain => {}
                Signal::Expired(phase) if ending || !pulse.is_multiplexed() => {
                    (self.observer)(&EdgeEvent::ConnectionCut { peer, reason: phase.complaint() });
                    return;
                }
                // HTTP/2 can say goodbye, so that a request sent at this moment is safely sent elsewhere.
                Signal::Expired(_) => pulse.restart(),
            }
            ending = true;
            connection.as_mut().graceful_shutdown();
        }
    }

    /// The next thing that happens to a connection from outside.
    async fn signal(&self, pulse: &Pulse, ending: bool) -> Signal {
        tokio::select! {
            biased;
            () = self.close.cancelled() => Signal::Close,
            () = self.parting(pulse), if !ending => Signal::Drain,
            phase = pulse.expired() => Signal::Expired(phase),
        }
    }

    /// Ends when a connection has to. HTTP/2 can say goodbye at once. Over HTTP/1 a request may be on its way while we close,
    /// and a proxy cannot know whether it was read: so connections rest for a while longer, and end with their next answer.
    async fn parting(&self, pulse: &Pulse) {
        self.drain.begun().await;
        if !pulse.is_multiplexed() {
            sleep(self.limits.notice.duration()).await;
        }
    }

    fn protocol(&self) -> Builder<Streams> {
        let limits = &self.limits;
        let idle = limits.idle_timeout.duration();
        let mut builder = Builder::new(self.streams.clone());
        builder
            .http1()
            .timer(TokioTimer::new())
            // The pulse watches the head; hyper's own timer would also cut connections that merely rest.
            .header_read_timeout(None)
            // The reception counts exactly and answers with a problem; hyper itself would answer with an empty 431.
            .max_headers(limits.headers.saturating_mul(2))
            .max_buf_size(limits.header_bytes.max(LEAST_HEADER_BYTES));
        builder
            .http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(MAX_STREAMS)
            .max_header_list_size(u32::try_from(limits.header_bytes).unwrap_or(u32::MAX))
            .keep_alive_interval(idle / 2)
            .keep_alive_timeout(limits.header_timeout.duration());
        builder
    }
}
