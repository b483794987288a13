//! One ES256 signature with the library that the server uses.

use std::num::NonZero;
use std::thread::{self, available_parallelism};
use std::time::Instant;

use aws_lc_rs::error::Unspecified;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};

use crate::measure::median;

/// Enough to wait for, too few to wait long.
const COUNT: u32 = 2_000;

/// Microseconds for each, on all cores at once, as they are busy while a server is measured; five times.
pub fn micros() -> anyhow::Result<Vec<f64>> {
    let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING)?;
    let cores = available_parallelism().map_or(1, NonZero::get);
    let mut tries = Vec::new();
    for _ in 0..5 {
        let times = thread::scope(|scope| {
            let threads: Vec<_> = (0..cores).map(|_| scope.spawn(|| sign(&key))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or(Err(Unspecified))).collect::<Result<Vec<_>, _>>()
        });
        let times = times.map_err(|_| anyhow::anyhow!("signing failed"))?;
        tries.push(median(times));
    }
    Ok(tries)
}

fn sign(key: &EcdsaKeyPair) -> Result<f64, Unspecified> {
    let (random, message) = (SystemRandom::new(), [b'x'; 400]);
    let start = Instant::now();
    for _ in 0..COUNT {
        std::hint::black_box(key.sign(&random, &message)?);
    }
    Ok(start.elapsed().as_secs_f64() * 1e6 / f64::from(COUNT))
}
