//! The grammar of `X-Forwarded-For`, `X-Forwarded-Proto` and `Forwarded` (RFC 7239). Judges nobody.

use std::net::{IpAddr, SocketAddr};

use http::HeaderMap;

use super::Scheme;

/// The addresses of `X-Forwarded-For` from left to right; `None` stands for what is no address.
pub(super) fn x_forwarded_for(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    items(headers, "x-forwarded-for").iter().map(|item| address(item)).collect()
}

/// The addresses of `Forwarded` from left to right; `None` stands for what is hidden or no address.
pub(super) fn forwarded_for(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    items(headers, "forwarded").iter().map(|item| parameter(item, "for").and_then(address)).collect()
}

/// Every scheme that either header names. What is no known scheme counts as plain HTTP.
pub(super) fn schemes(headers: &HeaderMap) -> Vec<Scheme> {
    let by_usage = items(headers, "x-forwarded-proto");
    let by_standard = items(headers, "forwarded");
    let by_standard = by_standard.iter().filter_map(|item| parameter(item, "proto"));
    let named = by_usage.iter().map(String::as_str).chain(by_standard);
    named.map(|name| if name.eq_ignore_ascii_case("https") { Scheme::Https } else { Scheme::Http }).collect()
}

/// The items of a header that may come several times, each time with several items.
fn items(headers: &HeaderMap, name: &str) -> Vec<String> {
    let values = headers.get_all(name).into_iter();
    // Neither grammar has a comma inside an item that we could believe, so quotes need no care here: a comma in
    // quotes yields two items that cannot be read.
    values
        .flat_map(|value| {
            String::from_utf8_lossy(value.as_bytes()).split(',').map(|item| item.trim().to_owned()).collect::<Vec<_>>()
        })
        .collect()
}

/// One parameter of an item of `Forwarded`, without its quotes.
fn parameter<'a>(item: &'a str, name: &str) -> Option<&'a str> {
    item.split(';').find_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        key.trim().eq_ignore_ascii_case(name).then(|| value.trim().trim_matches('"'))
    })
}

/// An address with or without a port, in either spelling of IPv6.
fn address(text: &str) -> Option<IpAddr> {
    let bare = || text.parse::<IpAddr>().ok();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<IpAddr>().ok();
    bare().or_else(with_port).or_else(bracketed).map(|address| address.to_canonical())
}
