//! When a message is tried again, and what is said of where it went.

use valetkey_testkit::SeededRandom;

use super::*;

fn word(kind: DeliveryKind, status: u16) -> &'static str {
    match judge(kind, StatusCode::from_u16(status).unwrap()) {
        Outcome::Arrived => "arrived",
        Outcome::Failed(_) => "failed",
        Outcome::Refused(_) => "refused",
    }
}

#[test]
fn only_what_will_be_refused_again_is_given_up() {
    for (status, webhook, logout) in [
        (200, "arrived", "arrived"),
        (204, "arrived", "arrived"),
        (302, "failed", "failed"),
        (400, "failed", "refused"),
        (404, "failed", "refused"),
        (408, "failed", "failed"),
        (410, "refused", "refused"),
        (425, "failed", "failed"),
        (429, "failed", "failed"),
        (500, "failed", "failed"),
        (503, "failed", "failed"),
    ] {
        assert_eq!(word(DeliveryKind::Webhook, status), webhook, "{status}");
        assert_eq!(word(DeliveryKind::LogoutToken, status), logout, "{status}");
    }
}

#[test]
fn pauses_grow_and_never_repeat_exactly() {
    let random = SeededRandom::new(1);

    for (attempts, least) in [(0, 5), (1, 5), (2, 30), (3, 120), (4, 600), (5, 3_600), (6, 7_200), (99, 7_200)] {
        let pauses = [(); 8].map(|()| pause(attempts, &random));
        let bounds = Duration::from_secs(least)..=Duration::from_secs(least).mul_f64(1.25);
        assert!(pauses.iter().all(|pause| bounds.contains(pause)), "{attempts}: {pauses:?}");
        assert!(pauses.iter().any(|pause| *pause != pauses[0]));
    }
}

#[test]
fn the_log_learns_where_a_message_goes_and_no_secret_on_the_way() {
    assert_eq!(place("https://user:hidden@ops.example:8443/hook/hidden?key=hidden#hidden"), "https://ops.example:8443");
    assert_eq!(place("hidden"), "no URL");
}
