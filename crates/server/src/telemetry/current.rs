//! Which request this thread is working on, so that lines and panics deep inside it bear its id, and on which route it turned
//! out to be. Knows nothing else of a request.

use std::cell::{Cell, RefCell};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::MatchedPath;
use valetkey_rest::RequestId;

use super::trace::TraceParent;

thread_local! {
    static CURRENT: Cell<Option<RequestId>> = const { Cell::new(None) };
    static ROUTE: Cell<Option<Route>> = const { Cell::new(None) };
    static IS_GIVEN_UP: Cell<bool> = const { Cell::new(false) };
    static GIVEN_UP: RefCell<Option<GivenUp>> = const { RefCell::new(None) };
}

/// A request that took too long, for whoever answers in place of those who worked on it.
#[derive(Debug)]
pub struct GivenUp {
    /// What it was called all along.
    pub id: Option<RequestId>,
    /// Where it was.
    pub route: Option<Route>,
    /// When it came.
    pub started: Instant,
    /// From where.
    pub client_address: Option<IpAddr>,
    /// What it is a part of.
    pub parent: Option<TraceParent>,
}

/// Whoever drops a request on this thread next has not lost its client: somebody else answers, and tells of it.
pub fn give_up() {
    IS_GIVEN_UP.set(true);
}

/// Leaves a request to whoever answers it, if there is somebody.
pub(super) fn hand_over(request: impl FnOnce() -> GivenUp) -> bool {
    let is_given_up = IS_GIVEN_UP.replace(false);
    if is_given_up {
        GIVEN_UP.set(Some(request()));
    }
    is_given_up
}

/// The request that was left.
pub fn given_up() -> Option<GivenUp> {
    IS_GIVEN_UP.set(false);
    GIVEN_UP.take()
}

/// The pattern that a request matched.
#[derive(Debug, Clone)]
pub enum Route {
    /// One that is known beforehand.
    Known(&'static str),
    /// One of the declared API.
    Declared(Arc<str>),
    /// One that the router found.
    Matched(MatchedPath),
}

impl Route {
    /// Its text.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(route) => route,
            Self::Declared(route) => route,
            Self::Matched(route) => route.as_str(),
        }
    }
}

impl From<&'static str> for Route {
    fn from(route: &'static str) -> Self {
        Self::Known(route)
    }
}

impl From<Arc<str>> for Route {
    fn from(route: Arc<str>) -> Self {
        Self::Declared(route)
    }
}

impl From<MatchedPath> for Route {
    fn from(route: MatchedPath) -> Self {
        Self::Matched(route)
    }
}

/// The request that is being worked on, if this thread works on one.
pub fn request_id() -> Option<RequestId> {
    CURRENT.get()
}

/// The request that is being worked on is on this route.
pub fn on_route(route: impl Into<Route>) {
    ROUTE.set(Some(route.into()));
}

/// Until it is dropped, this thread works on one request. Holding it over an `.await` would name the wrong one.
#[must_use]
pub struct Working(Option<RequestId>);

/// Starts work on a request.
pub fn enter(id: Option<RequestId>) -> Working {
    Working(CURRENT.replace(id))
}

impl Working {
    /// The route that was found in the meantime. Nobody else finds it again.
    pub fn route(&self) -> Option<Route> {
        ROUTE.take()
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        CURRENT.set(self.0);
        if std::thread::panicking() {
            // The next request on this thread is not on the route of the one that failed.
            ROUTE.set(None);
        }
    }
}
