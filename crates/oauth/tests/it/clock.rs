//! A clock that is set forwards and back: nothing comes back to life, and nothing stands still.

use valetkey_oauth::keys;
use valetkey_oauth::ports::Random;
use valetkey_oauth::tokens::revoke;
use valetkey_testkit::SeededRandom;

use crate::person::{CALLBACK, Person, VERIFIER, refresh_token};
use crate::world::World;

const HOUR: i64 = 3600;
const YEAR: i64 = 365 * 24 * HOUR;

impl World {
    /// What the jobs do all the time.
    async fn upkeep(&self) {
        keys::keep_up(&self.authority).await.unwrap();
        self.authority.reload_keys().await.unwrap();
        self.authority.refresh_window().await.unwrap();
        self.authority.ports.sweeping.sweep(self.authority.surely_past(), 1000).await.unwrap();
    }

    /// Ahead for a while, and set right again.
    async fn leaps_ahead_and_back(&self, seconds: i64) {
        self.clock.leap(seconds);
        self.upkeep().await;
        self.clock.leap(-seconds);
        self.upkeep().await;
    }
}

#[tokio::test]
async fn a_revoked_token_stays_revoked_after_a_leap() {
    let world = World::new().await;
    let (dead, alive) = (world.token().await, world.token().await);
    revoke(&world.authority, &*world.client("app").await, &dead).await.unwrap();

    world.leaps_ahead_and_back(HOUR).await;

    assert!(world.look("app", &dead).await.is_none());
    assert!(world.look("app", &alive).await.is_some());
}

#[tokio::test]
async fn a_used_code_stays_used_after_a_leap() {
    let person = Person::signed_in().await;
    let code = person.code().await;
    let tokens = person.redeem("app", &code, VERIFIER, CALLBACK).await.unwrap();

    person.world.leaps_ahead_and_back(YEAR).await;

    assert!(person.redeem("app", &code, VERIFIER, CALLBACK).await.is_err());
    assert!(person.refresh(&refresh_token(&tokens)).await.is_err(), "the replay ends the session");
}

#[tokio::test]
async fn a_session_outlives_a_leap_and_its_used_tokens_stay_used() {
    let person = Person::signed_in().await;
    let first = refresh_token(&person.tokens().await);
    let second = refresh_token(&person.refresh(&first).await.unwrap());

    person.world.leaps_ahead_and_back(YEAR).await;

    let third = refresh_token(&person.refresh(&second).await.unwrap());
    assert!(person.refresh(&first).await.is_err());
    assert!(person.refresh(&third).await.is_err(), "the replay ends the session");
}

#[tokio::test]
async fn a_token_from_the_future_is_refused_until_its_time_comes() {
    let world = World::new().await;
    world.clock.leap(HOUR);
    let token = world.token().await;

    world.clock.leap(-HOUR);
    let early = world.look("app", &token).await;
    world.clock.advance(HOUR);

    assert!(early.is_none());
    assert!(world.look("app", &token).await.is_some());
}

#[tokio::test]
async fn tokens_are_issued_and_good_wherever_the_clock_stands() {
    let world = World::new().await;

    for leap in [HOUR, -2 * HOUR, YEAR, -YEAR, 3 * YEAR, -5 * YEAR, 2 * YEAR + HOUR] {
        world.clock.leap(leap);
        let before = world.token().await;
        world.upkeep().await;
        let after = world.token().await;

        for token in [before, after] {
            assert!(world.look("app", &token).await.is_some(), "after a leap of {leap} s");
        }
    }
}

#[tokio::test]
async fn whatever_the_clock_does_what_was_used_or_ended_stays_so() {
    for seed in 0..12 {
        let chance = SeededRandom::new(seed);
        let person = Person::signed_in().await;
        let (mut used, mut newest) = (Vec::new(), refresh_token(&person.tokens().await));
        for _ in 0..12 {
            let mut bytes = [0; 3];
            chance.fill(&mut bytes);
            // Minutes to months, in both directions.
            let leap = i64::from(bytes[1]) * i64::from(bytes[2]) * 60;
            person.world.clock.leap(if bytes[0] & 1 == 0 { leap } else { -leap });
            person.world.upkeep().await;
            // A session that has run out by this clock is not renewed, and not used up either.
            if let Ok(renewed) = person.refresh(&newest).await {
                used.push(std::mem::replace(&mut newest, refresh_token(&renewed)));
            }
        }

        let Some(replayed) = used.first() else { continue };
        assert!(person.refresh(replayed).await.is_err(), "seed {seed}");
        for _ in 0..3 {
            person.world.leaps_ahead_and_back(30 * 24 * HOUR).await;
            assert!(person.refresh(&newest).await.is_err(), "seed {seed}");
        }
    }
}
