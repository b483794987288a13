//! The landing page and the pages behind problem types.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use valetkey_endpoints::problems as oauth_problems;
use valetkey_pages::landing::{self, Door, Landing, Step};
use valetkey_pages::problems::{self, ProblemEntry, ProblemIndex, ProblemPage};
use valetkey_pages::{Brand, api_docs, assets};
use valetkey_rest::problem::{Problem, ProblemType, catalogue};

use super::demo;
use crate::config::Config;

/// What the pages show.
#[derive(Clone)]
struct Home {
    brand: Arc<Brand>,
    landing: Arc<Landing>,
    origin: Arc<str>,
}

/// The routes of these pages.
pub fn routes(config: &Config, brand: Arc<Brand>, demo: bool) -> Router {
    let origin = config.origin();
    let landing = Arc::new(view(config, brand.clone(), demo));
    let home = Home { brand: brand.clone(), landing, origin: origin.as_str().into() };
    Router::new()
        .route("/", get(front))
        .route("/problems", get(index))
        .route("/problems/{slug}", get(one))
        .with_state(home)
        .merge(assets::routes(brand))
}

fn view(config: &Config, brand: Arc<Brand>, demo: bool) -> Landing {
    let issuer = config.origin().as_str().to_owned();
    let mut doors = vec![
        Door::new("API docs", "Read the API that is served here, and try it in the browser.", api_docs::PATH),
        Door::new(
            "Your account",
            "See which apps have access and where you are signed in, and take it back.",
            "/account",
        ),
        Door::new("Connect a device", "Enter the code that a television or another device shows.", "/device"),
        Door::new(
            "Server metadata",
            "What this server offers, for client libraries (RFC 8414 and OpenID Connect Discovery).",
            "/.well-known/openid-configuration",
        ),
        Door::new("Published keys", "The public keys that check signed tokens.", "/jwks"),
        Door::new(
            "Guarded API",
            "Which API this server guards, and which permissions it knows (RFC 9728).",
            "/.well-known/oauth-protected-resource/api",
        ),
        Door::new("OpenAPI", "The same description for generators and tools.", "/api/openapi.json"),
        Door::new("Problems explained", "Every error this server can answer, and what to do about it.", "/problems"),
        Door::new("Health", "Whether the server and its store are ready.", "/readyz"),
    ];
    if demo {
        let text = "Watch every flow step by step, each request with its answer.";
        doors.insert(0, Door::new("Playground", text, demo::PLAYGROUND));
    }
    if config.telemetry.metrics {
        doors.push(Door::new("Metrics", "Numbers for Prometheus.", "/metrics"));
    }
    let try_it = if demo { vec![Step::client_credentials(&issuer, demo::SERVICE, "read:orders")] } else { Vec::new() };
    Landing { brand, issuer, version: env!("CARGO_PKG_VERSION").to_owned(), doors, try_it, demo }
}

async fn front(State(home): State<Home>) -> Response {
    landing::page(&home.landing)
}

async fn index(State(home): State<Home>) -> Response {
    problems::index(&ProblemIndex { brand: home.brand, problems: all().map(entry).collect() })
}

async fn one(State(home): State<Home>, Path(slug): Path<String>) -> Response {
    match all().find(|kind| kind.slug == slug) {
        Some(kind) => {
            problems::page(&ProblemPage { brand: home.brand, origin: home.origin.to_string(), problem: entry(kind) })
        }
        None => Problem::new(&catalogue::NOT_FOUND)
            .detail("There is no such problem type. /problems lists all of them.")
            .into_response(),
    }
}

fn all() -> impl Iterator<Item = &'static ProblemType> {
    oauth_problems::ALL.iter().chain(catalogue::ALL).copied()
}

fn entry(kind: &'static ProblemType) -> ProblemEntry {
    ProblemEntry {
        slug: kind.slug.to_owned(),
        title: kind.title.to_owned(),
        status: kind.status.as_u16(),
        meaning: kind.meaning.to_owned(),
        remedy: kind.remedy.to_owned(),
    }
}
