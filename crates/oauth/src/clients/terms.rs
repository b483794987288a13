//! What must hold of every client, new or changed.

use std::time::Duration;

use super::RegistrationError;
use crate::model::{Client, ClientKind, SubjectNames};
use crate::protocol::GrantType;

/// The longest retry window a client can have.
const LONGEST_RETRY_WINDOW: Duration = Duration::from_secs(60);

/// Names for one sector: the one that is given, or the one host of all redirect URIs.
pub fn pairwise(sector: Option<String>, redirect_uris: &[String]) -> Result<SubjectNames, RegistrationError> {
    if let Some(sector) = sector {
        return Ok(SubjectNames::Pairwise { sector });
    }
    let mut hosts = redirect_uris.iter().map(|uri| web_host(uri));
    match hosts.next().flatten() {
        Some(first) if hosts.all(|host| host == Some(first)) => {
            Ok(SubjectNames::Pairwise { sector: first.to_ascii_lowercase() })
        }
        _ => Err(RegistrationError::NoSector),
    }
}

/// Is it sound?
pub(super) fn check(client: &Client) -> Result<(), RegistrationError> {
    if !(1..=200).contains(&client.name.chars().count()) || client.name.chars().any(char::is_control) {
        return Err(RegistrationError::BadName);
    }
    let mut uris = client.redirect_uris.iter().chain(&client.post_logout_redirect_uris);
    if let Some(bad) = uris.find(|uri| !is_redirect_uri(uri)) {
        return Err(RegistrationError::BadRedirectUri(bad.clone()));
    }
    if client.kind == ClientKind::Public && client.may_use(GrantType::ClientCredentials) {
        return Err(RegistrationError::PublicWithCredentials);
    }
    if client.may_use(GrantType::AuthorizationCode) && client.redirect_uris.is_empty() {
        return Err(RegistrationError::NoRedirectUri);
    }
    if let Some(bad) =
        client.backchannel_logout_uri.as_ref().filter(|uri| !is_redirect_uri(uri) || web_host(uri).is_none())
    {
        return Err(RegistrationError::BadLogoutUri(bad.clone()));
    }
    if let SubjectNames::Pairwise { sector } = &client.subject_names
        && !((1..=255).contains(&sector.len()) && sector.bytes().all(|b| b.is_ascii_graphic()))
    {
        return Err(RegistrationError::BadSector(sector.clone()));
    }
    if let Some(bad) = client.origins.iter().find(|origin| !is_origin(origin)) {
        return Err(RegistrationError::BadOrigin(bad.clone()));
    }
    if let Some(bad) = client.version_pin.as_ref().filter(|pin| !is_version(pin)) {
        return Err(RegistrationError::BadVersion(bad.clone()));
    }
    if let Some(identity) = &client.tls {
        if client.kind == ClientKind::Public {
            return Err(RegistrationError::PublicWithCertificate);
        }
        if !identity.is_sound() {
            return Err(RegistrationError::BadCertificateName(format!("{identity:?}")));
        }
    }
    if client.refresh_retry_window > LONGEST_RETRY_WINDOW {
        return Err(RegistrationError::LongRetryWindow);
    }
    Ok(())
}

/// As a browser writes it: a scheme, a host in small letters and perhaps a port, and nothing after that.
fn is_origin(origin: &str) -> bool {
    let rest = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    rest.is_some_and(|host| {
        (1..=255).contains(&host.len())
            && host.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b".-:[]".contains(&b))
            && !host.ends_with(':')
            // A browser leaves out the usual port.
            && !host.ends_with(if origin.starts_with("https") { ":443" } else { ":80" })
    })
}

/// A number, or a day.
fn is_version(pin: &str) -> bool {
    let is_plain = pin == "0" || !pin.starts_with('0');
    let is_number = is_plain && (1..=4).contains(&pin.len()) && pin.bytes().all(|byte| byte.is_ascii_digit());
    is_number || (pin.len() == 10 && pin.parse::<jiff::civil::Date>().is_ok())
}

/// Absolute, printable, without a fragment, and of a scheme that cannot run script or read files.
fn is_redirect_uri(uri: &str) -> bool {
    let Some((scheme, rest)) = uri.split_once(':') else { return false };
    let scheme_is_sound = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    let forbidden = [
        "javascript",
        "data",
        "file",
        "vbscript",
        "blob",
        "about",
        "view-source",
        "filesystem",
        "jar",
        "mailto",
        "intent",
        "ws",
        "wss",
        "ftp",
        "tel",
        "sms",
        "content",
    ];
    scheme_is_sound
        && !forbidden.iter().any(|bad| scheme.eq_ignore_ascii_case(bad))
        && !rest.is_empty()
        && uri.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b'#' | b'*'))
}

/// The host of a web address, without port and credentials.
fn web_host(uri: &str) -> Option<&str> {
    let rest = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?;
    let authority = rest.split(['/', '?', '#']).next()?.rsplit('@').next()?;
    let host = match authority.strip_prefix('[') {
        Some(literal) => literal.split(']').next()?,
        None => authority.split(':').next()?,
    };
    (!host.is_empty()).then_some(host)
}
