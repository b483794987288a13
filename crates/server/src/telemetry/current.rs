//! Which request this thread is working on, so that lines and panics deep inside it bear its id, and on which route it turned
//! out to be. Knows nothing else of a request.

use std::cell::{Cell, RefCell};

use axum::extract::MatchedPath;
use valetkey_rest::RequestId;

thread_local! {
    static CURRENT: Cell<Option<RequestId>> = const { Cell::new(None) };
    static ROUTE: RefCell<Option<Route>> = const { RefCell::new(None) };
}

/// The pattern that a request matched.
#[derive(Debug, Clone)]
pub enum Route {
    /// One that is known beforehand.
    Known(&'static str),
    /// One that the router found.
    Matched(MatchedPath),
}

impl Route {
    /// Its text.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(route) => route,
            Self::Matched(route) => route.as_str(),
        }
    }
}

impl From<&'static str> for Route {
    fn from(route: &'static str) -> Self {
        Self::Known(route)
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
    ROUTE.set(None);
    Working(CURRENT.replace(id))
}

impl Working {
    /// The route that was found in the meantime.
    pub fn route(&self) -> Option<Route> {
        ROUTE.take()
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}
