//! The declared API: its service over the store, its routes behind the bearer rules.

use std::convert::Infallible;
use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::any;
use http::Request;
use jiff::civil::Date;
use tower::{Layer as _, ServiceExt, service_fn};
use valetkey_oauth::Authority;
use valetkey_resources::model::Api;
use valetkey_resources::openapi::Surroundings;
use valetkey_resources::ports::Ports;
use valetkey_resources::routes;
use valetkey_resources::service::{Parts, Service};
use valetkey_rest::VersionLayer;
use valetkey_rest::bearer::Caller;
use valetkey_rest::page::cursor::CursorKey;
use valetkey_rest::problem::{Problem, catalogue};
use valetkey_rest::version::{ApiVersion, Day, GoneHeard, Lifecycle, Versions};

use super::edge::Serve;
use super::guard::{self, challenge};
use super::limits::Counting;
use super::system::{SystemClock, SystemIds};
use crate::bridge::handlers::OutboundHandlers;
use crate::config::Limits;

/// Where the API is.
pub const PREFIX: &str = "/api";
/// Of a request's time, this much is kept for its answer.
const MARGIN: Duration = Duration::from_secs(2);

/// The API over a store.
pub fn open(
    api: Arc<Api>,
    ports: Ports,
    authority: &Authority,
    handlers: OutboundHandlers,
    limits: &Limits,
) -> anyhow::Result<Arc<Service>> {
    let cursors = CursorKey::new(*authority.derive_key("valetkey cursors v1")?);
    let parts = Parts {
        ports,
        clock: Arc::new(SystemClock),
        ids: Arc::new(SystemIds::default()),
        handlers: Arc::new(handlers),
        cursors,
        challenge: challenge(authority),
        largest_body: limits.document_bytes,
        patience: patience(limits.request_timeout.duration()),
        versions: Arc::new(versions(&api, &authority.policy.issuer)),
    };
    Ok(Service::new(api, parts)?)
}

/// How long a request waits for others: so much less than its own time that there is an answer.
fn patience(request: Duration) -> Duration {
    request - (request / 4).min(MARGIN)
}

/// When its versions live, and where each is explained.
pub fn versions(api: &Api, issuer: &str) -> Versions {
    let day = |day: Date| day.to_string().parse::<Day>().ok();
    let known = api.versions.iter().filter_map(|version| {
        Some(ApiVersion {
            deprecated: version.deprecated.and_then(day),
            sunset: version.sunset.and_then(day),
            removed: version.removed.and_then(day),
            documentation: Some(format!("{issuer}{PREFIX}/v{}/docs", version.number)),
            notice: version.notice.clone(),
            ..ApiVersion::new(version.number, day(version.released)?)
        })
    });
    Versions::new(&api.name, PREFIX, known.collect(), Arc::new(|| SystemClock.since_1970()))
        .with_default(api.default_version)
}

/// Chooses the version of each request, and tells it on each answer.
pub fn versioned(service: &Service) -> VersionLayer {
    VersionLayer::new(service.versions.clone()).keeping_path()
}

/// What it answers to those who bring a token or a key and do not ask too often. Requests bring along what their path means.
pub fn guarded(service: &Arc<Service>, authority: &Arc<Authority>, counting: &Counting) -> impl Serve + use<> {
    let versioned = versioned(service).telling_of_gone(counting_gone(service, authority));
    let layers = (
        // What is refused before the version is certain is marked around all of it, by `told`.
        versioned.clone().quietly(),
        guard::guards(authority),
        // Behind the bearer, for the pin of the token; around the limits, whose refusals have a version too.
        versioned,
        counting.by_caller(service),
    );
    layers.layer(service_fn(routes::serve))
}

/// Addresses of the API that mean nothing.
pub fn unknown(service: &Arc<Service>, authority: &Arc<Authority>) -> Router {
    let places = [PREFIX.to_owned(), format!("{PREFIX}/"), format!("{PREFIX}/{{*rest}}")];
    let unknown = places.iter().fold(Router::new(), |router, place| router.route(place, any(nothing)));
    let versioned = versioned(service).telling_of_gone(counting_gone(service, authority));
    pinned(service, authority, unknown).layer(versioned)
}

/// The version that a request meant, and that is gone.
#[derive(Clone, Copy)]
struct Gone(u32);

/// Counts who still asks for a version that is gone. Anyone is told that it is, so nobody has been asked who they are;
/// whoever shows it all the same is counted by name.
fn counting_gone(service: &Arc<Service>, authority: &Arc<Authority>) -> GoneHeard {
    let counted = service.clone();
    let count = service_fn(move |request: Request<()>| {
        let caller = request.extensions().get::<Arc<Caller>>().map(|caller| caller.client.as_str());
        if let Some(Gone(version)) = request.extensions().get::<Gone>() {
            counted.note_use(caller, *version);
        }
        ready(Ok::<_, Infallible>(()))
    });
    let recognised = guard::recognised(count, authority);
    Arc::new(move |headers, extensions, version| {
        let mut request = Request::new(());
        (*request.headers_mut(), *request.extensions_mut()) = (headers.clone(), extensions.clone());
        request.extensions_mut().insert(Gone(version));
        let recognised = recognised.clone();
        Box::pin(async move { _ = recognised.oneshot(request).await })
    })
}

/// Routes for anyone. Whoever shows a token all the same is answered in the version that it is pinned to.
pub fn pinned(service: &Service, authority: &Arc<Authority>, routes: Router) -> Router {
    guard::recognising(routes.layer(versioned(service)), authority)
}

/// Tells the version on answers of the API that were given before it was reached: by a limit, a guard, by whoever chooses the
/// version, or after a panic.
pub fn told(service: &Service) -> VersionLayer {
    VersionLayer::new(service.versions.clone()).only_telling()
}

async fn nothing() -> Problem {
    Problem::new(&catalogue::NOT_FOUND).detail("The API has nothing at this address. /api/docs shows what it has.")
}

/// The description of one version, as it is served below `prefix`.
pub fn openapi(face: &Api, version: u32, issuer: &str, prefix: &str) -> serde_json::Value {
    let base_url = format!("{issuer}{prefix}");
    let at = Surroundings { base_url, issuer: issuer.to_owned(), version, state: Lifecycle::Active };
    valetkey_resources::openapi::document(face, &at)
}

/// Its description, for anyone.
pub fn description(service: &Arc<Service>, authority: &Arc<Authority>) -> Router {
    pinned(service, authority, routes::description(service, &authority.policy.issuer, PREFIX)).layer(versioned(service))
}
