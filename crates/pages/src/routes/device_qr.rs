//! `/device/qr`: the link to `/device` as a picture, for a screen that cannot draw one itself.
//!
//! Draws nothing but our own address with a sound code in it, whether a device shows that code or not: nobody learns
//! which codes are waiting, and nobody gets a picture of a link of their own.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, StatusCode, header};
use qrcode::render::svg;
use qrcode::{EcLevel, QrCode};
use serde::Deserialize;
use valetkey_oauth::devices;
use valetkey_oauth::model::UserCode;

/// Large enough for the camera of a phone at arm's length.
const SIDE: u32 = 240;

/// A picture may be shown on any page, since whoever shows it has the code already; it may load and run nothing.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_TYPE, "image/svg+xml"),
    (header::CACHE_CONTROL, "no-store"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox; frame-ancestors 'none'"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
];

/// The address that the link begins with.
#[derive(Clone)]
pub(super) struct Issuer(pub(super) Arc<str>);

#[derive(Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    user_code: String,
}

pub(super) async fn get(State(issuer): State<Issuer>, Query(asked): Query<Asked>) -> Response {
    let Some(code) = UserCode::parse(&asked.user_code) else { return StatusCode::NOT_FOUND.into_response() };
    let link = devices::complete_link(&issuer.0, &code);
    let Ok(drawn) = QrCode::with_error_correction_level(link, EcLevel::M) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let mut response = Response::new(Body::from(drawn.render::<svg::Color<'_>>().min_dimensions(SIDE, SIDE).build()));
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
