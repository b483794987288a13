//! `valetkey doctor`: what is wrong with this deployment, and how to mend it. Looks, and changes nothing.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::json;
use tokio::net::TcpListener;

use super::Failure;
use super::config::examine;
use super::output::Output;
use crate::app::system::{SystemClock, SystemRandom};
use crate::app::{declared, demo, engine, root_key};
use crate::bridge::upstream::{self, OutboundUpstream};
use crate::config::{Config, Database, Level, Loaded, WithoutRedis};
use crate::outbound::Outbound;
use valetkey_oauth::keys::Ring;
use valetkey_oauth::model::ClientId;
use valetkey_oauth::ports::Clock;
use valetkey_oauth::upstream::try_out;
use valetkey_rest::rate_limit::Counter;
use valetkey_rest::rate_limit::redis::RedisCounter;

/// With less than this, SQLite can hardly write.
const NO_ROOM: u64 = 16 << 20;
/// With less than this, someone should look.
const LITTLE_ROOM: u64 = 256 << 20;

/// One thing the doctor looked at.
struct Examined {
    what: &'static str,
    verdict: Verdict,
    words: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Good,
    Doubtful,
    Bad,
}

pub(super) async fn run(loaded: &Loaded, output: Output) -> Result<ExitCode, Failure> {
    let mut chart = settings(loaded);
    chart.push(port(&loaded.config).await);
    chart.extend(disk(&loaded.config));
    chart.extend(store(loaded).await);
    chart.extend(redis(&loaded.config).await);
    chart.extend(providers(&loaded.config).await);
    let is_well = chart.iter().all(|examined| examined.verdict != Verdict::Bad);
    let findings: Vec<_> = chart
        .iter()
        .map(|examined| json!({ "what": examined.what, "verdict": word(examined.verdict), "words": examined.words }))
        .collect();
    output.print(&json!({ "ok": is_well, "findings": findings }), || {
        let mark = |verdict| match verdict {
            Verdict::Good => "✓",
            Verdict::Doubtful => "!",
            Verdict::Bad => "✗",
        };
        let lines =
            chart.iter().map(|examined| format!("{} {:<10} {}", mark(examined.verdict), examined.what, examined.words));
        lines.collect::<Vec<_>>().join("\n")
    })?;
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Good => "good",
        Verdict::Doubtful => "doubtful",
        Verdict::Bad => "bad",
    }
}

fn good(what: &'static str, words: impl Into<String>) -> Examined {
    Examined { what, verdict: Verdict::Good, words: words.into() }
}

fn doubtful(what: &'static str, words: impl Into<String>) -> Examined {
    Examined { what, verdict: Verdict::Doubtful, words: words.into() }
}

fn bad(what: &'static str, words: impl Into<String>) -> Examined {
    Examined { what, verdict: Verdict::Bad, words: words.into() }
}

fn settings(loaded: &Loaded) -> Vec<Examined> {
    let mut chart: Vec<Examined> = loaded.warnings.iter().map(|warning| doubtful("settings", warning)).collect();
    for finding in examine(&loaded.config) {
        let words = format!("{}: {} {}", finding.key, finding.message, finding.remedy);
        chart.push(if finding.level == Level::Error { bad("settings", words) } else { doubtful("settings", words) });
    }
    match declared::load(&loaded.config) {
        Ok(declared) => {
            let doubts = declared::doubts(&loaded.config, &declared);
            chart.extend(doubts.into_iter().map(|doubt| doubtful("api", doubt)));
        }
        Err(error) => {
            let remedy = error.remedy();
            chart.extend(error.lines().into_iter().map(|line| bad("api", format!("{line} {remedy}"))));
        }
    }
    if chart.is_empty() {
        chart.push(good("settings", format!("clients use {}", loaded.config.origin().as_str())));
    }
    chart
}

async fn port(config: &Config) -> Examined {
    let listen = config.listen;
    match TcpListener::bind(listen).await {
        Ok(_) => good("port", format!("{listen} is free")),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            doubtful("port", format!("{listen} is in use: by a running valetkey, or choose another with --listen"))
        }
        Err(error) => bad("port", format!("{listen} cannot be used: {error}")),
    }
}

/// Asks each provider for its document and its keys, as a sign-in would.
async fn providers(config: &Config) -> Vec<Examined> {
    if config.providers.is_empty() {
        return Vec::new();
    }
    let known = match upstream::providers(config) {
        Ok(known) => known,
        Err(error) => return vec![bad("providers", error.to_string())],
    };
    let outbound = match Outbound::new(&config.outbound.allow, config.outbound.extra_ca.as_deref()) {
        Ok(outbound) => outbound,
        Err(error) => return vec![bad("providers", error.to_string())],
    };
    let calls = OutboundUpstream(outbound);
    let mut chart = Vec::new();
    for provider in known {
        let (id, issuer) = (provider.id.clone(), provider.issuer.clone());
        chart.push(match try_out(provider, &calls, SystemClock.now()).await {
            Ok(()) => good("providers", format!("{id}: {issuer} answers")),
            Err(refusal) => bad("providers", format!("{id}: {issuer}: {refusal}")),
        });
    }
    chart
}

async fn store(loaded: &Loaded) -> Vec<Examined> {
    let config = &loaded.config;
    if engine::is_new(config) {
        let mut chart = vec![good("store", "there is none yet; the first start makes it")];
        chart.extend(root_key::check(config).err().map(|error| bad("keys", error.to_string())));
        return chart;
    }
    let mut chart = Vec::new();
    match engine::pending(config).await {
        Err(error) => return vec![bad("store", error.to_string())],
        Ok(pending) if pending.is_empty() => chart.push(good("store", "the tables are up to date")),
        Ok(pending) => {
            chart.push(doubtful("store", format!("{} migrations wait; the next start runs them", pending.len())));
            return chart;
        }
    }
    match engine::check(config).await {
        Ok(findings) => chart.extend(findings.into_iter().map(|finding| bad("store", finding))),
        Err(error) => chart.push(bad("store", error.to_string())),
    }
    chart.extend(tables(config).await);
    match engine::open(config, &mut |_| {}).await {
        Err(error) => chart.push(bad("store", error.to_string())),
        Ok(store) => {
            chart.extend(keys(config, &store).await);
            chart.extend(demonstration(loaded, &store).await);
        }
    }
    chart
}

/// Is there room beside an embedded database? A full disk is told by nothing but writes that fail.
fn disk(config: &Config) -> Option<Examined> {
    let Database::Sqlite(path) = config.database_or_default() else { return None };
    let folder = path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?;
    if !folder.exists() {
        return None;
    }
    let told = |left: u64| format!("{} MB are left where {} is", left >> 20, path.display());
    Some(match rustix::fs::statvfs(folder).map(|found| found.f_bavail.saturating_mul(found.f_frsize)) {
        Ok(left) if left < NO_ROOM => bad("disk", format!("{}, which is too little. Make room", told(left))),
        Ok(left) if left < LITTLE_ROOM => doubtful("disk", format!("{}. Make room soon", told(left))),
        Ok(left) => good("disk", told(left)),
        Err(error) => doubtful("disk", format!("nobody says how much room there is: {error}")),
    })
}

/// Does Redis count?
async fn redis(config: &Config) -> Option<Examined> {
    let address = config.redis.as_ref()?;
    let asked = match RedisCounter::new(address.expose(), "valetkey doctor ") {
        Ok(counter) => counter.hit(&[], Duration::ZERO).await.map_err(|away| away.to_string()),
        Err(error) => Err(error.to_string()),
    };
    Some(match (asked, config.limits.without_redis) {
        (Ok(_), _) => good("redis", "it answers"),
        (Err(why), WithoutRedis::Open) => doubtful("redis", format!("{why}. Until it answers, each node counts alone")),
        (Err(why), WithoutRedis::Closed) => {
            bad("redis", format!("{why}. Until it answers, requests are refused, as `limits.without_redis` says"))
        }
    })
}

/// Why the declared API could not be served from this store. What is wrong with the declaration itself was told before.
async fn tables(config: &Config) -> Vec<Examined> {
    let Ok(declared) = declared::load(config) else { return Vec::new() };
    match engine::plan_shape(config, &declared.api).await {
        Ok(plan) => plan.losses.iter().map(|loss| bad("api", loss.to_string())).collect(),
        Err(error) => vec![bad("api", error.to_string())],
    }
}

async fn keys(config: &Config, store: &engine::Store) -> Vec<Examined> {
    let stored = match store.ports.keys.all_keys().await {
        Ok(stored) if stored.is_empty() => {
            let none = good("keys", "there are none yet; the first start makes them");
            return vec![root_key::check(config).map_or_else(|error| bad("keys", error.to_string()), |()| none)];
        }
        Ok(stored) => stored,
        Err(error) => return vec![bad("keys", error.to_string())],
    };
    let root = match root_key::find(config, false, &SystemRandom) {
        Ok(root) => root,
        Err(error) => return vec![bad("keys", error.to_string())],
    };
    let mut chart = match Ring::open(&root, &stored) {
        Ok(_) => vec![good("keys", format!("the root key opens all {} keys", stored.len()))],
        Err(error) => vec![bad("keys", format!("{error}; use the root key that this store was made with"))],
    };
    let now = SystemClock.now();
    if stored
        .iter()
        .any(|key| key.created_at.duration_since(now) > Duration::from_secs(60).try_into().unwrap_or_default())
    {
        chart.push(bad("clock", "a key was made in the future: this machine's clock is behind. Synchronise it"));
    }
    chart
}

async fn demonstration(loaded: &Loaded, store: &engine::Store) -> Option<Examined> {
    let shared = matches!(loaded.config.database_or_default(), Database::Postgres(_))
        || !loaded.config.listen.ip().is_loopback();
    let demo = store.ports.clients.find(&ClientId::new(demo::SERVICE)).await.ok().flatten();
    (shared && demo.is_some()).then(|| {
        doubtful("clients", format!("the demonstration client is here: valetkey client remove {}", demo::SERVICE))
    })
}
