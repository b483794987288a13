//! Bodies, no longer than allowed. One that is too long is read on for a while and thrown away: whoever is still sending
//! does not look for an answer, and a connection that is closed on them takes the answer along.

use axum::body::{Body, Bytes, HttpBody};
use bytes::BytesMut;
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, EXPECT};
use http::{HeaderMap, HeaderValue};
use http_body_util::BodyExt;
use valetkey_rest::Problem;
use valetkey_rest::problem::catalogue;

/// Beyond the limit, so much is read before the connection is given up.
const PATIENCE: usize = 8 << 20;

/// The whole body, or why not.
pub(super) async fn read(headers: &HeaderMap, mut body: Body, largest: usize) -> Result<Bytes, Problem> {
    // Unpacking is not offered: a few bytes can stand for very many.
    let is_packed = |coding: &HeaderValue| !coding.as_bytes().eq_ignore_ascii_case(b"identity");
    if headers.get_all(CONTENT_ENCODING).iter().any(is_packed) {
        return Err(Problem::new(&catalogue::UNSUPPORTED_MEDIA_TYPE)
            .detail("Bodies are read as they are, without a `Content-Encoding`. Send it unpacked.")
            .header(ACCEPT_ENCODING, HeaderValue::from_static("identity")));
    }
    let announced = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    let waits = headers.contains_key(EXPECT);
    if announced.is_some_and(|length| length > largest.saturating_add(if waits { 0 } else { PATIENCE })) {
        return Err(too_large(largest));
    }
    let mut read = BytesMut::with_capacity(announced.unwrap_or(0).min(largest));
    let mut total = 0_usize;
    while !body.is_end_stream() {
        let Some(frame) = body.frame().await else { break };
        let Ok(data) = frame.map_err(|_| broken())?.into_data() else { continue };
        total = total.saturating_add(data.len());
        if total <= largest {
            read.extend_from_slice(&data);
        } else if total > largest.saturating_add(PATIENCE) {
            break;
        }
    }
    if total > largest { Err(too_large(largest)) } else { Ok(read.freeze()) }
}

fn too_large(largest: usize) -> Problem {
    Problem::new(&catalogue::CONTENT_TOO_LARGE)
        .detail(format!("A body may have {largest} bytes, and this one has more."))
}

fn broken() -> Problem {
    Problem::new(&catalogue::BAD_REQUEST).detail("The body did not arrive completely.")
}
