//! A clock that leaps, seen by one that does not.

use std::time::Duration;

use super::*;

const HOUR: i64 = 3600;

/// What is surely past after each step: so many seconds pass, and the wall clock then says so much.
fn walk(steps: &[(u64, i64)]) -> Vec<i64> {
    let (start, mut tick) = (Timestamp::from_second(1_794_658_500).unwrap(), Instant::now());
    let mut steady = Steady { time: start, tick };
    let step = |(passed, wall): &(u64, i64)| {
        tick += Duration::from_secs(*passed);
        let wall = Timestamp::from_second(start.as_second() + wall).unwrap();
        steady.step(wall, tick).as_second() - start.as_second()
    };
    steps.iter().map(step).collect()
}

#[test]
fn a_clock_that_walks_is_followed() {
    assert_eq!(walk(&[(10, 10), (60, 70), (0, 70)]), [10, 70, 70]);
}

#[test]
fn a_leap_ahead_is_followed_only_as_time_passes_and_comes_to_it_in_the_end() {
    assert_eq!(walk(&[(10, 10 + HOUR), (100, 110 + HOUR)]), [11, 121]);
    assert_eq!(walk(&[(0, HOUR), (9 * 3600, 10 * HOUR), (2 * 3600, 12 * HOUR)]), [0, 35_640, 12 * HOUR]);
}

#[test]
fn a_clock_that_is_set_back_is_followed_at_once() {
    assert_eq!(walk(&[(10, 10), (10, -HOUR), (10, 10 - HOUR)]), [10, -HOUR, 10 - HOUR]);
    assert_eq!(walk(&[(10, 10 + HOUR), (10, 20)]), [11, 20]);
}
