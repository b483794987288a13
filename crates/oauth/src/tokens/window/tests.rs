//! The window forgets seldom, and nothing too early.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::Window;
use crate::model::{Revocation, RevocationTarget, SessionId};
use crate::ports::RevocationFeed;

fn moment(seconds: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_hours(500_000) + SignedDuration::from_secs(seconds)
}

/// A window that was fed at moment 0 and holds one session until each of these.
fn holding(ends: &[i64]) -> Window {
    let window = Window::default();
    window.take(RevocationFeed::default(), moment(0), moment(0));
    for (number, end) in (0..).zip(ends) {
        let target = RevocationTarget::Session(SessionId(Uuid::from_u128(number)));
        window.add(&Revocation { target, expires_at: moment(*end) });
    }
    window
}

fn feed(window: &Window, second: i64) -> usize {
    window.take(RevocationFeed::default(), moment(second), moment(second));
    window.len()
}

#[test]
fn what_has_run_out_is_forgotten_once_a_minute() {
    let window = holding(&[10, 70, 200]);

    assert_eq!(feed(&window, 20), 3, "not yet");
    assert_eq!(feed(&window, 59), 3, "not yet");
    assert_eq!(feed(&window, 60), 2);
    assert_eq!(feed(&window, 119), 2, "not yet");
    assert_eq!(feed(&window, 120), 1);
    assert_eq!(feed(&window, 200), 0);
}

#[test]
fn nothing_is_forgotten_before_it_has_run_out_whatever_the_clock_does() {
    let window = holding(&[100]);

    assert_eq!(feed(&window, -5_000), 1, "set back");
    assert_eq!(feed(&window, 99), 1);
    assert_eq!(feed(&window, 120), 1, "not yet");
    assert_eq!(feed(&window, 160), 0);
}
