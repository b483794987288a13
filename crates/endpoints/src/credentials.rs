//! Client credentials from a request: by Basic or by form, never both, and the certificate it came with.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use http::header::AUTHORIZATION;
use valetkey_oauth::Refusal;
use valetkey_oauth::clients::Presented;
use valetkey_oauth::grants::Caller;
use valetkey_oauth::model::{ClientId, Secret};
use valetkey_rest::form::{Form, decode_component};

/// Finds the one pair of credentials.
pub(crate) fn presented(headers: &HeaderMap, form: &Form<'_>, caller: &Caller) -> Result<Presented, Refusal> {
    let presented = by_text(headers, form)?;
    Ok(Presented { certificate: caller.certificate.clone(), ..presented })
}

fn by_text(headers: &HeaderMap, form: &Form<'_>) -> Result<Presented, Refusal> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    match (values.next(), values.next()) {
        (None, _) => from_form(form),
        (Some(_), Some(_)) => Err(Refusal::TwoAuthentications),
        (Some(value), None) => {
            let basic = value.to_str().ok().and_then(basic).ok_or(Refusal::MalformedAuthorization)?;
            // Some libraries repeat the id in the form; the same one is no second authentication.
            let repeats = form.get("client_id").is_none_or(|id| id == basic.id.as_str());
            if form.get("client_secret").is_some() || !repeats { Err(Refusal::TwoAuthentications) } else { Ok(basic) }
        }
    }
}

fn from_form(form: &Form<'_>) -> Result<Presented, Refusal> {
    let id = form.get("client_id").ok_or(Refusal::NoClient)?;
    Ok(Presented { id: ClientId::new(id), secret: form.get("client_secret").map(Secret::new), certificate: None })
}

/// RFC 6749 §2.3.1: both parts are form-encoded before they are joined. Libraries that do not encode send the same
/// bytes for our ids and secrets.
fn basic(header: &str) -> Option<Presented> {
    let (scheme, encoded) = header.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("Basic") {
        return None;
    }
    let decoded = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (id, secret) = decoded.split_once(':')?;
    let id = decode_component(id).ok()?;
    let secret = decode_component(secret).ok()?;
    if id.is_empty() {
        return None;
    }
    let secret = if secret.is_empty() { None } else { Some(Secret::new(secret)) };
    Some(Presented { id: ClientId::new(&*id), secret, certificate: None })
}
