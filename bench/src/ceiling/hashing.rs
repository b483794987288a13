//! Passwords that all cores can hash, each by a thread that does nothing else.

use std::num::NonZero;
use std::thread::{available_parallelism, scope};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use argon2::{Algorithm, Argon2, Params, Version};

/// As the server hashes: 19 MiB, two passes, one lane, 32 bytes.
fn settings() -> anyhow::Result<Params> {
    Params::new(19 * 1024, 2, 1, Some(32)).map_err(|error| anyhow!("argon2: {error}"))
}

/// Hashes a second.
pub fn hashes(time: Duration) -> anyhow::Result<f64> {
    let hasher = Argon2::new(Algorithm::Argon2id, Version::V0x13, settings()?);
    let start = Instant::now();
    let alone = || {
        let (mut count, mut digest) = (0_u32, [0; 32]);
        while start.elapsed() < time {
            let done = hasher.hash_password_into(b"correct horse battery staple", b"salt of sixteen!", &mut digest);
            done.map_err(|error| anyhow!("argon2: {error}"))?;
            count += 1;
        }
        // Each ends with a whole one, at a moment of its own.
        anyhow::Ok(f64::from(count) / start.elapsed().as_secs_f64())
    };
    scope(|all| {
        let cores = available_parallelism().map_or(1, NonZero::get);
        let threads: Vec<_> = (0..cores).map(|_| all.spawn(alone)).collect();
        threads.into_iter().map(|thread| thread.join().map_err(|_| anyhow!("a thread panicked"))?).sum()
    })
}
