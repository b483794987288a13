//! The bound holds, and whoever is beyond it still waits.

use super::*;

#[test]
fn however_many_names_fail_at_once_so_many_are_kept() {
    let (backoff, now) = (Backoff::default(), Timestamp::UNIX_EPOCH);

    for number in 0..CAPACITY + 10 {
        backoff.failed(&[(format!("name {number}"), 5), (format!("place {number}"), 30)], now);
        assert!(backoff.map().len() <= CAPACITY);
    }

    let kept = backoff.map().len();
    assert!(kept > CAPACITY / 2, "{kept} are kept: no more go than must");
}

#[test]
fn room_is_made_for_many_at_a_time_and_first_by_those_who_are_quiet() {
    let (backoff, start) = (Backoff::default(), Timestamp::UNIX_EPOCH);
    for number in 0..CAPACITY / 2 {
        backoff.failed(&[(format!("quiet {number}"), 5)], start);
    }
    let now = later(start, MOST);
    for number in 0..CAPACITY / 2 {
        backoff.failed(&[(format!("busy {number}"), 0)], now);
    }

    backoff.failed(&[("one more".to_owned(), 0)], now);

    assert_eq!(backoff.map().len(), CAPACITY / 2 + 1, "the quiet ones go, the others stay");
    for number in 0..CAPACITY / 2 {
        backoff.failed(&[(format!("more {number}"), 0)], now);
    }
    assert!(backoff.map().len() <= CAPACITY - CAPACITY / 10 + 1, "the next ones find room without a search");
}

#[test]
fn a_clock_that_was_ahead_keeps_nobody_waiting() {
    let (backoff, now) = (Backoff::default(), Timestamp::UNIX_EPOCH);
    let counts = [("someone".to_owned(), 0)];

    backoff.failed(&counts, later(now, 2 * MOST));
    assert_eq!(backoff.wait(&counts, now), None);

    backoff.failed(&counts, now);
    assert!(backoff.wait(&counts, now).is_some());
}

#[test]
fn one_who_is_known_needs_no_room() {
    let (backoff, now) = (Backoff::default(), Timestamp::UNIX_EPOCH);
    for number in 0..CAPACITY {
        backoff.failed(&[(format!("name {number}"), 5)], now);
    }

    let count = backoff.failed(&[("name 7".to_owned(), 5)], now);

    assert_eq!((count, backoff.map().len()), (2, CAPACITY));
}
