//! Where requests are counted for all nodes. Knows nothing of Redis but how it is named.

use std::fmt;

use url::Url;

use super::value::Value;

/// The address of a Redis or Valkey. It may hold a password, so it prints without one.
#[derive(Clone, PartialEq, Eq)]
pub struct Redis(Url);

impl Redis {
    /// The address, password included, for the one who connects.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for Redis {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut url = self.0.clone();
        if url.password().is_some() {
            // Setting a password fails only where a URL can have none.
            let _ = url.set_password(Some("hidden"));
        }
        url.set_query(None);
        write!(out, "{url}")
    }
}

impl fmt::Debug for Redis {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Value for Redis {
    fn parse(text: &str) -> Result<Self, String> {
        // The text may hold a password, so it is not repeated.
        let wrong = || "must look like `redis://127.0.0.1:6379/`, or begin with `rediss://` for TLS".to_owned();
        let url = Url::parse(text).map_err(|_| wrong())?;
        let is_one = matches!(url.scheme(), "redis" | "rediss") && url.has_host();
        if is_one { Ok(Self(url)) } else { Err(wrong()) }
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        let redis = Redis::parse("rediss://default:hush@cache.example:6380/1?x=hush").unwrap();

        assert_eq!(redis.show(), "rediss://default:hidden@cache.example:6380/1");
        assert!(redis.expose().contains("hush") && !format!("{redis:?}").contains("hush"));
    }

    #[test]
    fn what_is_no_address_of_a_redis_is_refused_without_repeating_it() {
        for text in ["127.0.0.1:6379", "http://hush@cache/", "redis:", "hush"] {
            assert!(!Redis::parse(text).unwrap_err().contains("hush"), "{text}");
        }
    }
}
