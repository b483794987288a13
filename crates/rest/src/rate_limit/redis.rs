//! A counter in Redis or Valkey, for all servers of a service together. One round trip for a request, whatever it is
//! charged to; windows go by the clock of Redis, so that servers whose clocks differ still agree.

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use redis::{
    Client, RedisError, Script,
    aio::{ConnectionManager, ConnectionManagerConfig},
};

use super::{Away, Charge, Count, Counter, async_trait};

#[cfg(test)]
mod tests;

/// Longer than this, a count is not worth waiting for. A Redis that is only busy answers sooner.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often someone looks whether Redis is back, while it is away: otherwise each request would wait in vain.
const PAUSE_MILLISECONDS: u64 = 1_000;

/// For each key its window and limit; answers for each how often it was counted and when its window ends. A key lives as long
/// as its window, so nothing is ever cleaned up. When exactly it goes is not what decides: it may be there for a moment in the
/// next window, so it says itself which one it counts. What one of them refuses is not charged to the others.
const SCRIPT: &str = r"
local now = tonumber(redis.call('TIME')[1])
local counts = {}
local refused = false
for i, key in ipairs(KEYS) do
    local window = tonumber(ARGV[2 * i - 1])
    local reset = (math.floor(now / window) + 1) * window
    local counted, used = string.match(redis.call('GET', key) or '', '^(%d+) (%d+)$')
    used = tonumber(counted) == reset and tonumber(used) or 0
    refused = refused or used >= tonumber(ARGV[2 * i])
    counts[2 * i - 1] = used
    counts[2 * i] = reset
end
for i, key in ipairs(KEYS) do
    local used, reset, most = counts[2 * i - 1], counts[2 * i], tonumber(ARGV[2 * i])
    if used <= most and (used == most or not refused) then
        used = used + 1
        redis.call('SET', key, string.format('%.0f %.0f', reset, used), 'EX', string.format('%.0f', reset - now))
        counts[2 * i - 1] = used
    end
end
return counts";

/// Counts in Redis.
pub struct RedisCounter {
    connection: ConnectionManager,
    prefix: String,
    script: Script,
    /// Zero, or when the next one looks whether it is back, in milliseconds of the callers' clock.
    away_until: AtomicU64,
}

impl RedisCounter {
    /// Counts at `url`, such as `redis://127.0.0.1:6379/`, under names that begin with `prefix`. Connects when it is first asked,
    /// and again by itself. Must be called within a runtime.
    pub fn new(url: &str, prefix: &str) -> Result<Self, RedisError> {
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(1)
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE));
        let connection = ConnectionManager::new_lazy_with_config(Client::open(url)?, config)?;
        Ok(Self { connection, prefix: prefix.to_owned(), script: Script::new(SCRIPT), away_until: AtomicU64::new(0) })
    }

    /// Connects, so that the first request need not wait for it. That it cannot is found out again by that request.
    pub async fn warm_up(&self) {
        let _ = tokio::time::timeout(PATIENCE, self.ask(&[])).await;
    }

    /// May this one ask? While Redis is away, one request at a time looks whether it is back.
    fn may_ask(&self, milliseconds: u64) -> bool {
        let away_until = self.away_until.load(Ordering::Relaxed);
        let next = milliseconds.saturating_add(PAUSE_MILLISECONDS);
        // A clock that was set back since: nobody is to wait until it is there again.
        let is_over = away_until <= milliseconds || away_until > next;
        away_until == 0
            || (is_over
                && self.away_until.compare_exchange(away_until, next, Ordering::Relaxed, Ordering::Relaxed).is_ok())
    }

    async fn ask(&self, charges: &[Charge]) -> Result<Vec<u64>, RedisError> {
        let mut call = self.script.prepare_invoke();
        for charge in charges {
            let quota = charge.policy.quota();
            let seconds = quota.window.as_secs().max(1);
            // With the length of the window: another length is another count.
            call.key(format!("{}{seconds}s {charge}", self.prefix)).arg(seconds).arg(quota.limit);
        }
        call.invoke_async(&mut self.connection.clone()).await
    }
}

#[async_trait]
impl Counter for RedisCounter {
    async fn hit(&self, charges: &[Charge], now: Duration) -> Result<Vec<Count>, Away> {
        let milliseconds = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
        if !self.may_ask(milliseconds) {
            return Err(Away("Redis did not answer a moment ago".to_owned()));
        }
        let why = match tokio::time::timeout(PATIENCE, self.ask(charges)).await {
            Ok(Ok(numbers)) if numbers.len() == 2 * charges.len() => {
                self.away_until.store(0, Ordering::Relaxed);
                let counts = numbers.chunks_exact(2).map(|pair| Count { used: pair[0], reset_at: pair[1] });
                return Ok(counts.collect());
            }
            Ok(Ok(_)) => "Redis answered something else".to_owned(),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "Redis does not answer".to_owned(),
        };
        self.away_until.store(milliseconds.saturating_add(PAUSE_MILLISECONDS), Ordering::Relaxed);
        Err(Away(why))
    }
}

impl fmt::Debug for RedisCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisCounter").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}
