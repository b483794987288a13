//! The layers around the routes, and what they share. The order matters, and says why.

use std::{sync::Arc, time::Duration};

use axum::{Router, extract::DefaultBodyLimit};
use tower::Layer;
use uuid::Uuid;
use valetkey_rest::{
    BearerLayer, CatchPanicLayer, Clock, CorsLayer, IdempotencyLayer, ProblemLayer, RateLimitLayer, RequestIdLayer,
    TokenInUrlLayer, VersionLayer,
    bearer::{Caller, Challenge, Verify},
    idempotency::MemoryStore,
    page::cursor::CursorKey,
    rate_limit::{MemoryCounter, Quota},
    version::{ApiVersion, Day, Versions},
};

use crate::{shelf::Shelf, users};

/// Bytes of a body. A user is small.
const MAX_BODY: usize = 1 << 20;

/// Fills bytes with randomness.
pub type Random = Arc<dyn Fn(&mut [u8]) + Send + Sync>;

/// What the server is made of; tests bring their own.
pub struct World {
    /// Where `/problems/<slug>` explains problems.
    pub problems: String,
    /// Who knows tokens.
    pub verify: Arc<dyn Verify>,
    /// What a refusal tells clients.
    pub challenge: Challenge,
    /// How often each caller may ask.
    pub quota: Quota,
    /// Pages that may call.
    pub origins: Vec<String>,
    /// Seals cursors.
    pub cursor_key: [u8; 32],
    /// The time.
    pub clock: Clock,
    /// For ids.
    pub random: Random,
}

/// What the handlers share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) cursors: Arc<CursorKey>,
    pub(crate) challenge: Arc<Challenge>,
    pub(crate) clock: Clock,
    pub(crate) random: Random,
}

impl Shared {
    /// A new id. The time comes first, so that ids grow and lists are in the order of creation.
    pub(crate) fn new_id(&self) -> Uuid {
        let mut bytes = [0; 10];
        (self.random)(&mut bytes);
        let milliseconds = u64::try_from((self.clock)().as_millis()).unwrap_or(u64::MAX);
        uuid::Builder::from_unix_timestamp_millis(milliseconds, &bytes).into_uuid()
    }
}

/// The whole server.
pub fn app(world: World) -> Router {
    let shared = Shared {
        shelf: Arc::default(),
        cursors: Arc::new(CursorKey::new(world.cursor_key)),
        challenge: Arc::new(world.challenge.clone()),
        clock: world.clock.clone(),
        random: world.random,
    };
    let ids = shared.clone();

    // Innermost: a POST is done once, by whoever may do it at all.
    let once = IdempotencyLayer::new(Arc::new(MemoryStore::new(10_000)), Arc::new(owner), world.clock.clone());
    let routes = users::routes(shared).layer(once).layer(DefaultBodyLimit::max(MAX_BODY));
    // The version is taken out of the path before routes are found, so its layer is around the router.
    // It came out on 2026-01-01.
    let first = ApiVersion::new(1, Day::of_unix(1_767_225_600));
    let versions = Versions::new("shop", "/api", vec![first], world.clock.clone());
    let versioned = VersionLayer::new(versions).layer(routes);
    // Requests are counted for each caller, so after the caller is known.
    let limits = RateLimitLayer::new(world.quota, Arc::new(owner), Arc::new(MemoryCounter::new(100_000)), world.clock);

    Router::new()
        .fallback_service(versioned)
        .layer(limits)
        .layer(BearerLayer::new(world.verify, world.challenge))
        .layer(TokenInUrlLayer)
        // Pages can read refusals of all that is further in.
        .layer(CorsLayer::new(world.origins))
        .layer(CatchPanicLayer::new(Arc::new(|message| eprintln!("panic: {message}"))))
        // Everything further in may refuse with a `Problem`; here it gets its body, and outside of that its id.
        .layer(ProblemLayer::new(&world.problems))
        .layer(RequestIdLayer::new(Arc::new(move || ids.new_id())))
}

/// Callers are told apart by client and user, in limits and in keys.
fn owner(parts: &http::request::Parts) -> Option<String> {
    let caller = parts.extensions.get::<Arc<Caller>>()?;
    Some(format!("{} {}", caller.client, caller.subject.as_deref().unwrap_or_default()))
}

/// One hundred requests a second, measured over a minute.
pub fn default_quota() -> Quota {
    Quota { limit: 6000, window: Duration::from_secs(60) }
}
