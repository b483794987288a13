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

#[test]
fn no_two_ids_have_a_piece_of_randomness_in_common() {
    let mut met = std::collections::HashSet::new();
    let mut buffers = [vec![0; 16], vec![0; 10], vec![0; PORTION], vec![0; PORTION + 1]];

    for _ in 0..1_000 {
        for buffer in &mut buffers {
            SystemRandom.fill_id(buffer);
            assert!(met.insert(buffer[..8].to_vec()), "it was there before");
            assert!(met.insert(buffer[buffer.len() - 8..].to_vec()), "it was there before");
        }
    }
}

#[test]
fn what_was_used_for_an_id_waits_in_memory_no_longer() {
    let mut id = [0; 16];
    SystemRandom.fill_id(&mut id);

    FOR_IDS.with_borrow(|(portion, left)| {
        assert!(!portion.windows(4).any(|piece| piece == &id[..4]));
        assert!(*left > 0 && portion[..*left].iter().any(|byte| *byte != 0));
        assert!(portion[*left..].iter().all(|byte| *byte == 0));
    });
}
