//! How often each caller may ask: who counts, and what each request is charged to.

use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use http::{Method, request};
use valetkey_endpoints::TokenLimit;
use valetkey_resources::model::Limits;
use valetkey_resources::routes::Found;
use valetkey_resources::service::Service;
use valetkey_rest::RateLimitLayer;
use valetkey_rest::bearer::Caller;
use valetkey_rest::form::spells;
use valetkey_rest::rate_limit::redis::RedisCounter;
use valetkey_rest::rate_limit::{
    Charge, Counter, Heard, Limiter, MemoryCounter, Policy, Quota, Standby, Watched, Whose,
};
use valetkey_rest::version::VersionChoice;

use super::api::PREFIX;
use super::edge::ClientAddress;
use super::system::SystemClock;
use crate::config::{Config, WithoutRedis};
use crate::telemetry::{Event, Telemetry};

/// So many callers are counted at once, in some ten megabytes.
const COUNTED: usize = 100_000;

/// Every limit of this deployment.
pub struct Counting {
    limiter: Limiter,
    api: Policy,
    token: Policy,
}

impl Counting {
    /// As the settings say. Nobody waits for Redis: it may come up later than this server.
    pub fn open(config: &Config, telemetry: &Telemetry) -> anyhow::Result<Self> {
        let local = Arc::new(MemoryCounter::new(COUNTED));
        let counter: Arc<dyn Counter> = match &config.redis {
            None => local,
            Some(redis) => {
                // Under its own name: several deployments may share one Redis.
                let shared =
                    Arc::new(RedisCounter::new(redis.expose(), &format!("valetkey {} ", config.origin().as_str()))?);
                let early = shared.clone();
                tokio::spawn(async move { early.warm_up().await });
                let without = config.limits.without_redis;
                let watched = Arc::new(Watched::new(shared, heard(telemetry.clone(), without)));
                match without {
                    WithoutRedis::Open => Arc::new(Standby::new(watched, local)),
                    WithoutRedis::Closed => watched,
                }
            }
        };
        let limits = &config.limits;
        Ok(Self {
            limiter: Limiter::new(counter, Arc::new(|| SystemClock.since_1970())),
            api: policy("api", limits.api_requests, limits.api_window.duration()),
            token: policy("token", limits.token_requests, limits.token_window.duration()),
        })
    }

    /// Limits of the API for callers who are known: the server's own, and those that are declared.
    pub fn by_caller(&self, service: &Service) -> RateLimitLayer {
        let charges = Charges {
            api: self.api.clone(),
            declared: Declared::of(service.api.limits),
            scopes: service
                .api
                .scopes
                .iter()
                .filter_map(|scope| Some(Policy::new(&scope.name, scope.limit?)))
                .collect(),
        };
        RateLimitLayer::by(Arc::new(move |parts| charges.of(parts)), self.limiter.clone())
    }

    /// Counts by address what nobody was counted for: requests that were refused before it was known who asks, and those that
    /// anyone may send. Only what stands below [`PREFIX`], and the token endpoint.
    pub fn by_address(&self) -> RateLimitLayer {
        let (api, token) = (self.api.clone(), self.token.clone());
        let charges = move |parts: &Parts| {
            let Some(address) = parts.extensions.get::<ClientAddress>() else { return Vec::new() };
            match parts.uri.path() {
                "/token" => vec![token.charge(Whose::at("address", address.0))],
                path if is_below(path) => vec![api.charge(Whose::at("from", address.0))],
                _ => Vec::new(),
            }
        };
        RateLimitLayer::by(Arc::new(charges), self.limiter.clone()).uncounted()
    }

    /// The limit of the token endpoint.
    pub fn token(&self) -> TokenLimit {
        TokenLimit { limiter: self.limiter.clone(), policy: self.token.clone() }
    }
}

/// What a request of a known caller is charged to.
struct Charges {
    api: Policy,
    declared: Declared,
    /// Of scopes that have a limit.
    scopes: Vec<Policy>,
}

struct Declared {
    read: Option<Policy>,
    search: Option<Policy>,
    write: Option<Policy>,
}

impl Declared {
    fn of(limits: Limits) -> Self {
        let named = |name: &str, quota: Option<Quota>| quota.map(|quota| Policy::new(name, quota));
        Self {
            read: named("read", limits.read),
            search: named("search", limits.search),
            write: named("write", limits.write),
        }
    }
}

impl Charges {
    fn of(&self, parts: &request::Parts) -> Vec<Charge> {
        let Some(caller) = parts.extensions.get::<Arc<Caller>>() else { return Vec::new() };
        let whose = Whose::Caller(caller.clone());
        let is_read = matches!(parts.method, Method::GET | Method::HEAD);
        let search = self.declared.search.as_ref().filter(|_| is_read && searches(parts));
        let kind = if is_read { &self.declared.read } else { &self.declared.write };
        let policies = [Some(&self.api), kind.as_ref(), search, self.scope(parts)];
        policies.into_iter().flatten().map(|policy| policy.charge(whose.clone())).collect()
    }

    fn scope(&self, parts: &request::Parts) -> Option<&Policy> {
        if self.scopes.is_empty() {
            return None;
        }
        let found = parts.extensions.get::<Found>()?;
        let needed = found.scope(&parts.method, parts.extensions.get::<VersionChoice>())?;
        self.scopes.iter().find(|policy| policy.name() == needed)
    }
}

fn searches(parts: &request::Parts) -> bool {
    let query = parts.uri.query().unwrap_or_default();
    query.split('&').any(|pair| spells(pair.split('=').next().unwrap_or_default().as_bytes(), "q"))
}

fn is_below(path: &str) -> bool {
    path.strip_prefix(PREFIX).is_some_and(|below| below.is_empty() || below.starts_with('/'))
}

fn policy(name: &str, requests: usize, window: Duration) -> Policy {
    Policy::new(name, Quota { limit: u64::try_from(requests).unwrap_or(u64::MAX), window })
}

/// While Redis is away, each node counts alone, or refuses what it cannot count: somebody should know.
fn heard(telemetry: Telemetry, without: WithoutRedis) -> Heard {
    let refuses = without == WithoutRedis::Closed;
    Arc::new(move |away| match away {
        Some(away) => telemetry.observe(&Event::RedisAway { why: &away.to_string(), refuses }),
        None => telemetry.observe(&Event::RedisBack),
    })
}
