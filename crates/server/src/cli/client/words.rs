//! The words that describe a client on the command line.

use std::time::Duration;

use valetkey_oauth::clients;
use valetkey_oauth::model::{AccessTokenFormat, Algorithm, IntrospectionReach, SubjectNames};
use valetkey_oauth::protocol::{GrantType, Scope};

use crate::cli::Failure;
use crate::config::{Span, Value as _};

pub(super) fn grants(words: &[String]) -> Result<Vec<GrantType>, Failure> {
    let read = |word: &String| {
        GrantType::parse(word).ok_or_else(|| {
            let known: Vec<_> = GrantType::ALL.into_iter().map(short).collect();
            Failure::Usage(format!("--grant {word}: there is no such grant; the grants are {}", known.join(", ")))
        })
    };
    words.iter().map(read).collect()
}

pub(super) fn short(grant: GrantType) -> &'static str {
    if grant == GrantType::DeviceCode { "device_code" } else { grant.as_str() }
}

pub(in crate::cli) fn scope(words: &[String]) -> Result<Scope, Failure> {
    Scope::parse(&words.join(" ")).map_err(|error| Failure::Usage(format!("--scope: {error}")))
}

pub(super) fn format(word: Option<&str>, signing: Algorithm) -> Result<Option<AccessTokenFormat>, Failure> {
    match word {
        None => Ok(None),
        Some("opaque") => Ok(Some(AccessTokenFormat::Opaque)),
        Some("jwt") => Ok(Some(AccessTokenFormat::Jwt(signing))),
        Some("es256") => Ok(Some(AccessTokenFormat::Jwt(Algorithm::Es256))),
        Some("rs256") => Ok(Some(AccessTokenFormat::Jwt(Algorithm::Rs256))),
        Some("eddsa") => Ok(Some(AccessTokenFormat::Jwt(Algorithm::EdDsa))),
        Some(other) => Err(Failure::Usage(format!(
            "--access-token {other}: write opaque, or jwt, or the algorithm that signs it: es256, rs256, eddsa"
        ))),
    }
}

pub(super) fn algorithm(word: Option<&str>) -> Result<Option<Algorithm>, Failure> {
    let Some(word) = word else { return Ok(None) };
    let known = Algorithm::ALL.into_iter().find(|algorithm| algorithm.as_str().eq_ignore_ascii_case(word));
    known.map(Some).ok_or_else(|| Failure::Usage(format!("--id-token {word}: write rs256, es256 or eddsa")))
}

pub(in crate::cli) fn switch(flag: &str, word: Option<&str>) -> Result<Option<bool>, Failure> {
    match word {
        None => Ok(None),
        Some("on") => Ok(Some(true)),
        Some("off") => Ok(Some(false)),
        Some(other) => Err(Failure::Usage(format!("{flag} {other}: write on or off"))),
    }
}

pub(super) fn window(text: Option<&str>) -> Result<Option<Duration>, Failure> {
    let Some(text) = text else { return Ok(None) };
    let span = Span::parse(text).map_err(|why| Failure::Usage(format!("--refresh-retry-window {text}: {why}")))?;
    Ok(Some(span.duration()))
}

pub(super) fn reach(word: Option<&str>) -> Result<Option<IntrospectionReach>, Failure> {
    match word {
        None => Ok(None),
        Some("own") => Ok(Some(IntrospectionReach::Own)),
        Some("any") => Ok(Some(IntrospectionReach::Any)),
        Some(other) => Err(Failure::Usage(format!("--introspect {other}: write own or any"))),
    }
}

pub(super) fn subjects(
    word: Option<&str>,
    sector: Option<&str>,
    redirect_uris: &[String],
) -> Result<Option<SubjectNames>, Failure> {
    match (word, sector) {
        (None, None) => Ok(None),
        (Some("public"), None) => Ok(Some(SubjectNames::Public)),
        (Some("pairwise"), sector) => Ok(Some(clients::pairwise(sector.map(str::to_owned), redirect_uris)?)),
        (None | Some("public"), Some(sector)) => {
            Err(Failure::Usage(format!("--sector {sector}: a sector goes with --subject pairwise")))
        }
        (Some(other), _) => Err(Failure::Usage(format!("--subject {other}: write public or pairwise"))),
    }
}
