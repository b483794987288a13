//! Files as a browser asks for them: first, again, and with a name that is not there.

use std::sync::Arc;

use axum::{Router, body::Body, response::Response};
use http::{Request, header};
use tower::ServiceExt;

use super::{href, routes};
use crate::Brand;

async fn ask(request: http::request::Builder) -> Response {
    let app: Router = routes(Arc::new(Brand::default()));
    app.oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
}

#[tokio::test]
async fn a_link_with_the_hash_is_kept_for_a_year() {
    let answer = ask(Request::get(href("valetkey.css"))).await;

    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()[header::CONTENT_TYPE], "text/css; charset=utf-8");
    assert_eq!(answer.headers()[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
}

#[tokio::test]
async fn a_link_without_the_hash_or_with_an_old_one_is_asked_for_again() {
    for path in ["/static/valetkey.css", "/static/valetkey.css?v=0000000000000000"] {
        assert_eq!(ask(Request::get(path)).await.headers()[header::CACHE_CONTROL], "public, max-age=3600");
    }
}

#[tokio::test]
async fn a_module_is_asked_for_again_each_time() {
    let first = ask(Request::get("/static/playground/show.js")).await;

    assert_eq!(first.headers()[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
    assert_eq!(first.headers()[header::CACHE_CONTROL], "no-cache");
    assert_eq!(first.headers()[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
}

#[tokio::test]
async fn a_file_the_browser_has_is_not_sent_again() {
    let first = ask(Request::get("/static/logo.svg")).await;

    let again =
        ask(Request::get("/static/logo.svg").header(header::IF_NONE_MATCH, &first.headers()[header::ETAG])).await;

    assert_eq!(again.status(), 304);
    assert_eq!(again.headers()[header::ETAG], first.headers()[header::ETAG]);
}

#[tokio::test]
async fn an_unknown_file_is_not_found() {
    for path in ["/static/none.css", "/static/../Cargo.toml", "/static/%2e%2e/Cargo.toml", "/static/%2Fetc%2Fpasswd"] {
        assert_eq!(ask(Request::get(path)).await.status(), 404, "{path}");
    }
}

#[tokio::test]
async fn the_icon_and_the_colours_are_served() {
    let colours = ask(Request::get(Brand::default().stylesheet())).await;

    assert_eq!(ask(Request::get("/favicon.ico")).await.headers()[header::CONTENT_TYPE], "image/svg+xml");
    assert_eq!(colours.headers()[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
}
