//! Stylesheet, script and pictures, built into the binary. Owns their caching: a link that names the hash is kept for a year.

use std::{borrow::Cow, sync::Arc};

use axum::{
    Router,
    body::Body,
    extract::{Path, RawQuery},
    response::{IntoResponse, Response},
    routing::get,
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::Brand;

#[cfg(test)]
mod tests;

#[derive(RustEmbed)]
#[folder = "static/"]
struct Files;

/// The routes of everything under `/static`, and the icon that browsers ask for by habit.
pub fn routes<S: Clone + Send + Sync + 'static>(brand: Arc<Brand>) -> Router<S> {
    let logo = brand.logo.clone();
    let brand_css = move |RawQuery(query): RawQuery| async move { brand.stylesheet_response(query.as_deref()) };
    let brand_logo = move |RawQuery(query): RawQuery| async move {
        logo.map_or_else(|| StatusCode::NOT_FOUND.into_response(), |logo| logo.response(query.as_deref()))
    };
    Router::new()
        .route("/static/brand.css", get(brand_css))
        .route("/static/brand-logo", get(brand_logo))
        .route("/static/{*name}", get(file))
        .route("/favicon.ico", get(async |headers: HeaderMap| serve("favicon.svg", None, &headers)))
}

/// The address of a file, with its hash, for use in a template.
pub fn href(name: &str) -> String {
    Files::get(name).map_or_else(|| format!("/static/{name}"), |file| format!("/static/{name}?v={}", hash(&file)))
}

async fn file(Path(name): Path<String>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    serve(&name, query.as_deref(), &headers)
}

/// Answers with a file, or 304 if the client has it, or an empty 404 if there is none of this name.
pub fn serve(name: &str, query: Option<&str>, headers: &HeaderMap) -> Response {
    let Some(file) = Files::get(name) else { return StatusCode::NOT_FOUND.into_response() };
    let hash = hash(&file);
    let mut response = answer(name, file.data, &hash, query);
    if has_current(headers, &hash) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_TYPE);
    }
    response
}

/// A file with the headers that its hash and the query call for.
pub(crate) fn answer(name: &str, data: Cow<'static, [u8]>, hash: &str, query: Option<&str>) -> Response {
    let named = query.is_some_and(|query| query.split('&').any(|pair| pair.strip_prefix("v=") == Some(hash)));
    let keep = if named {
        "public, max-age=31536000, immutable"
    } else if name.ends_with(".js") {
        // Modules name each other without a hash; an old one beside a new one would break the page.
        "no-cache"
    } else {
        "public, max-age=3600"
    };
    let mut response = Response::new(match data {
        Cow::Borrowed(bytes) => Body::from(bytes),
        Cow::Owned(bytes) => Body::from(bytes),
    });
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type(name)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Ok(tag) = HeaderValue::try_from(format!("\"{hash}\"")) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// Whether `If-None-Match` names this hash; the comparison is weak, as RFC 9110 §13.1.2 asks.
fn has_current(headers: &HeaderMap, hash: &str) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    values
        .flat_map(|value| value.split(','))
        .map(|tag| tag.trim().trim_start_matches("W/"))
        .any(|tag| tag == "*" || tag.trim_matches('"') == hash)
}

/// Eight bytes of SHA-256: enough to tell versions of one file apart.
fn hash(file: &EmbeddedFile) -> String {
    file.metadata.sha256_hash().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("jpg") => "image/jpeg",
        Some("webp") => "image/webp",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
