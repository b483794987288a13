//! The deadline of each phase.

use super::*;
use crate::config::Span;

fn pulse() -> Arc<Pulse> {
    Pulse::new(&Limits {
        header_timeout: Span::from_secs(10),
        idle_timeout: Span::from_secs(60),
        request_timeout: Span::from_secs(30),
        ..Limits::default()
    })
}

/// The phase and how many seconds it may still take.
fn allowance(pulse: &Pulse) -> (Phase, f64) {
    let (deadline, phase) = pulse.deadline();
    (phase, deadline.duration_since(Instant::now()).as_secs_f64().round())
}

#[test]
fn a_fresh_connection_owes_its_head_within_the_header_timeout() {
    assert_eq!(allowance(&pulse()), (Phase::Head, 10.0));
}

#[test]
fn a_connection_may_rest_between_requests_for_the_idle_timeout() {
    let pulse = pulse();

    drop(pulse.begin(false));

    assert_eq!(allowance(&pulse), (Phase::Idle, 60.0));
}

#[test]
fn the_first_byte_of_a_later_head_starts_the_header_timeout() {
    let pulse = pulse();
    drop(pulse.begin(false));

    pulse.bytes_arrived();

    assert_eq!(allowance(&pulse), (Phase::Head, 10.0));
}

#[test]
fn further_bytes_of_a_head_buy_no_time() {
    let pulse = pulse();
    let first = pulse.deadline();

    pulse.bytes_arrived();

    assert_eq!(pulse.deadline(), first);
}

#[test]
fn bytes_on_a_multiplexed_connection_begin_no_head() {
    let pulse = pulse();
    drop(pulse.begin(true));

    pulse.bytes_arrived();

    assert_eq!(allowance(&pulse), (Phase::Idle, 60.0));
}

#[test]
fn an_answer_that_nobody_reads_may_not_be_busy_for_ever() {
    let pulse = pulse();
    let first = pulse.begin(true);
    let second = pulse.begin(true);

    drop(first);
    let before = pulse.deadline().0;
    second.progress();

    assert_eq!(allowance(&pulse), (Phase::Busy(1), 90.0));
    assert!(pulse.deadline().0 > before);
}

#[tokio::test]
async fn the_watchdog_notices_a_phase_that_began_while_it_slept() {
    let limits = Limits { header_timeout: Span::from_millis(30), ..Limits::default() };
    let pulse = Pulse::new(&limits);
    drop(pulse.begin(false));
    let watched = Arc::clone(&pulse);
    let watchdog = tokio::spawn(async move { watched.expired().await });

    tokio::task::yield_now().await;
    pulse.bytes_arrived();

    assert_eq!(watchdog.await.unwrap(), Phase::Head);
}
