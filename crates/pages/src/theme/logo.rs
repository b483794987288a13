//! The operator's own picture. Owns what counts as one: small, of a known kind by its first bytes, and unable to run anything.

use std::sync::Arc;

use axum::response::Response;
use http::{HeaderValue, header};

#[cfg(test)]
mod tests;

/// The most a picture may weigh: it comes with every first visit.
pub const MOST_LOGO_BYTES: usize = 256 * 1024;

/// What an SVG may do when someone opens it by itself: show its own shapes. As a picture on a page it cannot do more.
const SVG_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// A picture to show instead of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    kind: Kind,
    bytes: Arc<[u8]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Png,
    Jpeg,
    WebP,
    Svg,
}

/// Why a file is not taken as a logo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LogoError {
    /// It is too large.
    #[error("it is larger than 256 KiB")]
    TooLarge,
    /// Its first bytes are those of something else.
    #[error("it is no PNG, JPEG, WebP or SVG picture")]
    Unknown,
}

impl Logo {
    /// Takes a file for a picture, by what is in it: its name may lie.
    pub fn new(bytes: Vec<u8>) -> Result<Self, LogoError> {
        if bytes.len() > MOST_LOGO_BYTES {
            return Err(LogoError::TooLarge);
        }
        let kind = kind(&bytes).ok_or(LogoError::Unknown)?;
        Ok(Self { kind, bytes: bytes.into() })
    }

    /// Where it is served. A hash is in the address, so that a new one is seen at once.
    pub(super) fn href(&self) -> String {
        format!("/static/brand-logo?v={}", super::hash(&self.bytes))
    }

    /// Answers with the picture; `query` is the raw query of the request.
    pub(crate) fn response(&self, query: Option<&str>) -> Response {
        let name = match self.kind {
            Kind::Png => "logo.png",
            Kind::Jpeg => "logo.jpg",
            Kind::WebP => "logo.webp",
            Kind::Svg => "logo.svg",
        };
        let mut response = crate::assets::answer(name, self.bytes.to_vec().into(), &super::hash(&self.bytes), query);
        if self.kind == Kind::Svg {
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(SVG_POLICY));
        }
        response
    }
}

fn kind(bytes: &[u8]) -> Option<Kind> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some(Kind::Png)
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        Some(Kind::Jpeg)
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some(Kind::WebP)
    } else {
        std::str::from_utf8(bytes).ok().filter(|text| is_svg(text)).map(|_| Kind::Svg)
    }
}

/// Whether the first element is `svg`; a declaration, comments and a document type may stand before it.
fn is_svg(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = match rest {
            _ if rest.starts_with("<?") => "?>",
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<!") => ">",
            _ => break,
        };
        let Some((_, after)) = rest.split_once(end) else { return false };
        rest = after.trim_start();
    }
    rest.strip_prefix("<svg").is_some_and(|after| after.starts_with([' ', '\t', '\r', '\n', '>']))
}
