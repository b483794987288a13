//! Every route, and the layers around them, as one table.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::HeaderValue;
use http::header::CONTENT_TYPE;
use tokio_util::sync::CancellationToken;
use tower::Layer as _;
use valetkey_endpoints::Endpoints;
use valetkey_oauth::Authority;
use valetkey_oauth::accounts::SignInDesk;
use valetkey_oauth::devices::DeviceDesk;
use valetkey_oauth::upstream::UpstreamDesk;
use valetkey_pages::routes::Pages;
use valetkey_pages::{Brand, ScopeRow};
use valetkey_resources::model::{Api, Scope};
use valetkey_resources::routes::Board;
use valetkey_resources::service::Service;
use valetkey_rest::problem::{Problem, catalogue};
use valetkey_rest::{CatchPanicLayer, DrainLayer, ProblemLayer, RequestIdLayer, TokenInUrlLayer};

use super::edge::{ClientAddress, Serve};
use super::engine::Filling;
use super::health::Readiness;
use super::limits::Counting;
use super::people::PeopleLayer;
use super::straight::StraightLayer;
use super::{api, authz, cors, docs, health, home, playground, straight, system};
use crate::bridge::caller::CallerLayer;
use crate::bridge::ending::{self, Endings};
use crate::bridge::{browser, origin};
use crate::config::Config;
use crate::telemetry::{ObserveLayer, RouteLayer, Telemetry};

/// What the service is made of.
pub struct Parts<'a> {
    /// The settings.
    pub config: &'a Config,
    /// The declared API.
    pub service: &'a Arc<Service>,
    /// What people see on the pages.
    pub brand: Arc<Brand>,
    /// The rules over the store.
    pub authority: Arc<Authority>,
    /// Where people sign in.
    pub desk: SignInDesk,
    /// Where people come in through other providers.
    pub upstream: UpstreamDesk,
    /// How often each caller may ask.
    pub counting: &'a Counting,
    /// What a new declaration leaves to do.
    pub filling: Filling,
    /// Who hears what happens.
    pub telemetry: &'a Telemetry,
    /// Is this a demonstration?
    pub demo: bool,
    /// Cancelled when the server was told to stop.
    pub leaving: CancellationToken,
}

/// The whole service.
pub fn build(parts: Parts<'_>) -> anyhow::Result<impl Serve> {
    let Parts { config, service, brand, authority, desk, upstream, counting, filling, telemetry, demo, leaving } =
        parts;
    let endpoints = Endpoints::new(authority.clone(), counting.token());
    let people = valetkey_pages::routes::routes(Pages {
        desk,
        upstream,
        passwords: config.sign_in.passwords,
        devices: DeviceDesk::new(authority.clone()),
        brand: brand.clone(),
        scopes: Arc::new(scope_rows(&service.api)),
    });
    let endings = Endings { authority: authority.clone(), brand: brand.clone() };
    let browsing = endpoints
        .for_browsers()
        .merge(people)
        .layer(middleware::from_fn_with_state(endings, ending::send))
        .layer(middleware::from_fn_with_state(authority.clone(), browser::know));
    let devices = endpoints.for_devices().layer((CallerLayer, middleware::from_fn(origin::know)));
    let acting = endpoints
        .routes()
        .layer(CallerLayer)
        .merge(devices)
        .merge(valetkey_pages::routes::picture(&authority.policy.issuer))
        .merge(health::routes(Readiness { authority: authority.clone(), filling, api: service.api.clone(), leaving }))
        .merge(authz::routes(&authority, &service.api))
        .merge(metrics(telemetry))
        .merge(api::unknown(service, &authority))
        .fallback(unknown);
    let mut pages = browsing.merge(home::routes(config, brand.clone(), demo)).merge(docs::routes(
        service,
        &authority,
        brand.clone(),
        demo,
    ));
    if demo {
        pages = pages.merge(playground::routes(&authority.policy, brand.clone()));
    }
    // Outermost first: each layer sees the answers of those below it. Several in one go are one box around each route,
    // which every request clones.
    let limited = DefaultBodyLimit::max(config.limits.body_bytes);
    let guards = || (CatchPanicLayer::new(telemetry.panic_hook()), TokenInUrlLayer);
    // Outside the guards: a browser may read a refusal wherever it may read the answer.
    let by_address = counting.by_address();
    let front = || (cors::layer(&config.cors_origins, &authority), by_address.clone(), guards());
    let straight = StraightLayer {
        endpoints: endpoints.clone(),
        board: Arc::new(Board::new(service, api::PREFIX)?),
        acts: (front(), limited).layer(straight::acts(&endpoints)),
        // Its bodies have a limit of their own.
        api: front().layer(api::guarded(service, &authority, counting)),
    };
    let acting = acting.layer((RouteLayer, front(), limited));
    // RFC 9700 §2.6: a browser comes to the authorization endpoint and to pages by itself; no script has to read them.
    let routes = acting.merge(pages.layer((RouteLayer, guards(), limited))).merge(
        endpoints.documents().merge(api::description(service, &authority)).layer((
            RouteLayer,
            middleware::map_response(cors::anyone),
            by_address.clone(),
            guards(),
            limited,
        )),
    );
    // With its state, so that each route has its layers from now on; without it, they would be put on for each request.
    let routes = routes.with_state::<()>(());
    // Around the router, so that they are there once for a connection and not once for a request.
    let around = (
        DrainLayer,
        RequestIdLayer::new(Arc::new(system::request_id)),
        ProblemLayer::new(config.origin().as_str()),
        PeopleLayer(brand),
        ObserveLayer::new(telemetry.clone())
            .client_address(|extensions| extensions.get::<ClientAddress>().map(|address| address.0)),
        api::told(service),
        straight,
    );
    Ok(around.layer(routes))
}

/// What people read about each scope.
fn scope_rows(api: &Api) -> HashMap<String, ScopeRow> {
    let row = |scope: &Scope| {
        let row = ScopeRow::new(&scope.name, &scope.description);
        (scope.name.clone(), ScopeRow { is_sensitive: scope.is_sensitive, ..row })
    };
    api.scopes.iter().map(row).collect()
}

/// Hashing takes a core for a while. Where it lets everyone else go first, it may take all of them, and otherwise half.
pub fn passwords_at_once() -> usize {
    let steps_back = cfg!(target_os = "linux");
    std::thread::available_parallelism()
        .map_or(1, |cores| if steps_back { cores.get() } else { cores.get().div_ceil(2) })
}

async fn unknown() -> Problem {
    Problem::new(&catalogue::NOT_FOUND).detail("Nothing is served at this address. / lists what is.")
}

fn metrics(telemetry: &Telemetry) -> Router {
    if telemetry.metrics().is_none() {
        return Router::new();
    }
    Router::new().route("/metrics", get(numbers)).with_state(telemetry.clone())
}

async fn numbers(State(telemetry): State<Telemetry>) -> Response {
    let text = telemetry.metrics().map(|metrics| metrics.render()).unwrap_or_default();
    let mut response = text.into_response();
    let kind = HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
