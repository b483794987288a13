//! A follower loses nothing and repeats nothing, whenever an alert is filed.

use valetkey_oauth::model::Alert;
use valetkey_testkit::build;

use super::Follower;

/// These alerts, newest first as a store lists them.
fn stored(numbers: impl DoubleEndedIterator<Item = u128>) -> Vec<Alert> {
    numbers.rev().map(build::alert).collect()
}

/// The last ones, oldest first as they are printed.
fn listed(stored: &[Alert], limit: usize) -> Vec<Alert> {
    stored.iter().take(limit).rev().cloned().collect()
}

fn ids(alerts: &[Alert]) -> Vec<String> {
    alerts.iter().map(|alert| alert.id.to_string()).collect()
}

#[test]
fn an_alert_that_is_filed_while_a_follower_begins_is_printed_once() {
    for (at_first, when_listed, at_last) in [(2, 2, 3), (2, 3, 3), (2, 3, 4), (0, 1, 2), (0, 0, 1)] {
        let mut follower = Follower::new(stored(0..at_first));

        let mut printed = follower.begin(listed(&stored(0..when_listed), 100));
        printed.extend(follower.news(stored(0..at_last)));
        printed.extend(follower.news(stored(0..at_last)));

        let all = listed(&stored(0..at_last), 100);
        assert_eq!(ids(&printed), ids(&all), "{at_first} {when_listed} {at_last}");
    }
}

#[test]
fn what_was_there_before_and_not_asked_for_stays_unprinted() {
    let mut follower = Follower::new(stored(0..5));

    let printed = follower.begin(listed(&stored(0..5), 1));
    let news = follower.news(stored(1..7));

    assert_eq!(ids(&printed), ids(&listed(&stored(4..5), 1)));
    assert_eq!(ids(&news), ids(&listed(&stored(5..7), 2)));
}

#[test]
fn an_alert_that_comes_late_is_printed_though_newer_ones_were() {
    let mut follower = Follower::new(stored(0..1));
    follower.begin(Vec::new());

    let newer = follower.news([build::alert(3), build::alert(0)].into());
    let late = follower.news([build::alert(3), build::alert(2), build::alert(0)].into());

    assert_eq!(ids(&newer), ids(&[build::alert(3)]));
    assert_eq!(ids(&late), ids(&[build::alert(2)]));
}
