//! Finds the indicators in a request, each by itself.

use http::{HeaderMap, header};

use super::X_API_VERSION;
use crate::problem::{FieldCode, FieldError, Problem, catalogue};
use crate::quoted::{split, unquoted};

/// Digits without a leading zero: `0` itself is a number.
pub(super) fn is_number(text: &str) -> bool {
    let is_padded = text.len() > 1 && text.starts_with('0');
    !text.is_empty() && !is_padded && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The digits of `<base>/v<N>`, and what comes after them.
pub(super) fn in_path<'a>(path: &'a str, base: &str) -> Option<(&'a str, &'a str)> {
    let below = path.strip_prefix(base)?.strip_prefix("/v")?;
    let end = below.find('/').unwrap_or(below.len());
    let (digits, rest) = below.split_at(end);
    is_number(digits).then_some((digits, rest))
}

/// The version of the best media type of ours that `Accept` names, unless plain JSON is named as better; 406 if it names some, and
/// none that is known, and no plain JSON.
pub(super) fn in_accept(
    headers: &HeaderMap,
    ours: &str,
    known: impl Fn(&str) -> Option<u32>,
) -> Result<Option<u32>, Problem> {
    let lines = headers.get_all(header::ACCEPT).iter().filter_map(|line| line.to_str().ok());
    let mut asked = false;
    let mut best: Option<(u16, u32)> = None;
    let mut plain = 0;
    for range in lines.flat_map(|line| split(line, ',')) {
        let mut parts = split(range, ';').map(str::trim);
        let essence = parts.next().unwrap_or_default();
        let is_plain = essence.eq_ignore_ascii_case(crate::accept::JSON);
        if !is_plain && !essence.eq_ignore_ascii_case(ours) {
            continue;
        }
        let parameters: Vec<(&str, &str)> = parts.filter_map(|parameter| parameter.split_once('=')).collect();
        let parameter = |name: &str| {
            parameters.iter().find(|(known, _)| known.trim().eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
        };
        let quality = parameter("q").map_or(1000, crate::accept::thousandths);
        if is_plain {
            plain = plain.max(quality);
            continue;
        }
        // Without a version it asks for our media type, and for no version of it.
        let Some(version) = parameter("version").map(unquoted) else { continue };
        if quality == 0 {
            continue;
        }
        asked = true;
        let Some(version) = Some(&*version).filter(|version| is_number(version)).and_then(&known) else { continue };
        if best.is_none_or(|(before, _)| quality > before) {
            best = Some((quality, version));
        }
    }
    match best {
        Some((quality, version)) if quality >= plain => Ok(Some(version)),
        None if asked && plain == 0 => Err(Problem::new(&catalogue::NOT_ACCEPTABLE)
            .detail("`Accept` names a version that the API does not have. See the documentation for those it has.")),
        Some(_) | None => Ok(None),
    }
}

/// The text of `X-API-Version`.
pub(super) fn in_header(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let mut lines = headers.get_all(X_API_VERSION).iter();
    let Some(line) = lines.next() else { return Ok(None) };
    if lines.next().is_some() {
        return Err(Problem::new(&catalogue::BAD_REQUEST)
            .detail("The request has more than one `X-API-Version`. Send one.")
            .field(FieldError::new("X-API-Version", FieldCode::Duplicate)));
    }
    // What is no text is no version either: the empty text is never one.
    Ok(Some(line.to_str().unwrap_or_default().trim()))
}
