//! With which seed, how often and for how long: from the environment, so that a run can be another one than the last.
//!
//! `VALETKEY_TEST_SEED`, `VALETKEY_TEST_ROUNDS` and `VALETKEY_TEST_LENGTH` (milliseconds); docs/endurance.md explains them.

use std::str::FromStr;
use std::time::Duration;

use crate::chance::Chance;

/// How a test runs this time.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub seed: u64,
    pub rounds: usize,
    /// For how long at most there is load before something happens.
    pub length: Duration,
}

impl Plan {
    /// What the environment says; otherwise the first seed, so many rounds and so long.
    pub fn read(rounds: usize, length: Duration) -> Self {
        let millis = u64::try_from(length.as_millis()).unwrap();
        let plan = Self {
            seed: told("VALETKEY_TEST_SEED").unwrap_or(1),
            rounds: told("VALETKEY_TEST_ROUNDS").unwrap_or(rounds),
            length: Duration::from_millis(told("VALETKEY_TEST_LENGTH").unwrap_or(millis).max(20)),
        };
        eprintln!("seed {}, {} rounds, {:?} at most", plan.seed, plan.rounds, plan.length);
        plan
    }

    /// The numbers of one round, unrelated to those of any other.
    pub fn chance(&self, round: usize) -> Chance {
        Chance::new(self.seed.wrapping_mul(1_000_003).wrapping_add(u64::try_from(round).unwrap()))
    }

    /// Some moment within the length.
    pub fn moment(&self, chance: &mut Chance) -> Duration {
        let most = usize::try_from(self.length.as_millis()).unwrap();
        Duration::from_millis(u64::try_from(chance.among(10..most)).unwrap())
    }
}

#[allow(clippy::disallowed_methods, reason = "whoever runs the test chooses the seed")]
fn told<T: FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}")))
}
