//! What is known of a provider: its document and its keys. Kept for a while, and fetched by one request at a time.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jsonwebtoken::jwk::JwkSet;
use serde_json::Value;
use tokio::sync::Mutex;

use super::metadata::{self, Metadata};
use super::{Provider, UpstreamRefusal};
use crate::moment::later;
use crate::ports::{CallFailed, UpstreamCalls};

/// A document is believed for so long.
const FRESH: Duration = Duration::from_secs(60 * 60);
/// Keys are: one may have been withdrawn.
const FRESH_KEYS: Duration = Duration::from_secs(10 * 60);
/// The least time between two fetches, whatever tokens say and however often it failed.
const PAUSE: Duration = Duration::from_secs(10);
/// For so long what is known serves on while the provider does not answer.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// One provider, and what is known of it.
pub(super) struct Directory {
    pub provider: Provider,
    metadata: Shelf<Metadata>,
    keys: Shelf<JwkSet>,
}

impl Directory {
    pub(super) fn new(provider: Provider) -> Self {
        Self { provider, metadata: Shelf::default(), keys: Shelf::default() }
    }

    /// Where its endpoints are.
    pub(super) async fn metadata(
        &self,
        calls: &dyn UpstreamCalls,
        now: Timestamp,
    ) -> Result<Arc<Metadata>, UpstreamRefusal> {
        let issuer = &self.provider.issuer;
        let fetch = async || Metadata::read(issuer, &calls.fetch(&metadata::address(issuer), None).await?);
        self.metadata.take(now, FRESH, |_| true, fetch).await
    }

    /// Its keys: those that are known if the one that is looked for is among them, else as they are now.
    pub(super) async fn keys(
        &self,
        calls: &dyn UpstreamCalls,
        now: Timestamp,
        kid: Option<&str>,
    ) -> Result<Arc<JwkSet>, UpstreamRefusal> {
        let address = self.metadata(calls, now).await?.jwks_uri.clone();
        let is_enough = |keys: &JwkSet| kid.is_none_or(|kid| keys.find(kid).is_some());
        let fetch = async || {
            let document = calls.fetch(&address, None).await?;
            read_keys(&document).ok_or(UpstreamRefusal::Untrusted("its keys cannot be read"))
        };
        self.keys.take(now, FRESH_KEYS, is_enough, fetch).await
    }
}

/// The keys that are understood: one of a kind that is not known here must not hide the others (RFC 7517 §5).
fn read_keys(document: &[u8]) -> Option<JwkSet> {
    let document: Value = serde_json::from_slice(document).ok()?;
    let keys = document.get("keys")?.as_array()?.iter();
    Some(JwkSet { keys: keys.filter_map(|key| serde_json::from_value(key.clone()).ok()).collect() })
}

/// Asks a provider for its document and its keys, as a sign-in would.
pub async fn try_out(provider: Provider, calls: &dyn UpstreamCalls, now: Timestamp) -> Result<(), UpstreamRefusal> {
    Directory::new(provider).keys(calls, now, None).await.map(|_| ())
}

/// Something that was fetched.
struct Shelf<T>(Mutex<Held<T>>);

struct Held<T> {
    value: Option<(Arc<T>, Timestamp)>,
    tried: Option<Timestamp>,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self(Mutex::new(Held { value: None, tried: None }))
    }
}

impl<T> Shelf<T> {
    /// What is there, if it is fresh and enough; else what is fetched, but not too often; else what is there.
    async fn take(
        &self,
        now: Timestamp,
        fresh: Duration,
        is_enough: impl Fn(&T) -> bool,
        fetch: impl AsyncFnOnce() -> Result<T, UpstreamRefusal>,
    ) -> Result<Arc<T>, UpstreamRefusal> {
        let mut held = self.0.lock().await;
        let within = |moment: Timestamp, time| now < later(moment, time);
        if let Some((value, at)) = &held.value
            && within(*at, fresh)
            && is_enough(value)
        {
            return Ok(value.clone());
        }
        let known = held.value.as_ref().filter(|(_, at)| within(*at, STALE)).map(|(value, _)| value.clone());
        if held.tried.is_some_and(|tried| within(tried, PAUSE)) {
            return known.ok_or_else(|| CallFailed("it did not answer a moment ago".to_owned()).into());
        }
        held.tried = Some(now);
        match fetch().await {
            Ok(value) => {
                let value = Arc::new(value);
                held.value = Some((value.clone(), now));
                Ok(value)
            }
            Err(error) => known.ok_or(error),
        }
    }
}

#[cfg(test)]
mod tests;
