//! Everything worth observing, as one enum. Names no secret, token or code: there is no field to put one in.

use std::{net::IpAddr, time::Duration};

use http::Method;
use valetkey_rest::RequestId;

use super::trace::TraceParent;

/// The route of a request that no route matched. Its path is the caller's choice, so it is neither counted nor logged.
pub const UNMATCHED: &str = "unmatched";

/// The status of a request whose client left before the answer. It is never sent; nginx made the number known.
pub const ABANDONED: u16 = 499;

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Event<'a> {
    /// A request was answered, or its client left.
    RequestFinished(Finished<'a>),
    /// The code that served a request panicked.
    Panicked {
        /// What the panic said.
        message: &'a str,
        /// Which request it served.
        request_id: Option<RequestId>,
    },
    /// The rules of authorization have something to tell.
    Oauth(&'a valetkey_oauth::Event<'a>),
    /// A client connected.
    ConnectionOpened,
    /// A connection is gone.
    ConnectionClosed,
    /// A connection broke, was too slow, or brought what is not HTTP.
    ConnectionFailed {
        /// What was wrong.
        reason: &'a str,
    },
    /// A client connected, but did not agree on TLS.
    HandshakeFailed {
        /// Why not.
        reason: &'a str,
    },
    /// New connections get a new certificate.
    CertificateReloaded,
    /// A new certificate is not usable; the old one stays.
    CertificateRefused {
        /// Why not.
        reason: &'a str,
    },
    /// A trusted proxy passed on something that is no certificate of a client.
    ForwardedCertificateRefused {
        /// What is wrong with it.
        reason: &'a str,
    },
    /// The store stopped answering.
    StoreAway {
        /// What it said last.
        why: &'a str,
    },
    /// The store answers again.
    StoreBack,
    /// Redis stopped answering.
    RedisAway {
        /// What it said last.
        why: &'a str,
        /// Are requests refused that cannot be counted? If not, each node counts them alone.
        refuses: bool,
    },
    /// Redis answers again.
    RedisBack,
    /// So many expired rows were removed.
    Swept(u64),
    /// Requests of one client in one version of the declared API, since that was last told.
    ApiUsed {
        /// Who.
        client: &'a str,
        /// Which.
        version: u32,
        /// How many.
        requests: u64,
    },
    /// Keys that were made elsewhere are now in use.
    KeysReloaded,
    /// The server takes requests.
    Started {
        /// Where it listens.
        listen: &'a str,
        /// What it stores in.
        engine: &'a str,
        /// Which version it is.
        version: &'a str,
    },
    /// The server takes no new requests and finishes what it has.
    Draining,
    /// The server has finished.
    Stopped,
    /// A message arrived.
    Delivered {
        /// What it was.
        kind: &'static str,
        /// Where it went: its origin alone.
        to: &'a str,
        /// How many attempts it took.
        attempts: u32,
    },
    /// A message did not arrive; it will be tried again.
    DeliveryFailed {
        /// What it is.
        kind: &'static str,
        /// Where it goes: its origin alone.
        to: &'a str,
        /// How many attempts there were.
        attempts: u32,
        /// What went wrong.
        why: &'a str,
        /// When it is tried again.
        again_in: Duration,
    },
    /// A message did not arrive and is not tried again.
    DeliveryGivenUp {
        /// What it was.
        kind: &'static str,
        /// Where it should have gone: its origin alone.
        to: &'a str,
        /// How many attempts there were.
        attempts: u32,
        /// What went wrong last.
        why: &'a str,
    },
    /// What a new declaration asks for is being filled from the rows that were there before.
    Preparing {
        /// What is being done.
        what: &'a str,
        /// So much of it.
        done: u64,
        /// Of so much.
        total: u64,
        /// So much in a second, if it is known already.
        rate: Option<f64>,
        /// So long it will still take, if it is known already.
        left: Option<Duration>,
    },
    /// All that a new declaration asks for is there.
    Prepared {
        /// How long it took.
        elapsed: Duration,
    },
    /// Work beside requests went wrong; it will be tried again.
    JobFailed {
        /// Which work.
        job: &'a str,
        /// What went wrong.
        why: &'a str,
    },
}

/// A request from its first byte to the head of its answer.
#[derive(Debug, Clone)]
pub struct Finished<'a> {
    /// The method, as [`method_word`] says it.
    pub method: &'static str,
    /// The pattern of the matched route, or [`UNMATCHED`]. Never the path or the query that was sent.
    pub route: &'a str,
    /// The status that was answered, or [`ABANDONED`].
    pub status: u16,
    /// How long it took.
    pub elapsed: Duration,
    /// The id that the client saw too.
    pub request_id: Option<RequestId>,
    /// Who asked.
    pub client_address: Option<IpAddr>,
    /// The problem in the answer.
    pub problem: Option<Note<'a>>,
    /// The trace of the caller that this request continues.
    pub parent: Option<TraceParent>,
}

/// What a problem says to the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note<'a> {
    /// Which kind of problem.
    pub slug: &'static str,
    /// What explains this occurrence.
    pub detail: Option<&'a str>,
}

impl Finished<'_> {
    /// Is the failure ours to mend?
    pub fn is_server_error(&self) -> bool {
        (500..600).contains(&self.status)
    }
}

/// A method as one of a few words, so that a caller who invents methods cannot fill log and metrics with them.
pub fn method_word(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "OTHER",
    }
}
