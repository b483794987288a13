//! What is learnt, and what makes room.

use super::*;

fn note(heart: &ByHeart, sql: &str) -> Option<String> {
    heart.note(Number::of(sql), sql, [Type::TEXT].into_iter()).map(|(sql, _)| sql)
}

fn asked(often: u32, heart: &ByHeart, sql: &str) {
    for _ in 0..often {
        assert!(!heart.knows(Number::of(sql)));
        assert_eq!(note(heart, sql), None);
    }
}

fn name(number: usize) -> String {
    format!("SELECT {number}")
}

#[test]
fn what_is_asked_often_is_known_until_it_is_doubted_and_later_again() {
    let heart = ByHeart::default();
    asked(OFTEN, &heart, "SELECT 1");
    assert!(heart.knows(Number::of("SELECT 1")));
    assert!(!heart.knows(Number::of("SELECT 2")));

    for often in [2 * OFTEN, 4 * OFTEN] {
        heart.doubt(Number::of("SELECT 1"));
        asked(often, &heart, "SELECT 1");
        assert!(heart.knows(Number::of("SELECT 1")));
    }
}

#[test]
fn what_many_doubt_at_one_moment_is_doubted_once() {
    let heart = ByHeart::default();
    asked(OFTEN, &heart, "SELECT 1");

    for _ in 0..9 {
        heart.doubt(Number::of("SELECT 1"));
    }

    asked(2 * OFTEN, &heart, "SELECT 1");
    assert!(heart.knows(Number::of("SELECT 1")));
}

#[test]
fn a_doubt_is_forgotten_when_all_went_well_for_long() {
    let heart = ByHeart::default();
    asked(OFTEN, &heart, "SELECT 1");
    heart.doubt(Number::of("SELECT 1"));
    asked(2 * OFTEN, &heart, "SELECT 1");

    assert!((0..TRUSTED * 2 * OFTEN).all(|_| heart.knows(Number::of("SELECT 1"))));
    heart.doubt(Number::of("SELECT 1"));

    asked(2 * OFTEN, &heart, "SELECT 1");
    assert!(heart.knows(Number::of("SELECT 1")));
}

#[test]
fn no_more_are_learnt_than_have_room_and_none_that_is_of_use_is_forgotten() {
    let heart = ByHeart::default();
    for number in 0..2 * MOST {
        asked(OFTEN, &heart, &name(number));
    }
    for number in 0..2 * COUNTED {
        note(&heart, &format!("SELECT once {number}"));
    }

    assert!((0..MOST).all(|number| heart.knows(Number::of(&name(number)))));
    assert!((MOST..2 * MOST).all(|number| !heart.knows(Number::of(&name(number)))));
    assert!(heart.counts().of.len() <= COUNTED);
}

#[test]
fn what_is_asked_no_more_makes_room_for_what_is() {
    let heart = ByHeart::default();
    for number in 0..MOST {
        asked(OFTEN, &heart, &name(number));
    }
    for _ in 0..IDLE {
        assert!((1..MOST).all(|number| heart.knows(Number::of(&name(number)))));
    }

    asked(OFTEN - 1, &heart, "SELECT new");
    assert_eq!(note(&heart, "SELECT new"), Some(name(0)));

    assert!(heart.knows(Number::of("SELECT new")));
    assert!(!heart.knows(Number::of(&name(0))));
    assert!((1..MOST).all(|number| heart.knows(Number::of(&name(number)))));
    asked(2 * OFTEN, &heart, "SELECT newer");
}
