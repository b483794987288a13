//! What the edge does with each request before and after the router: who sent it, is it sound, is it in time.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use http::header::{ACCEPT, CONNECTION, HOST, ORIGIN, STRICT_TRANSPORT_SECURITY};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Request, Version};
use hyper::body::Incoming;
use tokio::time::timeout;
use tower::Service;
use valetkey_rest::version::X_API_VERSION;

use super::body::{Arrival, Leaving, arriving};
use super::connection::Visitor;
use super::drain::Drain;
use super::event::{EdgeEvent, Observer};
use super::forwarded::{self, ClientAddress, Scheme, Trust};
use super::pulse::Beat;
use super::refusal::{Asked, Refusal, Renderer};
use super::tls::{Credentials, PeerCertificate, Shown};

/// Two years, as the preload lists of browsers ask for.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=63072000");

/// What answers behind the edge: a router with layers around it. It is always ready.
pub trait Serve:
    Service<Request<Body>, Response = Response, Error = Infallible, Future: Send> + Clone + Send + Sync + 'static
{
}

impl<S> Serve for S where
    S: Service<Request<Body>, Response = Response, Error = Infallible, Future: Send> + Clone + Send + Sync + 'static
{
}

/// What all connections of one listener share.
pub(super) struct Reception {
    pub trust: Trust,
    pub open: &'static [&'static str],
    pub renderer: Renderer,
    pub observer: Observer,
    /// The files of our own certificate and of the authorities for those of clients.
    pub credentials: Option<Credentials>,
    /// Do certificates of clients count?
    pub uses_certificates: bool,
    pub max_headers: usize,
    pub request_timeout: Duration,
    /// Begins when each answer is the last of its connection.
    pub drain: Drain,
}

impl Reception {
    /// Answers one request. Whatever goes wrong, there is an answer.
    pub async fn answer<S: Serve>(
        &self,
        service: &Mutex<S>,
        visitor: &Visitor,
        beat: Beat,
        request: Request<Incoming>,
    ) -> Result<Response<Leaving>, Infallible> {
        let asked = Asked {
            method: request.method().clone(),
            uri: request.uri().clone(),
            accept: request.headers().get(ACCEPT).cloned(),
            origin: request.headers().get(ORIGIN).cloned(),
            version: request.headers().get(X_API_VERSION).cloned(),
        };
        let version = request.version();
        let (mut head, body) = request.into_parts();
        let (scheme, admitted) = self.admit(visitor, &mut head);
        let outcome = match admitted {
            Err(refusal) => Err(refusal),
            Ok(()) => {
                let (body, arrival) = arriving(body);
                let mut answer = pin!(begin(service, Request::from_parts(head, body)));
                // Most answers are there at once: no clock has to run for them.
                match futures_util::poll!(answer.as_mut()) {
                    Poll::Ready(Ok(response)) => Ok(response),
                    Poll::Pending => match timeout(self.request_timeout, answer).await {
                        Ok(Ok(response)) => Ok(response),
                        Err(_) => Err(self.give_up(arrival)),
                    },
                }
            }
        };
        // What was given up is gone by now, and has left its name.
        let mut response = outcome.unwrap_or_else(|refusal| self.refuse(refusal, &asked, version));
        if version < Version::HTTP_2 && self.drain.has_begun() {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        if scheme == Scheme::Https {
            response.headers_mut().entry(STRICT_TRANSPORT_SECURITY).or_insert(HSTS);
        }
        Ok(response.map(|body| Leaving::new(body, beat)))
    }

    /// Who sent it, over which scheme, and whether it is sound.
    fn admit(&self, visitor: &Visitor, head: &mut Parts) -> (Scheme, Result<(), Refusal>) {
        let certificate = self.certificate(visitor, &head.headers);
        let client = match self.trust.trace(visitor.peer.ip(), &mut head.headers) {
            Ok(traced) => traced,
            Err(Refusal::NotAProxy) if self.open.contains(&head.uri.path()) => {
                ClientAddress(visitor.peer.ip().to_canonical(), Scheme::Http)
            }
            Err(refusal) => return (Scheme::Http, Err(refusal)),
        };
        let scheme = client.1;
        if head.headers.len() > self.max_headers {
            return (scheme, Err(Refusal::TooManyHeaders));
        }
        // RFC 9112 §3.2: one Host, or nobody knows whom the request is for.
        if head.version == Version::HTTP_11 && head.headers.get_all(HOST).iter().count() != 1 {
            return (scheme, Err(Refusal::Malformed));
        }
        head.extensions.insert(client);
        if let Some(certificate) = certificate {
            head.extensions.insert(certificate);
        }
        (scheme, Ok(()))
    }

    fn refuse(&self, refusal: Refusal, asked: &Asked, version: Version) -> Response {
        let mut response = (self.renderer)(refusal, asked);
        *response.status_mut() = refusal.status();
        if matches!(refusal, Refusal::SlowBody | Refusal::TooManyHeaders | Refusal::Malformed)
            && version < Version::HTTP_2
        {
            // The rest of the body may still come and would be read as the next request. And who sends more headers
            // than allowed is not worth another.
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }

    /// Time is up: whose fault is it?
    fn give_up(&self, arrival: Option<Arrival>) -> Refusal {
        (self.observer)(&EdgeEvent::RequestGivenUp);
        let has_arrived = arrival.is_none_or(|arrival| arrival.is_complete());
        if has_arrived { Refusal::SlowAnswer } else { Refusal::SlowBody }
    }

    /// The certificate of the client: what it showed us, or what it showed a trusted proxy. A proxy's own certificate is
    /// never taken for that of its clients.
    fn certificate(&self, visitor: &Visitor, headers: &HeaderMap) -> Option<PeerCertificate> {
        if !self.trust.trusts(visitor.peer.ip()) {
            return visitor.shown.as_ref().and_then(Shown::certificate);
        }
        // Off by default: a proxy that knows nothing of this header lets through what anybody wrote into it.
        if !self.uses_certificates {
            return None;
        }
        match forwarded::certificate::chain(headers) {
            Ok(chain) => PeerCertificate::forwarded(&chain, self.credentials.as_ref()),
            Err(reason) => {
                (self.observer)(&EdgeEvent::ForwardedCertificateRefused { peer: visitor.peer, reason });
                None
            }
        }
    }
}

/// A connection with one request at a time has its own service at hand. Where many share a connection, each has a clone: what a
/// layer does before it answers, a signature to check perhaps, must not keep the others waiting.
fn begin<S: Serve>(service: &Mutex<S>, request: Request<Body>) -> S::Future {
    let mut own = service.lock().unwrap_or_else(PoisonError::into_inner);
    if request.version() != Version::HTTP_2 {
        return own.call(request);
    }
    let mut clone = own.clone();
    drop(own);
    clone.call(request)
}
