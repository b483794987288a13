//! Who sent a request and over which scheme, when proxies stand in between. Believes trusted peers and nobody else.

pub(super) mod certificate;
mod entry;

use std::net::IpAddr;

use http::HeaderMap;
use ipnet::IpNet;

use super::refusal::Refusal;

/// The client itself, as far as trusted proxies vouch for it, and how it spoke to us or to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr, pub Scheme);

/// How the client spoke to us or to the proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// In the clear.
    Http,
    /// Over TLS.
    Https,
}

/// Headers that speak for a proxy. They are removed once read.
const PROXY_HEADERS: [&str; 8] = [
    "forwarded",
    "x-forwarded-for",
    "x-forwarded-proto",
    "x-forwarded-host",
    "x-forwarded-port",
    "x-real-ip",
    certificate::CLIENT_CERT,
    certificate::CLIENT_CERT_CHAIN,
];

/// The rules of one listener.
#[derive(Debug, Clone)]
pub(super) struct Trust {
    /// Peers whose word counts.
    pub proxies: Vec<IpNet>,
    /// The listener speaks TLS.
    pub tls: bool,
    /// The listener can be reached from loopback only.
    pub loopback: bool,
    /// The scheme of the public origin.
    pub public: Scheme,
}

impl Trust {
    /// Finds out who sent a request, and removes what only a proxy may say.
    pub fn trace(&self, peer: IpAddr, headers: &mut HeaderMap) -> Result<ClientAddress, Refusal> {
        let peer = peer.to_canonical();
        let outcome = if self.trusts(peer) { self.trace_behind_proxy(peer, headers) } else { self.trace_direct(peer) };
        if headers.keys().any(|name| PROXY_HEADERS.contains(&name.as_str())) {
            for name in PROXY_HEADERS {
                headers.remove(name);
            }
        }
        outcome
    }

    /// Is the peer a proxy whose word counts?
    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.proxies.iter().any(|network| network.contains(&address))
    }

    fn trace_direct(&self, peer: IpAddr) -> Result<ClientAddress, Refusal> {
        match (self.tls, self.loopback) {
            (true, _) => Ok(ClientAddress(peer, Scheme::Https)),
            (false, true) => Ok(ClientAddress(peer, Scheme::Http)),
            (false, false) => Err(Refusal::NotAProxy),
        }
    }

    fn trace_behind_proxy(&self, peer: IpAddr, headers: &HeaderMap) -> Result<ClientAddress, Refusal> {
        let said = entry::schemes(headers);
        // One hop in the clear is enough for a token to be read, whatever the other hops were.
        let scheme = match (said.is_empty(), said.contains(&Scheme::Http)) {
            (true, _) => self.public,
            (false, true) => Scheme::Http,
            (false, false) => Scheme::Https,
        };
        if scheme == Scheme::Http && self.public == Scheme::Https {
            return Err(Refusal::NotHttps);
        }
        // A proxy writes one of the two headers and may pass the other through as the client sent it. When both are
        // there and disagree, one of them is forged and nobody can tell which, so only the peer itself is sure.
        let by_usage = entry::x_forwarded_for(headers);
        let by_standard = entry::forwarded_for(headers);
        let client = match (by_usage.is_empty(), by_standard.is_empty()) {
            (_, true) => self.nearest_stranger(by_usage),
            (true, false) => self.nearest_stranger(by_standard),
            (false, false) => {
                let named = self.nearest_stranger(by_usage);
                named.filter(|_| named == self.nearest_stranger(by_standard))
            }
        };
        Ok(ClientAddress(client.unwrap_or(peer), scheme))
    }

    /// The right-most address that is no trusted proxy: each proxy appends whom it saw, and what stands further
    /// left was written by strangers. What cannot be read ends the search, because it may hide a stranger.
    fn nearest_stranger(&self, addresses: Vec<Option<IpAddr>>) -> Option<IpAddr> {
        let mut furthest = None;
        for address in addresses.into_iter().rev() {
            let Some(address) = address else { break };
            furthest = Some(address);
            if !self.trusts(address) {
                break;
            }
        }
        furthest
    }
}

#[cfg(test)]
mod tests;
