//! `/api/docs` and `/api/v<N>/docs`: the declared API for people, made from the declaration and its OpenAPI document when
//! somebody asks first.

mod field;
mod kind;
mod operation;
#[cfg(test)]
mod tests;
mod version;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use http::header::ETAG;
use http::{HeaderMap, HeaderValue, StatusCode};
use serde_json::Value;
use valetkey_oauth::Authority;
use valetkey_pages::api_docs::{self, ApiDocsPage, DocsDemonstration, DocsGroup, DocsOperation, DocsResource};
use valetkey_pages::{Brand, Language, ScopeRow};
use valetkey_resources::model::{Api, Ownership, Resource};
use valetkey_resources::routes::options;
use valetkey_resources::service::{Edition, Service};
use valetkey_rest::Problem;
use valetkey_rest::conditional::{self, ETag, IfNoneMatch};
use valetkey_rest::problem::catalogue;
use valetkey_rest::version::{Day, Indicator, VersionChoice};

use super::{api, demo};

/// Every page that somebody has asked for: of a version, below `/api` or below `/api/v<N>`.
struct Shelf {
    service: Arc<Service>,
    issuer: String,
    brand: Arc<Brand>,
    is_demo: bool,
    /// Made anew each day: by then a version may stand elsewhere.
    pages: Mutex<HashMap<(u32, bool, Day), Arc<Docs>>>,
}

/// The page, and its text in each language that somebody has asked for.
struct Docs {
    view: ApiDocsPage,
    written: [OnceLock<Option<Written>>; Language::ALL.len()],
}

/// A page as it is sent.
struct Written {
    headers: HeaderMap,
    body: Bytes,
    etag: ETag,
}

/// Its routes, for anyone.
pub fn routes(service: &Arc<Service>, authority: &Arc<Authority>, brand: Arc<Brand>, is_demo: bool) -> Router {
    let issuer = authority.policy.issuer.clone();
    let shelf = Shelf { service: service.clone(), issuer, brand, is_demo, pages: Mutex::default() };
    let mut router = Router::new().route(api_docs::PATH, get(show).options(options));
    for edition in &service.editions {
        router = router.route(&format!("{}/v{}/docs", api::PREFIX, edition.number()), get(show).options(options));
    }
    api::pinned(service, authority, router.with_state(Arc::new(shelf))).layer(api::versioned(service))
}

async fn show(
    State(shelf): State<Arc<Shelf>>,
    Extension(choice): Extension<VersionChoice>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let language = Language::of_reader(None, &headers);
    let docs = shelf.page(&choice).ok_or_else(|| Problem::new(&catalogue::NOT_FOUND))?;
    let Some(written) = docs.written(language).await else {
        return Ok(StatusCode::INTERNAL_SERVER_ERROR.into_response());
    };
    if IfNoneMatch::from_headers(&headers)?.is_some_and(|tags| tags.matches(&written.etag)) {
        let mut response = conditional::not_modified(&written.etag);
        for name in ["cache-control", "vary"] {
            response.headers_mut().extend(written.headers.get(name).map(|value| (name.parse().ok(), value.clone())));
        }
        return Ok(response);
    }
    let mut response = Response::new(Body::from(written.body.clone()));
    *response.headers_mut() = written.headers.clone();
    Ok(response)
}

impl Shelf {
    fn page(&self, choice: &VersionChoice) -> Option<Arc<Docs>> {
        let is_default = matches!(choice.by, Indicator::Default | Indicator::Pin);
        let today = self.service.versions.today();
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.retain(|(.., day), _| *day == today);
        if let Some(found) = pages.get(&(choice.version, is_default, today)) {
            return Some(found.clone());
        }
        let edition = self.service.edition(choice.version)?;
        let prefix = if is_default { api::PREFIX.to_owned() } else { format!("{}/v{}", api::PREFIX, choice.version) };
        let mut view = view(edition, &prefix, &self.issuer, self.brand.clone(), self.is_demo);
        view.versions = version::versions(&self.service, choice.version);
        let made = Arc::new(Docs { view, written: Default::default() });
        pages.insert((choice.version, is_default, today), made.clone());
        Some(made)
    }
}

impl Docs {
    async fn written(&self, language: Language) -> Option<&Written> {
        let place = &self.written[language as usize];
        if place.get().is_none() {
            let written = write(&ApiDocsPage { language, ..self.view.clone() }).await;
            // Of two who came first, both wrote the same.
            let _ = place.set(written);
        }
        place.get()?.as_ref()
    }
}

async fn write(view: &ApiDocsPage) -> Option<Written> {
    let response = api_docs::page(view);
    if response.status() != StatusCode::OK {
        return None;
    }
    let (mut parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.ok()?;
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &body);
    let name: String = digest.as_ref().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    let etag = ETag::strong(name);
    parts.headers.insert(ETAG, HeaderValue::try_from(etag.to_string()).ok()?);
    Some(Written { headers: parts.headers, body, etag })
}

/// What the page shows.
fn view(edition: &Edition, prefix: &str, issuer: &str, brand: Arc<Brand>, is_demo: bool) -> ApiDocsPage {
    let declared = &edition.api;
    let document = api::openapi(declared, edition.number(), issuer, prefix);
    let mut resources: Vec<_> = declared.resources.iter().map(|of| resource(declared, &document, prefix, of)).collect();
    resources.extend(monitor(declared, &document, prefix));
    let scopes = declared
        .scopes
        .iter()
        .map(|scope| ScopeRow { is_sensitive: scope.is_sensitive, ..ScopeRow::new(&scope.name, &scope.description) });
    ApiDocsPage {
        brand,
        language: Language::default(),
        issuer: issuer.to_owned(),
        prefix: prefix.to_owned(),
        title: declared.title.clone(),
        description: declared.description.clone(),
        scopes: scopes.collect(),
        resources,
        versions: Vec::new(),
        demonstration: is_demo
            .then(|| DocsDemonstration { client_id: demo::APP.to_owned(), user: demo::USER.to_owned() }),
    }
}

fn resource(declared: &Api, document: &Value, prefix: &str, of: &Resource) -> DocsResource {
    let all = operation::of_tag(declared, document, prefix, &of.name);
    let own = format!("{prefix}/{}", of.name);
    let is_own = |found: &DocsOperation| found.path == own || found.path.starts_with(&format!("{own}/{{id}}"));
    let (flat, nested): (Vec<_>, Vec<_>) = all.into_iter().partition(is_own);
    let above = of.parent.as_ref().and_then(|parent| declared.resource(&parent.resource));
    let mut groups = vec![DocsGroup { under: None, operations: flat }];
    let under = above.map(|above| format!("{prefix}/{}/{{{}_id}}", above.name, above.singular));
    groups.push(DocsGroup { under, operations: nested });
    groups.retain(|group| !group.operations.is_empty());
    DocsResource {
        name: of.name.clone(),
        description: of.description.clone(),
        is_owned: of.ownership == Ownership::Own,
        fields: field::fields(of),
        groups,
    }
}

/// The operations of actions that take time, where there are such actions.
fn monitor(declared: &Api, document: &Value, prefix: &str) -> Option<DocsResource> {
    let takes_time = |of: &Arc<Resource>| of.actions.iter().any(|act| act.is_async || act.handler.is_some());
    declared.resources.iter().any(takes_time).then(|| DocsResource {
        name: operation::MONITOR.to_owned(),
        description: "How far an action is that takes time.".to_owned(),
        is_owned: false,
        fields: Vec::new(),
        groups: vec![DocsGroup {
            under: None,
            operations: operation::of_tag(declared, document, prefix, operation::MONITOR),
        }],
    })
}
