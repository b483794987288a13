//! What is allowed of a client and probably not meant.

use url::{Host, Url};
use valetkey_oauth::model::Client;
use valetkey_oauth::protocol::OF_USERS;

use crate::app::declared;
use crate::config::Config;

/// Each in one sentence.
pub(in super::super) fn doubts(config: &Config, client: &Client) -> Vec<String> {
    let addresses = client.redirect_uris.iter().chain(&client.post_logout_redirect_uris);
    let plain = addresses.chain(&client.backchannel_logout_uri).filter(|address| is_plain(address)).map(|address| {
        format!("{address} is plain HTTP: whoever is on the way reads what is sent there. Write it with https")
    });
    plain.chain(unknown_scopes(config, client.scope.as_str())).collect()
}

/// Scopes that neither OpenID Connect nor the declared API has.
pub(in super::super) fn unknown_scopes(config: &Config, scope: &str) -> Vec<String> {
    // Where none is named, the server may know of one all the same. What is wrong with one is told elsewhere.
    if config.api.is_none() {
        return Vec::new();
    }
    let Ok(declared) = declared::unlocked(config) else { return Vec::new() };
    let is_known = |name: &str| OF_USERS.contains(&name) || declared.api.scopes.iter().any(|scope| scope.name == name);
    let unknown = scope.split(' ').filter(|name| !name.is_empty() && !is_known(name));
    unknown.map(|name| format!("{name} is a scope that the declared API does not have")).collect()
}

/// Would it go over a network in the clear?
fn is_plain(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => true,
    };
    url.scheme() == "http" && !is_here
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_leaves_the_machine_in_the_clear_is_plain() {
        for plain in ["http://app.example/cb", "http://192.0.2.1/cb", "http://localhost.example/cb"] {
            assert!(is_plain(plain), "{plain}");
        }
        for fine in [
            "https://app.example/cb",
            "http://127.0.0.1:80/cb",
            "http://[::1]/cb",
            "http://localhost/cb",
            "com.app:/cb",
        ] {
            assert!(!is_plain(fine), "{fine}");
        }
    }
}
