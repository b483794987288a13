//! Which request this thread is working on, so that lines and panics deep inside it bear its id. Knows nothing else of a request.

use std::cell::Cell;

use valetkey_rest::RequestId;

thread_local! {
    static CURRENT: Cell<Option<RequestId>> = const { Cell::new(None) };
}

/// The request that is being worked on, if this thread works on one.
pub fn request_id() -> Option<RequestId> {
    CURRENT.get()
}

/// Until it is dropped, this thread works on one request. Holding it over an `.await` would name the wrong one.
#[must_use]
pub struct Working(Option<RequestId>);

/// Starts work on a request.
pub fn enter(id: Option<RequestId>) -> Working {
    Working(CURRENT.replace(id))
}

impl Drop for Working {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}
