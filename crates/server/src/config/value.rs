//! How a setting is read from text and shown again, for the plain types. Types with rules of their own have own files.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use ipnet::IpNet;
use url::Url;

/// How a value is written in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// In quotes.
    Text,
    /// Without quotes: a number or a truth value.
    Bare,
    /// A list of texts; in the environment, separated by spaces.
    List,
}

/// A type that a setting can have.
pub trait Value: Sized {
    /// How it is written in the file.
    const KIND: Kind = Kind::Text;

    /// Reads it; the error is a sentence without the name of the setting.
    fn parse(text: &str) -> Result<Self, String>;

    /// Writes it as it could be read again. Secrets show only that they are set.
    fn show(&self) -> String;

    /// Reads it from a list, for the types that are lists.
    fn parse_list(_items: &[String]) -> Result<Self, String> {
        Err("takes one value, not a list".to_owned())
    }

    /// Gives a relative path its folder; nothing for what is no path.
    fn anchor(&mut self, _folder: &Path) {}
}

impl Value for String {
    fn parse(text: &str) -> Result<Self, String> {
        Ok(text.to_owned())
    }

    fn show(&self) -> String {
        self.clone()
    }
}

impl Value for PathBuf {
    fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() { Err("needs a path".to_owned()) } else { Ok(text.into()) }
    }

    fn show(&self) -> String {
        self.display().to_string()
    }

    fn anchor(&mut self, folder: &Path) {
        if self.is_relative() && !folder.as_os_str().is_empty() {
            *self = folder.join(&*self);
        }
    }
}

/// Empty text means that nothing is set.
impl<T: Value> Value for Option<T> {
    const KIND: Kind = T::KIND;

    fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() { Ok(None) } else { T::parse(text).map(Some) }
    }

    fn show(&self) -> String {
        self.as_ref().map(T::show).unwrap_or_default()
    }

    fn anchor(&mut self, folder: &Path) {
        if let Some(value) = self {
            value.anchor(folder);
        }
    }
}

impl<T: Value> Value for Vec<T> {
    const KIND: Kind = Kind::List;

    fn parse(text: &str) -> Result<Self, String> {
        text.split_whitespace().map(T::parse).collect()
    }

    fn show(&self) -> String {
        self.iter().map(T::show).collect::<Vec<_>>().join(" ")
    }

    fn parse_list(items: &[String]) -> Result<Self, String> {
        items.iter().map(|item| T::parse(item)).collect()
    }
}

impl Value for bool {
    const KIND: Kind = Kind::Bare;

    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            other => Err(format!("`{other}` is neither `true` nor `false`")),
        }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Value for usize {
    const KIND: Kind = Kind::Bare;

    fn parse(text: &str) -> Result<Self, String> {
        text.replace('_', "").parse().map_err(|_| format!("`{text}` is not a whole number"))
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Value for SocketAddr {
    fn parse(text: &str) -> Result<Self, String> {
        if let Ok(address) = text.parse() {
            return Ok(address);
        }
        let hint = match text.strip_prefix(':').unwrap_or(text).parse::<u16>() {
            Ok(port) => format!("; did you mean `127.0.0.1:{port}`?"),
            Err(_) => "; write it as `127.0.0.1:8080` or `[::1]:8080`".to_owned(),
        };
        // The name is accepted because everyone types it; other names would make the address depend on a resolver.
        match text.strip_prefix("localhost:").and_then(|port| port.parse().ok()) {
            Some(port) => Ok(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port)),
            None => Err(format!("`{text}` is not an address with a port{hint}")),
        }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Value for IpNet {
    fn parse(text: &str) -> Result<Self, String> {
        let single = text.parse::<IpAddr>().map(IpNet::from);
        single
            .or_else(|_| text.parse())
            .map_err(|_| format!("`{text}` is not an address or a network such as `10.0.0.0/8`"))
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Value for Url {
    fn parse(text: &str) -> Result<Self, String> {
        match Url::parse(text) {
            Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(url),
            _ => Err(format!("`{text}` is not a URL that starts with `http://` or `https://`")),
        }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

/// A link at the foot of the pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// What people read.
    pub label: String,
    /// Where it leads.
    pub url: Url,
}

impl Value for Link {
    fn parse(text: &str) -> Result<Self, String> {
        let (label, url) = text.split_once('=').ok_or_else(|| format!("`{text}` is not written `Label=https://…`"))?;
        Ok(Self { label: label.trim().to_owned(), url: <Url as Value>::parse(url.trim())? })
    }

    fn show(&self) -> String {
        format!("{}={}", self.label, self.url)
    }
}
