//! The declared API: its service over the store, its routes behind the bearer rules.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;

use valetkey_oauth::Authority;
use valetkey_resources::model::Api;
use valetkey_resources::openapi::Surroundings;
use valetkey_resources::ports::Ports;
use valetkey_resources::routes;
use valetkey_resources::service::{Parts, Service};
use valetkey_rest::RateLimitLayer;
use valetkey_rest::bearer::{BearerLayer, Caller, Challenge};
use valetkey_rest::page::cursor::CursorKey;
use valetkey_rest::rate_limit::{MemoryCounter, Quota};

use super::edge::ClientAddress;
use super::system::{SystemClock, SystemIds};
use crate::bridge::bearer::OwnTokens;
use crate::bridge::handlers::OutboundHandlers;

/// Where the API is.
pub const PREFIX: &str = "/api";
/// So many callers are counted at once, in some ten megabytes.
const COUNTED: usize = 100_000;
/// The version that is served.
const VERSION: u32 = 1;

/// The API over a store.
pub fn open(
    api: Arc<Api>,
    ports: Ports,
    authority: &Authority,
    handlers: OutboundHandlers,
    largest_body: usize,
) -> anyhow::Result<Arc<Service>> {
    let cursors = CursorKey::new(*authority.derive_key("valetkey cursors v1")?);
    let parts = Parts {
        ports,
        clock: Arc::new(SystemClock),
        ids: Arc::new(SystemIds::default()),
        handlers: Arc::new(handlers),
        cursors,
        challenge: challenge(authority),
        largest_body,
    };
    Ok(Service::new(api, parts)?)
}

/// Its routes, each for those who bring a token and do not ask too often.
pub fn guarded(service: &Arc<Service>, authority: &Arc<Authority>, quota: Quota) -> Router {
    let verify = Arc::new(OwnTokens(authority.clone()));
    routes::routes(service, PREFIX, VERSION)
        .merge(routes::routes(service, &format!("{PREFIX}/v{VERSION}"), VERSION))
        .layer(RateLimitLayer::new(quota, Arc::new(whose), Arc::new(MemoryCounter::new(COUNTED)), Arc::new(since_1970)))
        .layer(BearerLayer::new(verify, challenge(authority)))
}

/// Requests are counted for each client and the user it speaks for.
fn whose(parts: &http::request::Parts) -> Option<String> {
    let caller = parts.extensions.get::<Arc<Caller>>()?;
    Some(format!("{} {}", caller.client, caller.subject.as_deref().unwrap_or_default()))
}

/// Counts by address what nobody was counted for: requests that were refused before it was known who asks, and those that
/// anyone may send. Only what stands below [`PREFIX`].
pub fn counted_by_address(quota: Quota) -> RateLimitLayer {
    let counter = Arc::new(MemoryCounter::new(COUNTED));
    RateLimitLayer::new(quota, Arc::new(from_where), counter, Arc::new(since_1970)).uncounted()
}

fn from_where(parts: &http::request::Parts) -> Option<String> {
    let below = parts.uri.path().strip_prefix(PREFIX)?;
    let address = parts.extensions.get::<ClientAddress>()?;
    (below.is_empty() || below.starts_with('/')).then(|| address.0.to_string())
}

fn since_1970() -> Duration {
    Duration::try_from(valetkey_oauth::ports::Clock::now(&SystemClock).as_duration()).unwrap_or_default()
}

/// Its description, as it is served below `/api`.
pub fn openapi(api: &Api, issuer: &str) -> serde_json::Value {
    valetkey_resources::openapi::document(api, &surroundings(issuer, PREFIX))
}

fn surroundings(issuer: &str, prefix: &str) -> Surroundings {
    Surroundings { base_url: format!("{issuer}{prefix}"), issuer: issuer.to_owned(), version: VERSION }
}

/// Its description, for anyone.
pub fn description(api: &Api, authority: &Authority) -> Router {
    let issuer = &authority.policy.issuer;
    let at = |prefix: &str| surroundings(issuer, prefix);
    let versioned = format!("{PREFIX}/v{VERSION}");
    routes::description(api, PREFIX, &at(PREFIX)).merge(routes::description(api, &versioned, &at(&versioned)))
}

fn challenge(authority: &Authority) -> Challenge {
    let issuer = &authority.policy.issuer;
    Challenge {
        realm: authority.policy.audience.clone(),
        resource_metadata: Some(format!("{issuer}/.well-known/oauth-protected-resource{PREFIX}")),
    }
}
