//! A web origin: scheme, host and port, and never a path. Owns the rule that plain HTTP is for loopback only.

use std::fmt;
use std::net::SocketAddr;

use url::{Host, Url};

use super::value::Value;

/// A web origin such as `https://id.example.com`, in the one form in which browsers send it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    text: String,
    https: bool,
    loopback: bool,
}

impl Origin {
    /// Without a slash at the end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether its scheme is `https`.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.https
    }

    /// Whether its host is `localhost` or a loopback address.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        self.loopback
    }

    /// The origin of a server that listens there and has been given no other name.
    pub(super) fn of_listener(listen: SocketAddr, https: bool) -> Self {
        let scheme = if https { "https" } else { "http" };
        let usual = if https { 443 } else { 80 };
        let host = match listen.ip() {
            std::net::IpAddr::V4(address) => address.to_string(),
            std::net::IpAddr::V6(address) => format!("[{address}]"),
        };
        let port = if listen.port() == usual { String::new() } else { format!(":{}", listen.port()) };
        Self { text: format!("{scheme}://{host}{port}"), https, loopback: listen.ip().is_loopback() }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl Value for Origin {
    fn parse(text: &str) -> Result<Self, String> {
        if text == "*" {
            return Err("`*` would let every site call with a user's token; name each origin".to_owned());
        }
        let url =
            Url::parse(text).map_err(|_| format!("`{text}` is not an origin such as `https://id.example.com`"))?;
        let Some(host) = url.host() else {
            return Err(format!("`{text}` is not an origin such as `https://id.example.com`"));
        };
        if text.contains('*') {
            return Err(format!("`{text}`: a wildcard matches nothing here; name each origin"));
        }
        let https = match url.scheme() {
            "https" => true,
            "http" => false,
            _ => return Err(format!("`{text}` must start with `https://`")),
        };
        let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        if !bare || !url.username().is_empty() || url.password().is_some() {
            return Err(format!(
                "`{text}` must be scheme, host and port only; write `{}`",
                url.origin().ascii_serialization()
            ));
        }
        let loopback = match host {
            Host::Domain(name) => name == "localhost" || name.ends_with(".localhost"),
            Host::Ipv4(address) => address.is_loopback(),
            Host::Ipv6(address) => address.is_loopback(),
        };
        Ok(Self { text: url.origin().ascii_serialization(), https, loopback })
    }

    fn show(&self) -> String {
        self.text.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_keeps_no_slash_and_no_usual_port() {
        assert_eq!(Origin::parse("https://ID.example.com:443/").unwrap().as_str(), "https://id.example.com");
        assert_eq!(Origin::parse("http://[::1]:8080").unwrap().as_str(), "http://[::1]:8080");
        assert!(Origin::parse("http://app.localhost:3000").unwrap().is_loopback());
        assert!(Origin::parse("https://*.example.com").unwrap_err().contains("wildcard"));
    }

    #[test]
    fn what_is_more_or_less_than_an_origin_is_refused() {
        for text in ["*", "null", "example.com", "https://a/b", "https://a?b", "https://a/#b", "ftp://a", "https://u@a"]
        {
            assert!(Origin::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_path_is_refused_with_the_origin_to_write_instead() {
        let why = Origin::parse("https://id.example.com/auth").unwrap_err();

        assert!(why.contains("write `https://id.example.com`"), "{why}");
    }

    #[test]
    fn a_listener_without_a_name_gets_the_origin_of_its_address() {
        let plain = Origin::of_listener("127.0.0.1:8080".parse().unwrap(), false);
        let secure = Origin::of_listener("[::1]:443".parse().unwrap(), true);

        assert_eq!(plain.as_str(), "http://127.0.0.1:8080");
        assert_eq!(secure.as_str(), "https://[::1]");
    }
}
