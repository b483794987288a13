//! The playground of the demonstration. Its app is sent back to the same page, and what came with it is read there.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use http::HeaderMap;
use http::header::ACCEPT_LANGUAGE;
use valetkey_oauth::Policy;
use valetkey_pages::playground::{self, PlaygroundPage};
use valetkey_pages::{Brand, Language};

use super::demo;

/// Its routes, which exist in a demonstration only.
pub fn routes(policy: &Policy, brand: Arc<Brand>) -> Router {
    let view = PlaygroundPage {
        brand,
        language: Language::default(),
        issuer: policy.issuer.clone(),
        app: demo::APP.to_owned(),
        redirect_uri: demo::redirect_uri(policy),
        scope: demo::PEOPLE.to_owned(),
        service: demo::SERVICE.to_owned(),
        user: demo::USER.to_owned(),
    };
    Router::new().route(demo::PLAYGROUND, get(show)).route(demo::CALLBACK, get(show)).with_state(Arc::new(view))
}

async fn show(State(view): State<Arc<PlaygroundPage>>, headers: HeaderMap) -> Response {
    let accepted = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    playground::page(&PlaygroundPage { language: Language::choose(None, accepted), ..(*view).clone() })
}
